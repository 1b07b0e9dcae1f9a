// The tuning files of a Linux device. A note in the data folder says which copies are of this service.
import { createHash } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import {
  type FoundTuning,
  modulesOf,
  namedFile,
  type OwnCopy,
  sensorNamed,
  type TuningEnvironment,
  tuningFolders,
  tuningNamed,
} from '../../machines/ipa/places.ts'
import { jsonIn } from '../../machines/schema/json.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { isFullDisk, writeFileWholeSoon } from '../files/atomic.ts'
import type { SystemFiles } from '../system-files/port.ts'
import type { IpaPort } from './port.ts'

/** Where they are read and written. */
export interface LinuxIpaParts {
  readonly files: SystemFiles
  /** The folder with the data of this service. */
  readonly dataDir: string
  readonly environment: TuningEnvironment
  /** Unix time. */
  readonly nowMs: () => number
}

/** A copy that was written: what it held then. */
interface Note extends OwnCopy {
  readonly sha256: string
}

const NOTE = 'tuning-files.json'
const MAX_FILES = 1_000
const SUBDEVICES = '/sys/class/video4linux'

export const linuxIpa = ({ files, dataDir, environment, nowMs }: LinuxIpaParts): IpaPort => {
  const note = join(dataDir, NOTE)

  /** Of a folder for all modules. */
  const inFolder = async ({ folder, place }: ReturnType<typeof tuningFolders>[number]) => {
    const of = async (module: string): Promise<readonly FoundTuning[]> =>
      (await files.names(`${folder}/${module}`)).flatMap((name) => {
        const named = tuningNamed(name)
        return named ? [{ path: `${folder}/${module}/${name}`, module, ...named, place }] : []
      })
    const families = (await files.names(folder)).filter(isFolderName)
    const all = families.map(async (family) => {
      const inner = (await files.names(`${folder}/${family}`)).filter(isFolderName)
      return (await Promise.all([family, ...inner.map((each) => `${family}/${each}`)].map(of))).flat()
    })
    return (await Promise.all(all)).flat()
  }

  const named = async (modules: readonly string[]): Promise<readonly FoundTuning[]> => {
    const all = modules.map(async (module): Promise<readonly FoundTuning[]> => {
      const path = namedFile(module, environment)
      const about = path === undefined ? undefined : tuningNamed(path.slice(path.lastIndexOf('/') + 1))
      const isThere = path !== undefined && (await files.place(path)) !== null
      return isThere ? [{ path, module, sensor: 'any', format: 'json', ...about, place: 'named' }] : []
    })
    return (await Promise.all(all)).flat()
  }

  const sensors = async (): Promise<readonly string[]> => {
    const names = (await files.names(SUBDEVICES)).filter((name) => name.startsWith('v4l-subdev'))
    const all = await Promise.all(names.map((name) => files.text(`${SUBDEVICES}/${name}/name`)))
    return [...new Set(all.flatMap((name) => sensorNamed(name ?? '') ?? []))]
  }

  const copies = async (): Promise<readonly OwnCopy[]> => {
    const notes = await notesIn(note)
    const all = notes.map(async ({ path, sha256, made_at_ms }) => {
      const bytes = await files.bytes(path)
      return bytes && hashOf(bytes) === sha256 ? [{ path, made_at_ms }] : []
    })
    return (await Promise.all(all)).flat()
  }

  const keep = (notes: readonly Note[]) =>
    Effect.tryPromise({
      try: async () => {
        await mkdir(dirname(note), { recursive: true })
        await writeFileWholeSoon(note, `${JSON.stringify(notes)}\n`)
      },
      catch: (error): Fault => ({
        code: isFullDisk(error) ? 'storage.full' : 'storage.failed',
        detail: `which tuning files are of this service cannot be written to ${note}: ${(error as Error).message}`,
      }),
    })

  return {
    look: Effect.promise(async () => {
      const [compatible, found] = await Promise.all([
        files.text('/proc/device-tree/compatible'),
        Promise.all(tuningFolders(environment).map(inFolder)),
      ])
      const modules = modulesOf(compatible ?? '')
      const all = found.flat()
      const known = [...new Set([...modules, ...all.map(({ module }) => module)])]
      const [byName, seen, ours] = await Promise.all([named(known), sensors(), copies()])
      return { files: [...byName, ...all].slice(0, MAX_FILES), copies: ours, sensors: seen, modules }
    }),
    bytes: (path) => Effect.promise(() => files.bytes(path)),
    put: (path, bytes) =>
      Effect.uninterruptible(
        Effect.gen(function* () {
          const others = (yield* Effect.promise(() => notesIn(note))).filter((each) => each.path !== path)
          const before = (yield* Effect.promise(() => notesIn(note))).filter((each) => each.path === path)
          const written: Note = { path, made_at_ms: nowMs(), sha256: hashOf(bytes) }
          yield* keep([...others, ...before, written]) // a copy that is there is known to be ours at each moment
          yield* Effect.mapError(files.put(path, bytes), withRemedy)
          yield* Effect.ignore(keep([...others, written]))
        }),
      ),
    remove: (path) =>
      Effect.uninterruptible(
        Effect.gen(function* () {
          yield* Effect.mapError(files.remove(path), withRemedy)
          const others = (yield* Effect.promise(() => notesIn(note))).filter((each) => each.path !== path)
          yield* Effect.ignore(keep(others))
        }),
      ),
  }
}

/** Modules have no point in their names; libraries that lie beside them do. */
const isFolderName = (name: string): boolean => !name.includes('.')

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** What is no list of notes is none: nobody but this service writes it. */
const notesIn = async (path: string): Promise<readonly Note[]> => {
  const text = await readFile(path, 'utf8').catch(() => null)
  const found = text === null ? null : jsonIn(text)
  return Array.isArray(found) ? found.filter(isNote) : []
}

const isNote = (value: unknown): value is Note => {
  const { path, sha256, made_at_ms } = (value ?? {}) as Partial<Record<keyof Note, unknown>>
  return typeof path === 'string' && typeof sha256 === 'string' && Number.isSafeInteger(made_at_ms)
}

const withRemedy = (fault: Fault): Fault => ({
  ...fault,
  detail: oneLine`
    ${fault.detail}. The package of this service gives it the right to write there; elsewhere make the folder its own
  `,
})
