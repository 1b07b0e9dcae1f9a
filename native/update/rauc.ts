// Installs whole systems with RAUC: two slots, a boot loader that counts the starts of a new one, and our record of
// what has not proved itself (machines/update/rauc-slots.ts, docs/decisions/0288-systems-by-rauc.md).
import { readFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import * as Effect from 'effect/Effect'
import * as Semaphore from 'effect/Semaphore'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import {
  afterMarks,
  chooseBooted,
  goneBack,
  keep,
  type Mark,
  type RaucRecord,
  type RaucSystem,
  type Settled,
  settle,
  slotsOf,
} from '../../machines/update/rauc-slots.ts'
import { PACKAGED, type ReleaseManifest } from '../../machines/update/release.ts'
import { settingsName } from '../../machines/update/settings-name.ts'
import { noSystem, SYSTEM_BASE } from '../../machines/update/system-bundle.ts'
import { toFault } from '../dbus/failure.ts'
import type { DbusConnection, DbusPort } from '../dbus/port.ts'
import { realDisk } from './disk.ts'
import type { OnProgress, UpdateBackend, VerifiedBundle } from './port.ts'
import { installBundle } from './rauc/install.ts'
import { readRecord, writeRecord } from './rauc/record-file.ts'
import { inspect, mark, type RaucStatus, readOfRauc, readPrimary, readSlots } from './rauc/service.ts'
import { removeSystemBundle, unpackSystemBundle } from './rauc/unpack.ts'
import { removeSettings } from './settings-folders.ts'

/** What the backend is made of. */
export interface RaucParts {
  readonly dbus: DbusPort
  /** The folder of the record, and of a bundle while it is installed; both systems share it. */
  readonly system: string
  /** With the settings of each slot, which both systems share as well. */
  readonly dataDir: string
  /** Of this service: shown where RAUC does not know that of the system. */
  readonly version: string
  /** Restarts the device. */
  readonly restart: Effect.Effect<void, Fault>
  /** The run of the system: another one after each start of the device. */
  readonly bootId?: () => Promise<string>
  readonly nowMs?: () => number
  /** How long RAUC may say nothing while it installs before it is asked. */
  readonly silenceMs?: number
}

const bootIdOfLinux = async (): Promise<string> => (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim()

/** What RAUC says, with what only its own slots have. */
interface Seen extends RaucSystem {
  readonly slots: readonly RaucStatus[]
}

/** Installs systems where RAUC does. */
export const raucBackend = (parts: RaucParts): UpdateBackend => {
  const { dbus, system, dataDir, version, restart, bootId = bootIdOfLinux, nowMs = Date.now, silenceMs } = parts

  const look = (connection: DbusConnection) =>
    Effect.gen(function* () {
      const said = yield* Effect.mapError(
        Effect.all({
          slots: readSlots(connection),
          primary: readPrimary(connection),
          operation: readOfRauc(connection, 'Operation'),
        }),
        toFault('RAUC does not say what is in its slots'),
      )
      const seen: Seen = {
        slots: said.slots,
        primary: said.primary,
        isInstalling: said.operation !== 'idle',
        bootId: yield* onDisk('the run of the system is not known', bootId),
        nowMs: nowMs(),
      }
      const booted = seen.slots.find(({ isBooted }) => isBooted)
      if (!booted) return yield* Effect.fail(UNKNOWN_BOOTED)
      return { record: yield* onDisk('', () => readRecord(system)), seen, booted }
    })

  const write = (record: RaucRecord) =>
    onDisk(`what is installed cannot be written down in ${system}`, () => writeRecord(system, record))

  const makeMarks = (connection: DbusConnection, marks: readonly Mark[]) =>
    Effect.mapError(
      Effect.forEach(marks, (each) => mark(connection, each), { discard: true }),
      toFault('RAUC does not choose the slot'),
    )

  const make = (connection: DbusConnection, { before, marks, after }: Settled, found: RaucRecord) =>
    Effect.gen(function* () {
      if (!isDeepStrictEqual(before, found)) yield* write(before)
      yield* makeMarks(connection, marks)
      if (!isDeepStrictEqual(after, before)) yield* write(after)
    })

  const turns = Semaphore.makeUnsafe(1)
  /** One after the other, each with a connection of its own. */
  const withRauc = <Value>(
    use: (connection: DbusConnection) => Effect.Effect<Value, Fault>,
  ): Effect.Effect<Value, Fault> =>
    turns.withPermits(1)(
      Effect.scoped(Effect.flatMap(Effect.mapError(dbus.connect, toFault('RAUC cannot be asked')), use)),
    )

  /** Written and not chosen: the power may go before somebody says that it is to run. */
  const written = (connection: DbusConnection, bundle: VerifiedBundle, onProgress: OnProgress) =>
    Effect.gen(function* () {
      const { manifest } = bundle
      const { record, seen, booted } = yield* look(connection)
      if (seen.isInstalling) yield* Effect.fail(BUSY)
      const target = seen.slots.find(({ isBooted }) => !isBooted)
      if (!target) return yield* Effect.fail(NO_OTHER)
      const bytes = manifest.files.reduce((sum, each) => sum + each.bytes, 0)
      const path = yield* unpackSystemBundle(bundle, system, (done) => onProgress(done, 2 * bytes))
      yield* checkContent(connection, path, manifest)
      const pending = {
        slot: target.name,
        version: manifest.version,
        floor: manifest.minimum_version,
        boot_id: seen.bootId,
        is_chosen: false,
        give_up: null,
      }
      yield* write({ ...record, pending })
      const unchoose = makeMarks(connection, chooseBooted(booted))
      const onPercent = (percent: number) => onProgress(Math.round(bytes * (1 + percent / 100)), 2 * bytes)
      const install = { path, target, onPercent, ...(silenceMs !== undefined && { silenceMs }) }
      yield* Effect.uninterruptibleMask((restore) =>
        Effect.andThen(
          Effect.onError(restore(installBundle(connection, install)), () => Effect.ignore(unchoose)),
          unchoose,
        ),
      )
      return target.name
    })

  return {
    kind: 'rauc',
    unavailable: null,
    slots: withRauc((connection) =>
      Effect.gen(function* () {
        const { record, seen } = yield* look(connection)
        const settled = settle(record, seen)
        yield* make(connection, settled, record)
        return slotsOf(settled.after, afterMarks(seen, settled.marks), version) ?? (yield* Effect.fail(UNKNOWN_BOOTED))
      }),
    ),
    install: (bundle, onProgress) => {
      const no = noSystem(bundle.manifest)
      return no === null
        ? Effect.ensuring(
            withRauc((connection) => written(connection, bundle, onProgress)),
            Effect.promise(() => removeSystemBundle(system).catch(() => {})), // the next install does it again
          )
        : Effect.fail(refused(no))
    },
    activate: (name) =>
      withRauc((connection) =>
        Effect.gen(function* () {
          const { record, seen } = yield* look(connection)
          const { pending } = record
          const target = seen.slots.find((slot) => slot.name === name)
          if (pending?.slot !== name || !target)
            return yield* Effect.fail(failed(`${name} cannot be chosen: it is not what was installed last`))
          yield* onDisk(`the old settings of ${name} cannot be removed`, () =>
            removeSettings(realDisk, dataDir, settingsName(PACKAGED, target.bootname)),
          )
          yield* makeMarks(connection, [{ state: 'active', slot: name }])
          yield* write({ ...record, pending: { ...pending, is_chosen: true } })
        }),
      ),
    commit: withRauc((connection) =>
      Effect.gen(function* () {
        const { record, seen, booted } = yield* look(connection)
        yield* makeMarks(connection, seen.primary === booted.name ? [goodMark(booted)] : chooseBooted(booted))
        yield* write(keep(record, booted))
      }),
    ),
    goBack: (reason) =>
      withRauc((connection) =>
        Effect.gen(function* () {
          const { record, seen } = yield* look(connection)
          const back = goneBack(record, seen, reason)
          if (!back) return yield* Effect.fail(NO_OTHER)
          yield* make(connection, back, record)
        }),
      ),
    restart,
  }
}

const goodMark = ({ name }: RaucStatus): Mark => ({ state: 'good', slot: name })

/** What RAUC finds in the bundle is what the manifest around it says: the rules of versions went by that. */
const checkContent = (
  connection: DbusConnection,
  path: string,
  { version, base }: ReleaseManifest,
): Effect.Effect<void, Fault> =>
  Effect.gen(function* () {
    const found = yield* Effect.mapError(inspect(connection, path), (failure) =>
      failure.kind === 'error'
        ? refused(`RAUC does not take the system in it (${failure.text}). ${NOT_TAKEN}`)
        : toFault('RAUC does not check the bundle')(failure),
    )
    const own = yield* Effect.mapError(readOfRauc(connection, 'Compatible'), toFault('RAUC does not say what it is'))
    if (found.compatible !== own)
      yield* Effect.fail(refused(`its system is made for ${found.compatible}, and this device is ${own}`))
    if (base !== `${SYSTEM_BASE}${own}`)
      yield* Effect.fail(refused(`its base is ${base}, and that of this device is ${SYSTEM_BASE}${own}`))
    if (found.version !== version)
      yield* Effect.fail(refused(`it says to be ${version}, and the system in it says to be ${found.version}`))
  })

const onDisk = <Value>(what: string, act: () => Promise<Value>): Effect.Effect<Value, Fault> =>
  Effect.uninterruptible(
    Effect.tryPromise({
      try: act,
      catch: (error): Fault => (isFault(error) ? error : failed(`${what}: ${(error as Error).message}`)),
    }),
  )

const failed = (detail: string): Fault => ({ code: 'device.failed', detail })

const refused = (detail: string): Fault => ({ code: 'update.refused', detail: `the bundle is refused: ${detail}` })

/** All that RAUC 1.8 says of it is `rauc info error`. */
const NOT_TAKEN = oneLine`
  It was damaged or cut short before it was packed, or the keyring of this device does not hold the key that signed it;
  the journal of RAUC says which
`

const UNKNOWN_BOOTED = failed(oneLine`
  RAUC does not know from which of its slots the system was started; its system.conf needs two slots with a bootname,
  and the kernel's command line one of these names as rauc.slot=
`)

const NO_OTHER = failed('RAUC knows no other slot than the one that runs: system.conf needs two with a bootname')

const BUSY = failed('RAUC is installing something already; wait until it has ended, and apply the update again')
