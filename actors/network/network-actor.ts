// The networks of the device with their effects: on the port, the record on the disk, and the job of a change.
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import type { Latest } from '../../machines/latest.ts'
import { changeFlaws, DEFAULT_CONFIRM_S, type NetworkChange } from '../../machines/network/change.ts'
import { changedInterfaces, type NetworkReading, withoutAddress } from '../../machines/network/interface.ts'
import {
  type NetworkActions,
  type NetworkEffects,
  type NetworkEvent,
  networkMachine,
  type RestoredChange,
} from '../../machines/network/network-machine.ts'
import {
  type ChangeNews,
  type ChangeRecord,
  type DatedNews,
  refusalOfConfirmation,
} from '../../machines/network/record.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import type { NetworkPort, NetworkRecords } from '../../native/network/port.ts'
import { fromEffect, fromScoped } from '../run.ts'

/** What it works with. */
export interface NetworkParts {
  readonly port: NetworkPort
  readonly records: NetworkRecords
  /** Where a change stands. */
  readonly news: Latest<DatedNews>
  /** Starts the job of a change, and gives its id. */
  readonly startJob: (change: NetworkChange) => Effect.Effect<string, Fault>
  /** Tells which interfaces are different. */
  readonly tell: (interfaces: readonly string[]) => void
  readonly monotonicUs: () => number
}

const US_IN_MS = 1_000
const SETTLES_MS = 300 // one change of an address makes five lines of the kernel
const MISSING_AFTER_MS = 15_000 // who gives addresses takes some seconds

const CUT_OFF = 'the service ended before it was in force'
const WAS_AWAY = 'the service was not there to be told that it is good'

/** Takes `network.change`, which is done when it is on the disk, and `network.confirm`. */
export const networkActor = ({ port, records, news, startJob, tell, monotonicUs }: NetworkParts) => {
  let untilUs: number | null = null
  const show = (step: ChangeNews) => {
    if (step.step === 'ended' || step.step === 'undoing') untilUs = null
    // a change of an earlier run is seen when it waits
    else if (step.step === 'applying' || (step.step === 'waiting' && untilUs === null))
      untilUs = monotonicUs() + step.limitMs * US_IN_MS
    news.set({ ...step, untilUs })
    tell([step.record.change.interface])
  }
  return networkMachine.provide({
    actors: {
      watch: fromScoped<never, void, NetworkEvent>((_, { send }) => watchNetwork({ port, tell, monotonicUs }, send)),
      restore: fromEffect(() => restore({ port, records })),
      check: fromEffect(({ change }) => check(port, change)),
      order: fromEffect(({ change, over }) =>
        Effect.gen(function* () {
          const prepared = yield* port.prepare(change)
          const record: ChangeRecord = {
            job_id: yield* startJob(change),
            change,
            prepared,
            phase: 'ordered',
            checkpoint: null,
            ordered_over: over,
            outcome: null,
          }
          yield* Effect.tapError(records.save(record), ({ detail }) =>
            Effect.sync(() => show(notOrdered(record, detail))),
          )
          return record
        }),
      ),
      apply: fromEffect(({ record }) =>
        Effect.gen(function* () {
          const { change, prepared } = record
          const checkpoint = yield* port.apply(change, prepared, change.confirm_within_s ?? DEFAULT_CONFIRM_S)
          yield* records.save({ ...record, phase: 'waiting', checkpoint })
          return checkpoint
        }),
      ),
      watchKeeper: fromEffect(({ record }) => port.whenGone(record)),
      judge: fromEffect(({ record, over }) =>
        Effect.flatMap(port.read, ({ interfaces }) => {
          const own = interfaces.find(({ name }) => name === record.change.interface)
          const refusal = refusalOfConfirmation(record, over, own?.addresses.map(({ address }) => address) ?? [])
          return refusal ? Effect.fail(refusal) : Effect.void
        }),
      ),
      keep: fromEffect(({ record }) =>
        Effect.gen(function* () {
          yield* records.save({ ...record, phase: 'confirmed' })
          yield* port.keep(record)
          // what it was before may be gone by now; the next run keeps what it finds confirmed
          yield* Effect.ignore(
            records.save({ ...record, phase: 'ended', outcome: { kept: true, reason: 'it was confirmed' } }),
          )
        }),
      ),
      undo: fromEffect(({ record }) => Effect.andThen(port.undo(record), records.save({ ...record, phase: 'ended' }))),
    } satisfies Required<NetworkEffects>,
    actions: { show: (_, step) => show(step) } satisfies Required<NetworkActions>,
  })
}

