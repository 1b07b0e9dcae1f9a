// Installs versions of this service side by side in the system folder. Which one runs is said by one small file, and
// done by the launcher (native/launcher): docs/decisions/0274-versions-side-by-side.md.
import { isAbsolute } from 'node:path'
import * as Effect from 'effect/Effect'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { megabytes } from '../../machines/schema/megabytes.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { type ReleaseManifest, versionName } from '../../machines/update/release.ts'
import { activate, chosenOf, commit, goBack, type SlotState } from '../../machines/update/slots.ts'
import type { KnownVersion } from '../../machines/update/update-state.ts'
import { isFullDisk } from '../files/atomic.ts'
import { SerialQueue } from '../files/serial-queue.ts'
import { type Disk, realDisk } from './disk.ts'
import type { Slots, UpdateBackend } from './port.ts'
import { removeSettings } from './settings-folders.ts'
import { readSlotFile, writeSlotFile } from './slot-file.ts'
import {
  folderOf,
  knownVersion,
  type Places,
  releaseIn,
  removeOthers,
  removeParts,
  versionsFolder,
  wholeVersions,
  writeVersion,
} from './versions.ts'

/** What the launcher says of itself to the version that it starts. */
export interface LaunchedBy extends Places {
  /** The name of the version that runs. */
  readonly running: string
}

/** What a directory backend is made of. */
export interface DirectoryParts extends LaunchedBy {
  /** Where settings lie: those of each version in `settings/<name>`. */
  readonly dataDir: string
  readonly disk?: Disk
  readonly nowMs?: () => number
  /** Ends this run. */
  readonly end?: () => void
}

/** What the environment says of the launcher; undefined: this run was started without one, as from a checkout. */
export const launchedBy = (env: NodeJS.ProcessEnv): LaunchedBy | undefined => {
  const { VEDETTE_SYSTEM: system, VEDETTE_RUNNING: running, VEDETTE_PACKAGED: packaged } = env
  return system && running && packaged && isAbsolute(system) ? { system, running, packaged } : undefined
}

/** Installs beside what runs. */
export const directoryBackend = ({
  system,
  packaged,
  running,
  dataDir,
  disk = realDisk,
  nowMs = Date.now,
  end = () => void process.kill(process.pid, 'SIGTERM'), // the launcher, or systemd, starts what is chosen by then
}: DirectoryParts): UpdateBackend => {
  const places = { system, packaged }
  const queue = new SerialQueue()
  const attempt = <Value>(what: string, act: () => Promise<Value>): Effect.Effect<Value, Fault> =>
    Effect.uninterruptible(
      Effect.tryPromise({ try: () => queue.inTurn(act), catch: (error) => toFault(what, system, error) }),
    )

  /** Whoever interrupts it waits until nothing of it is left. */
  const stoppable = <Value>(what: string, act: (stop: AbortSignal) => Promise<Value>): Effect.Effect<Value, Fault> =>
    Effect.suspend(() => {
      const stop = new AbortController()
      const work = queue.inTurn(() => act(stop.signal))
      const over = Effect.promise(async () => {
        stop.abort(new Error('it was cancelled'))
        await work.catch(() => {})
      })
      const whole = Effect.tryPromise({ try: () => work, catch: (error) => toFault(what, system, error) })
      return Effect.onInterrupt(whole, () => over)
    })

  /** That of the launcher, which wrote it before it started this run. */
  const read = async (): Promise<SlotState> => {
    const state = await readSlotFile(disk, system)
    if (typeof state === 'string') throw new Error(`state.json in ${system} is ${state}; the next start makes it again`)
    return state
  }

  const change = async (next: (state: SlotState) => SlotState): Promise<void> =>
    writeSlotFile(disk, system, next(await read()))

  const slots = async (): Promise<Slots> => {
    const state = await read()
    const known = async (name: string) => knownVersion(disk, name, places)
    const release = await releaseIn(disk, folderOf(running, places))
    return {
      running: (await known(running)) ?? { name: running, version: running, built_at_ms: null },
      other: (await otherOf(state, known)) ?? null,
      isTrial: state.current === running && state.tries !== null && state.give_up === null,
      chosen: chosenOf(state),
      failed: state.failed,
      floor: release?.minimum_version ?? null,
    }
  }

  /** What would be run instead of it: chosen already, gone back to, or left over. */
  const otherOf = async (
    state: SlotState,
    known: (name: string) => Promise<KnownVersion | undefined>,
  ): Promise<KnownVersion | undefined> => {
    const left = (await wholeVersions(disk, system)).toSorted((a, b) => b.built_at_ms - a.built_at_ms)
    const names = [chosenOf(state), state.previous, ...left.map(({ name }) => name)]
    const other = names.find((name) => name !== null && name !== running)
    return other ? known(other) : undefined
  }

  return {
    kind: 'directory',
    unavailable: null,
    slots: attempt('what is installed cannot be read', slots),
    install: (bundle, onProgress) =>
      stoppable('the version could not be installed', async (stop) => {
        const { current, previous } = await read()
        const name = versionName(bundle.manifest.version, bundle.sha256)
        if (name === running) throw runsAlready(bundle.manifest)
        await removeOthers(disk, system, [running, current, previous ?? running, name])
        await refuseFull(disk, system, bundle.manifest)
        try {
          return await writeVersion({ disk, system, stop }, bundle, onProgress)
        } catch (error) {
          await removeParts(disk, versionsFolder(system)).catch(() => {}) // the next start does it again
          throw error
        }
      }),
    activate: (name) =>
      attempt(`${name} cannot be chosen for the next start`, async () => {
        const versions = await wholeVersions(disk, system)
        if (!versions.some((version) => version.name === name)) throw new Error('it is not installed, or not whole')
        if (name === running) throw new Error('it is what runs')
        // what it once had as its settings is older than what is there now: its start makes a copy of that
        await removeSettings(disk, dataDir, name)
        await change((state) => activate(state, name, nowMs()))
      }),
    commit: attempt('that this version stays could not be stored', async () => {
      const state = await read()
      if (state.current !== running) throw new Error(`${state.current} is chosen, and ${running} runs`)
      await writeSlotFile(disk, system, commit(state))
    }),
    goBack: (reason) =>
      // also of one that was chosen and never started
      attempt('the previous version cannot be chosen', () => change((state) => goBack(state, reason))),
    restart: Effect.sync(end),
  }
}

const runsAlready = ({ version }: ReleaseManifest): Fault => ({
  code: 'update.refused',
  detail: `this very build of version ${version} runs already, so there is nothing to install`,
})

const SPARE_BYTES = 64 * 1024 * 1024 // for a copy of the settings, and for the service to go on
const BLOCK_BYTES = 4096

const refuseFull = async (disk: Disk, system: string, { files }: ReleaseManifest): Promise<void> => {
  const needed = files.reduce((sum, { bytes }) => sum + bytes + BLOCK_BYTES, SPARE_BYTES)
  const free = await disk.free(system)
  if (free >= needed) return
  const fault: Fault = {
    code: 'storage.full',
    detail: oneLine`
      the new version takes ${megabytes(needed)} in ${system}, and ${megabytes(free)} are free; delete
      some media and repeat
    `,
  }
  throw fault
}

const toFault = (what: string, system: string, error: unknown): Fault => {
  if (isFault(error)) return error
  const { message } = error as Error
  if (isFullDisk(error)) return { code: 'storage.full', detail: `${what}: no room is left in ${system}: ${message}` }
  return { code: 'device.failed', detail: `${what}: ${message}` }
}
