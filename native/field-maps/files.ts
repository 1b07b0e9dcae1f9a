// Reads field maps from a folder: every `*.json` in it, our own form or WPILib's.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, parse } from 'node:path'
import type { Fault } from '../../machines/errors/fault.ts'
import { type FieldMap, type ReadMap, readFieldMap } from '../../machines/localization/field-map.ts'
import type { FieldMapsPort } from './port.ts'

const MAX_BYTES = 1_000_000 // a thousand tags in WPILib's wordy form are 400 kB
const MAX_FILES = 100

/** The maps of one folder, which need not exist. */
export const fieldMapFiles = (folder: string): FieldMapsPort => {
  const known = new Map<string, { readonly stamp: string; readonly read: ReadMap }>()

  const readFile = (name: string): ReadMap => {
    const path = join(folder, name)
    const stats = statSync(path)
    if (!stats.isFile()) return refused('it is not a file') // a pipe would be waited for
    const { mtimeMs, size } = stats
    const stamp = `${mtimeMs}/${size}`
    const before = known.get(name)
    if (before?.stamp === stamp) return before.read
    const read = size > MAX_BYTES ? refused(`it has ${size} bytes; at most ${MAX_BYTES} are read`) : parseFile(path)
    known.set(name, { stamp, read })
    return read
  }

  return {
    read: () => {
      const maps = new Map<string, FieldMap>()
      const faults: Fault[] = []
      for (const name of mapNames(folder)) {
        const read = alone(
          maps,
          attempt(() => readFile(name)),
        )
        if (read.ok) maps.set(read.map.id, read.map)
        else
          faults.push({
            code: 'map.unreadable',
            resource: `maps/${name}`,
            detail: `The field map ${name} is left out: ${read.reason}.`,
          })
      }
      return { maps, faults }
    },
  }
}

const refused = (reason: string): ReadMap => ({ ok: false, reason })

/** Of two maps with one id the first by its file's name is used, so that it does not change from start to start. */
const alone = (maps: ReadonlyMap<string, FieldMap>, read: ReadMap): ReadMap =>
  read.ok && maps.has(read.map.id) ? refused(`another file has a map with the id ${read.map.id} already`) : read

const attempt = (read: () => ReadMap): ReadMap => {
  try {
    return read()
  } catch (error) {
    return refused(error instanceof Error ? error.message : String(error))
  }
}

const parseFile = (path: string): ReadMap =>
  attempt(() => readFieldMap(JSON.parse(readFileSync(path, 'utf8')), slug(parse(path).name)))

const slug = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, '-')
    .slice(0, 60)
    .replace(/^[-_]+|-+$/g, '') || 'map'

const mapNames = (folder: string): string[] => {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .sort()
      .slice(0, MAX_FILES)
  } catch {
    return [] // the folder is made by the user when there is something to put in
  }
}