/** Its job was started before it could be written down: that ends with this. */
const notOrdered = (record: ChangeRecord, reason: string): ChangeNews => ({
  record: { ...record, phase: 'ended', outcome: { kept: false, reason } },
  step: 'ended',
  limitMs: 0,
})

/** The flaws of a change, and whether its address is free. */
const check = (port: NetworkPort, change: NetworkChange): Effect.Effect<void, Fault> =>
  Effect.gen(function* () {
    const reading = yield* port.read
    if (reading.refusal !== null) return yield* Effect.fail<Fault>({ code: 'device.failed', detail: reading.refusal })
    const flaws = changeFlaws(change, reading)
    if (flaws.length > 0) return yield* Effect.fail(bodyFault(flaws))
    const own = reading.interfaces.find(({ name }) => name === change.interface)
    if (change.method !== 'static' || change.address === undefined || own?.carrier !== true) return
    if (own.addresses.some(({ address }) => address === change.address)) return
    const owner = yield* port.askWhoHas(change.interface, change.address)
    if (owner === null) return
    const message = `is ${change.address}, which another device in this network has (${owner})`
    return yield* Effect.fail(bodyFault([{ pointer: '/address', message }]))
  })

const bodyFault = (errors: NonNullable<Fault['errors']>): Fault => ({
  code: 'body.invalid',
  detail: `the body does not fit: ${errors.map(({ pointer, message }) => `${pointer} ${message}`).join('; ')}`,
  errors,
})

/** What to do about a change that an earlier run left behind. */
const restore = ({ port, records }: Pick<NetworkParts, 'port' | 'records'>): Effect.Effect<RestoredChange, Fault> =>
  Effect.gen(function* () {
    const record = yield* records.load
    const next = (what: RestoredChange['next'], reason: string, remainingMs = 0) => ({
      record,
      next: what,
      remainingMs,
      reason,
    })
    if (!record || record.phase === 'ended') return next('nothing', '')
    if (record.phase === 'confirmed') return next('keep', 'it was confirmed')
    if (record.phase === 'ordered') return next('undo', CUT_OFF)
    const remainingMs = yield* port.remainingMs(record)
    return remainingMs === null ? next('undo', WAS_AWAY) : next('wait', '', remainingMs)
  })

/** Reads whenever something may be different, and tells what is. */
const watchNetwork = (
  { port, tell, monotonicUs }: Pick<NetworkParts, 'port' | 'tell' | 'monotonicUs'>,
  send: (event: NetworkEvent) => void,
) =>
  Effect.gen(function* () {
    let stirred = Promise.withResolvers<void>()
    yield* port.watch(() => stirred.resolve())
    let known: NetworkReading | null = null
    let missing = ''
    let sinceUs = 0
    while (true) {
      stirred = Promise.withResolvers()
      const now = yield* Effect.orElseSucceed(port.read, () => null)
      if (now && known) {
        const different = changedInterfaces(known, now)
        if (different.length > 0) tell(different)
      }
      known = now ?? known
      const without = known ? withoutAddress(known) : []
      const text = without.join('; ')
      if (text !== missing) sinceUs = monotonicUs()
      missing = text
      const leftMs = text === '' ? 0 : MISSING_AFTER_MS - (monotonicUs() - sinceUs) / US_IN_MS
      if (leftMs <= 0) send({ type: 'network.seen', missing: text === '' ? null : faultText(without) })
      const { promise } = stirred
      const again = Effect.promise(() => promise)
      yield* leftMs > 0 ? Effect.timeoutOption(again, leftMs) : again
      yield* Effect.sleep(SETTLES_MS)
    }
  })

const faultText = (missing: readonly string[]): string =>
  oneLine`
    ${missing.join('; ')}. Look at the cable, and at the settings on the page Device, Network
  `
