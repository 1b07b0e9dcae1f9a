// Reads field maps from a folder: every `*.json` and `*.fmap` in it, in any of the forms that are known.
import { mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { join, parse } from 'node:path'
import type { Fault } from '../../machines/errors/fault.ts'
import { type FieldMap, MAX_MAP_BYTES, MAX_MAP_FILES, type MapAbout } from '../../machines/localization/field-map.ts'
import type { MapNames } from '../../machines/localization/maps/map-draft.ts'
import { type ReadableMap, readFieldMap } from '../../machines/localization/maps/read-map.ts'
import { numbered } from '../../machines/schema/free-id.ts'
import { isFullDisk, writeFileWholeSoon } from '../files/atomic.ts'
import { FolderWatch } from './folder-watch.ts'
import { mapHash, sha256 } from './map-hash.ts'
import type { FieldMapsPort } from './port.ts'
import { receiveMap } from './receive.ts'

/** A map of a file, or why there is none. */
type ReadMap = ReadableMap | { readonly ok: false; readonly reason: string }

/** The maps of one folder, which need not exist. */
export const fieldMapFiles = (folder: string): FieldMapsPort => {
  const known = new Map<string, { readonly stamp: string; readonly read: ReadMap }>()

  const watches = new Set<FolderWatch>()

  const readNamed = async (name: string): Promise<ReadMap> => {
    const path = join(folder, name)
    const stats = await stat(path)
    if (!stats.isFile()) return refused('it is not a file') // a pipe would be waited for
    const stamp = stampOf(stats)
    const before = known.get(name)
    if (before?.stamp === stamp) return before.read
    const read = stats.size > MAX_MAP_BYTES ? refused(tooLong(stats.size)) : await parseFile(path)
    known.set(name, { stamp, read })
    return read
  }

  return {
    hash: mapHash,
    watch: (changed) => {
      const watch = new FolderWatch(folder, changed)
      watches.add(watch)
      return () => {
        watches.delete(watch)
        watch.stop()
      }
    },
    receive: receiveMap,
    store: async (map, file) => {
      const document = { ...map, hash: mapHash(map), origin: 'uploaded' }
      try {
        await mkdir(folder, { recursive: true })
        const names = await readdir(folder)
        if (file === undefined && ofMaps(names).length >= MAX_MAP_FILES) return tooManyMaps
        await writeFileWholeSoon(
          join(folder, file ?? freeName(map.id, names)),
          `${JSON.stringify(document, null, 2)}\n`,
        )
        return undefined
      } catch (error) {
        return notStored(map.id, error)
      }
    },
    read: async () => {
      const maps = new Map<string, FieldMap>()
      const about = new Map<string, MapAbout>()
      const files = new Map<string, string>()
      const faults: Fault[] = []
      const { names, fault } = await mapNames(folder)
      for (const [n, name] of names.entries()) {
        const read = n < MAX_MAP_FILES ? await attempt(() => readNamed(name)) : refused(TOO_MANY)
        const used = alone(maps, read, name)
        if (used.ok) {
          maps.set(used.map.id, used.map)
          about.set(used.map.id, aboutOf(used))
          files.set(used.map.id, name)
        } else faults.push(leftOut(name, used.reason))
      }
      for (const name of known.keys()) if (!names.includes(name)) known.delete(name)
      return { maps, about, files, faults: fault ? [fault, ...faults] : faults }
    },
    stamp: async () => {
      for (const watch of watches) watch.arm()
      const names = await readdir(folder).then(ofMaps, (error: NodeJS.ErrnoException) => [`${error.code}`])
      const stamps = names
        .slice(0, MAX_MAP_FILES)
        .map((name) => stat(join(folder, name)).then(stampOf, ({ code }: NodeJS.ErrnoException) => `${code}`))
      return JSON.stringify([names, await Promise.all(stamps)])
    },
  }
}

/** `gym.json`, or `gym-2.json` where a file of that name is there: one that cannot be used, say. */
const freeName = (id: string, names: readonly string[]): string => {
  const taken = new Set(names.map((name) => name.toLowerCase()))
  const base = taken.has(`${id}.json`) ? numbered(id, { has: (each) => taken.has(`${each}.json`) }) : id
  return `${base}.json`
}

const tooManyMaps: Fault = {
  code: 'map.too_many',
  detail: `there are ${MAX_MAP_FILES} field maps already, which is the most; remove a file from the folder maps`,
}

const notStored = (id: string, error: unknown): Fault => ({
  code: isFullDisk(error) ? 'storage.full' : 'storage.failed',
  detail: `the field map ${id} could not be stored: ${error instanceof Error ? error.message : String(error)}`,
})

const stampOf = (stats: { readonly mtimeMs: number; readonly size: number }): string => `${stats.mtimeMs}/${stats.size}`

const tooLong = (bytes: number): string => `it has ${bytes} bytes; at most ${MAX_MAP_BYTES} are read`

const TOO_MANY = `there are more than ${MAX_MAP_FILES} files; the first by their names are read`

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
