// What becomes of pairings that were confirmed here when one of the two devices was gone before both had entered the
// other: the one that was called is asked, until it says whether it has entered this one.
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import { type Agreement, agreementCollection, runOf } from '../../machines/pairing/agreement.ts'
import { FOLLOW_PATH, type FollowedState, followedIn, type PairingFollow } from '../../machines/pairing/messages.ts'
import { documentsOf } from '../../machines/settings/store.ts'
import { type PairingParts, type StoreParts, say, stored } from './pairing-actor.ts'

/** What agreements are concluded with. */
export interface ConcludeParts extends StoreParts, Pick<PairingParts, 'wire' | 'record'> {
  /** Whether a run is being followed just now, by pairing itself. */
  readonly isRunning: (pairing_id: string) => boolean
  /** For tests. */
  readonly everyMs?: number
}

const EVERY_MS = 5_000 // within the silence that a device bears which is still being paired

/** Asks for ever: a device may be switched off for a week. */
export const concludeAgreements = (parts: ConcludeParts): Effect.Effect<never> => {
  const all = Effect.suspend(() =>
    Effect.forEach(
      Object.entries(documentsOf(parts.settings, agreementCollection)).filter(
        ([, { value }]) => !parts.isRunning(value.pairing_id),
      ),
      ([id, { value }]) => Effect.ignore(conclude(parts, id, value)),
      { discard: true },
    ),
  )
  return Effect.forever(Effect.andThen(all, Effect.sleep(parts.everyMs ?? EVERY_MS)))
}

const conclude = (parts: ConcludeParts, id: string, agreement: Agreement): Effect.Effect<void, Fault> =>
  Effect.gen(function* () {
    const state = yield* stateThere(parts, agreement)
    if (state === 'done') yield* Effect.tapError(stored(parts, runOf(agreement)), (fault) => recorded(parts, fault))
    else if (state === 'failed') yield* parts.agreements.drop(id)
  })

const recorded = ({ record }: Pick<ConcludeParts, 'record'>, fault: Fault) =>
  Effect.sync(() => record({ resource: 'pairing', ...fault }))

/** Another device at its address, and one that knows of no such run, have not entered this one and will not. */
const stateThere = (parts: ConcludeParts, { pairing_id, base_url, other }: Agreement) => {
  const body: PairingFollow = { pairing_id, confirmed: true }
  const target = { origin: base_url, fingerprint: other.fingerprint, token: null }
  return say(parts, target, FOLLOW_PATH, body, followedIn).pipe(
    Effect.map(({ state }): FollowedState => state),
    Effect.catch((fault: Fault) =>
      fault.context?.code === 'pairing.no_run' ? Effect.succeed<FollowedState>('failed') : Effect.fail(fault),
    ),
  )
}
