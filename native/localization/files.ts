// Reads field maps from a folder: every `*.json` and `*.fmap` in it, in any of the forms that are known.
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join, parse } from 'node:path'
import type { Fault } from '../../machines/errors/fault.ts'
import type { FieldMap, MapAbout } from '../../machines/localization/field-map.ts'
import type { MapNames } from '../../machines/localization/maps/map-draft.ts'
import { type ReadableMap, readFieldMap } from '../../machines/localization/maps/read-map.ts'
import { writeFileWholeSoon } from '../files/atomic.ts'
import { mapHash, sha256 } from './map-hash.ts'
import type { FieldMapsPort } from './port.ts'

const MAX_BYTES = 1_048_576 // a thousand tags in WPILib's wordy form are 400 kB
const MAX_FILES = 100

/** A map of a file, or why there is none. */
type ReadMap = ReadableMap | { readonly ok: false; readonly reason: string }

/** The maps of one folder, which need not exist. */
export const fieldMapFiles = (folder: string): FieldMapsPort => {
  const known = new Map<string, { readonly stamp: string; readonly read: ReadMap }>()

  const readNamed = async (name: string): Promise<ReadMap> => {
    const path = join(folder, name)
    const stats = await stat(path)
    if (!stats.isFile()) return refused('it is not a file') // a pipe would be waited for
    const stamp = stampOf(stats)
    const before = known.get(name)
    if (before?.stamp === stamp) return before.read
    const read = stats.size > MAX_BYTES ? refused(tooLong(stats.size)) : await parseFile(path)
    known.set(name, { stamp, read })
    return read
  }

  return {
    hash: mapHash,
    read: async () => {
      const maps = new Map<string, FieldMap>()
      const about = new Map<string, MapAbout>()
      const faults: Fault[] = []
      const { names, fault } = await mapNames(folder)
      for (const [n, name] of names.entries()) {
        const read = n < MAX_FILES ? await attempt(() => readNamed(name)) : refused(TOO_MANY)
        const used = alone(maps, read, name)
        if (used.ok) {
          maps.set(used.map.id, used.map)
          about.set(used.map.id, aboutOf(used))
        } else faults.push(leftOut(name, used.reason))
      }
      for (const name of known.keys()) if (!names.includes(name)) known.delete(name)
      return { maps, about, faults: fault ? [fault, ...faults] : faults }
    },
    write: async (map) => {
      const name = `${map.id}.json`
      await mkdir(folder, { recursive: true })
      const text = JSON.stringify({ ...map, hash: mapHash(map), origin: 'uploaded', warnings: [] })
      await writeFileWholeSoon(join(folder, name), text)
      for (const other of (await mapNames(folder)).names) {
        const read = other === name ? undefined : await attempt(() => readNamed(other))
        if (read?.ok && read.map.id === map.id) await rm(join(folder, other), { force: true })
      }
    },
    stamp: async () => {
      const names = await readdir(folder).then(ofMaps, (error: NodeJS.ErrnoException) => [`${error.code}`])
      const stamps = names
        .slice(0, MAX_FILES)
        .map((name) => stat(join(folder, name)).then(stampOf, ({ code }: NodeJS.ErrnoException) => `${code}`))
      return JSON.stringify([names, await Promise.all(stamps)])
    },
  }
}

const stampOf = (stats: { readonly mtimeMs: number; readonly size: number }): string => `${stats.mtimeMs}/${stats.size}`

const tooLong = (bytes: number): string => `it has ${bytes} bytes; at most ${MAX_BYTES} are read`

const TOO_MANY = `there are more than ${MAX_FILES} files; the first by their names are read`

const leftOut = (name: string, reason: string): Fault => ({
  code: 'map.unreadable',
  resource: `maps/${name}`,
  detail: `The field map ${name} is left out: ${reason}.`,
})

const aboutOf = ({ map, uploadedAs, warnings }: ReadableMap): MapAbout => {
  const hash = mapHash(map)
  return { hash, origin: uploadedAs === hash ? 'uploaded' : 'file', warnings }
}

const refused = (reason: string): ReadMap => ({ ok: false, reason })

/**
 * Of two maps with one id the first by its file's name is used, so that it does not change from start to start. One
 * whose id comes from a name that this id says only a part of gets a longer one.
 */
const alone = (maps: ReadonlyMap<string, FieldMap>, read: ReadMap, file: string): ReadMap => {
  if (!read.ok || !maps.has(read.map.id)) return read
  const { id } = read.map
  const longer = { ...read.map, id: longId(parse(file).name) }
  const isOfName = id === namesOf(file).id && saysNotAll(parse(file).name)
  return isOfName && !maps.has(longer.id)
    ? { ...read, map: longer }
    : refused(`another file has a map with the id ${id} already`)
}

const attempt = async (read: () => Promise<ReadMap>): Promise<ReadMap> => {
  try {
    return await read()
  } catch (error) {
    return refused(error instanceof Error ? error.message : String(error))
  }
}

const BYTE_ORDER_MARK = '\uFEFF' // editors of Windows write one

const parseFile = (path: string): Promise<ReadMap> =>
  attempt(async () => {
    const text = await readFile(path, 'utf8')
    const json: unknown = JSON.parse(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text)
    return readFieldMap(json, { names: namesOf(path) })
  })

const namesOf = (path: string): MapNames => {
  const name = parse(path).name.normalize('NFC')
  return { name, id: slug(name) || longId(name) }
}

const slug = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, '-')
    .slice(0, 60)
    .replace(/^[-_]+|-+$/g, '')

/** Whether some of its letters are not of the Latin alphabet, so that a slug leaves out what tells it from others. */
const saysNotAll = (name: string): boolean => /(?=[\p{L}\p{N}])[^\p{Script=Latin}\p{Nd}]/u.test(name)

const DIGITS_OF_NAME = 8

/** The slug, and a number that stands for the whole name: the same for the same name, in whatever script it is. */
const longId = (name: string): string => {
  const digits = sha256(name.normalize('NFC')).slice(0, DIGITS_OF_NAME)
  return `${(slug(name) || 'map').slice(0, 60 - 1 - DIGITS_OF_NAME)}-${digits}`
}

/** Those whose id says all of their name come first, so that they have it to themselves. */
const ofMaps = (names: readonly string[]): string[] =>
  names
    .filter((name) => /\.(json|fmap)$/i.test(name))
    .sort()
    .sort((a, b) => Number(saysNotAll(parse(a).name)) - Number(saysNotAll(parse(b).name)))

const mapNames = async (folder: string): Promise<{ readonly names: readonly string[]; readonly fault?: Fault }> => {
  try {
    return { names: ofMaps(await readdir(folder)) }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return { names: [] } // the folder is made by the user when there is something to put in
    const detail = `The folder maps of the data directory cannot be read; there is only the built-in map: ${message}.`
    return { names: [], fault: { code: 'map.unreadable', resource: 'maps', detail } }
  }
}
