// Announces this device over DNS-SD, and listens for others.
import * as Effect from 'effect/Effect'
import type { Announced, Received } from '../../machines/discovery/announcement.ts'
import {
  type DnsSdActions,
  type DnsSdEffects,
  dnsSdMachine,
  type Survey,
} from '../../machines/discovery/dns-sd-machine.ts'
import type { DnsSd, DnsSdPort } from '../../native/discovery/port.ts'
import type { RecordFault } from '../errors/error-keeper-actor.ts'
import { fromEffect, fromScoped } from '../run.ts'
import type { PeerCandidates } from './peer-candidates.ts'

/** What the announcement of this device works with. */
export interface DnsSdParts {
  readonly port: DnsSdPort
  readonly candidates: Pick<PeerCandidates, 'heard' | 'gone' | 'nextRound' | 'deaf'>
  /** Whether the service listens at an address. */
  readonly isServedAt: (address: string) => boolean
  /** What is said of this device now; null: nothing. */
  readonly announced: () => Announced | null
  readonly record: RecordFault
}

/** Takes `peers.ask`. */
export const dnsSdActor = ({ port, candidates, isServedAt, announced, record }: DnsSdParts) => {
  let open: DnsSd | undefined
  let told: string | undefined
  return dnsSdMachine.provide({
    actors: {
      survey: fromEffect(() =>
        Effect.map(
          port.addresses,
          (addresses): Survey => ({ addresses: addresses.filter(isServedAt), announced: announced() }),
        ),
      ),
      browse: fromScoped<never, Survey>((survey, { guard }) =>
        Effect.gen(function* () {
          yield* Effect.addFinalizer(() =>
            Effect.sync(() => {
              open = undefined
            }),
          )
          const listener = {
            heard: guard((received: Received) => candidates.heard(received)),
            gone: guard((received: Received) => candidates.gone(received)),
          }
          open = yield* port.open(survey.addresses, survey.announced, listener)
          told = undefined
          return yield* open.failed
        }),
      ),
    } satisfies Required<DnsSdEffects>,
    actions: {
      askAround: () => open?.ask(),
      forgetSilent: () => candidates.nextRound(),
      forgetAll: () => candidates.deaf(),
      reportFailed: (_, reason) => {
        // once, not each time that it is tried again
        if (reason !== told) record({ code: 'discovery.failed', detail: reason, resource: 'dns-sd' })
        told = reason
      },
    } satisfies Required<DnsSdActions>,
  })
}
