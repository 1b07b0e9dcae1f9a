// What becomes of pairings that were confirmed here when one of the two devices was gone before both had entered the
// other: the one that was called is asked, until it says whether it has entered this one.
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import type { OnBug } from '../../machines/listeners.ts'
import { type Agreement, agreementCollection, runOf } from '../../machines/pairing/agreement.ts'
import { FOLLOW_PATH, type FollowedState, followedIn, type PairingFollow } from '../../machines/pairing/messages.ts'
import { otherConcludesAt } from '../../machines/pairing/pairing-faults.ts'
import { documentOf, documentsOf } from '../../machines/settings/store.ts'
import { type PairingParts, type StoreParts, say, stored } from './pairing-actor.ts'

/** What agreements are concluded with. */
export interface ConcludeParts extends StoreParts, Pick<PairingParts, 'wire' | 'record'> {
  /** Whether a run is being followed just now, by pairing itself. */
  readonly isRunning: (pairing_id: string) => boolean
  readonly onBug: OnBug
  /** For tests. */
  readonly everyMs?: number
}

const EVERY_MS = 5_000 // within the silence that a device bears which is still being paired

/** Asks for ever: a device may be switched off for a week. A bug with one of them ends nothing. */
export const concludeAgreements = (parts: ConcludeParts): Effect.Effect<never> => {
  const { settings, isRunning, onBug, everyMs = EVERY_MS } = parts
  const news = new News(parts.record)
  const kept = <Failure>(program: Effect.Effect<void, Failure>) =>
    Effect.catchDefect(Effect.ignore(program), (bug) => Effect.sync(() => onBug(bug)))
  const all = Effect.suspend(() => {
    const agreements = Object.entries(documentsOf(settings, agreementCollection))
    news.keepOf(new Set(agreements.map(([, { value }]) => value.pairing_id)))
    return Effect.forEach(
      agreements.filter(([, { value }]) => !isRunning(value.pairing_id)),
      ([id, { value }]) => kept(conclude({ ...parts, record: news.recorderFor(value) }, id, value)),
      { discard: true },
    )
  })
  return Effect.forever(Effect.andThen(kept(all), Effect.sleep(everyMs)))
}

/** What is in the way of a pairing is news once, however often it is asked for. */
class News {
  readonly #record: (fault: Fault) => void
  readonly #recorded = new Map<string, Set<string>>()

  constructor(record: (fault: Fault) => void) {
    this.#record = record
  }

  /** All other pairings are forgotten. */
  keepOf(pairing_ids: ReadonlySet<string>): void {
    for (const id of this.#recorded.keys()) if (!pairing_ids.has(id)) this.#recorded.delete(id)
  }

  recorderFor({ pairing_id }: Agreement): (fault: Fault) => void {
    return (fault) => {
      const codes = this.#recorded.get(pairing_id) ?? new Set()
      if (!codes.has(fault.code)) this.#record(fault)
      this.#recorded.set(pairing_id, codes.add(fault.code))
    }
  }
}

const conclude = (parts: ConcludeParts, id: string, agreement: Agreement): Effect.Effect<void, Fault> =>
  Effect.gen(function* () {
    const state = yield* stateThere(parts, agreement)
    if (state === 'done') yield* Effect.tapError(stored(parts, runOf(agreement)), (fault) => recorded(parts, fault))
    else if (state === 'failed' && isStill(parts, id, agreement)) yield* parts.agreements.drop(id)
  })

/** The same two devices may have been paired once more while the other was asked. */
const isStill = ({ settings }: Pick<ConcludeParts, 'settings'>, id: string, { pairing_id }: Agreement): boolean =>
  documentOf(settings, agreementCollection, id)?.value.pairing_id === pairing_id

const recorded = ({ record }: Pick<ConcludeParts, 'record'>, fault: Fault) =>
  Effect.sync(() => record({ resource: 'pairing', ...fault }))

/** Another device at its address, and one that knows of no such run, have not entered this one and will not. */
const stateThere = ({ wire, record }: ConcludeParts, { pairing_id, base_url, other }: Agreement) => {
  const body: PairingFollow = { pairing_id, confirmed: true }
  const target = { origin: base_url, fingerprint: other.fingerprint, token: null }
  const parts = { wire, record: () => record({ resource: 'pairing', ...otherConcludesAt(base_url) }) }
  return say(parts, target, FOLLOW_PATH, body, followedIn).pipe(
    Effect.map(({ state }): FollowedState => state),
    Effect.catch((fault: Fault) =>
      fault.context?.code === 'pairing.no_run' ? Effect.succeed<FollowedState>('failed') : Effect.fail(fault),
    ),
  )
}
