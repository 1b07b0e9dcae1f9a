// Looks at addresses on request.
import * as Effect from 'effect/Effect'
import {
  type PeerScanActions,
  type PeerScanEffects,
  peerScanMachine,
  type ScanResult,
  type ScanTarget,
} from '../../machines/discovery/peer-scan-machine.ts'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { isPrivateAddress } from '../../machines/http/access.ts'
import type { PeerLooks } from '../../native/discovery/port.ts'
import type { Directory } from '../directory.ts'
import { fromEffect } from '../run.ts'
import type { PeerCandidates } from './peer-candidates.ts'

export interface PeerScanParts {
  readonly looks: PeerLooks
  readonly candidates: Pick<PeerCandidates, 'seen'>
  readonly actor: Directory['actor']
}

const AT_ONCE = 4 // half of the looks that are taken at a time: people look at addresses too

/** Takes `peers.discover`. */
export const peerScanActor = (parts: PeerScanParts) =>
  peerScanMachine.provide({
    actors: {
      lookAtAll: fromEffect(
        (targets: readonly ScanTarget[]): Effect.Effect<readonly ScanResult[]> =>
          Effect.forEach(targets, (target) => lookAt(parts, target), { concurrency: AT_ONCE }),
      ),
    } satisfies Required<PeerScanEffects>,
    actions: {
      askAround: () => parts.actor('dns-sd')?.send({ type: 'peers.ask' }),
    } satisfies Required<PeerScanActions>,
  })

const lookAt = ({ looks, candidates }: PeerScanParts, { at, mayLeave }: ScanTarget): Effect.Effect<ScanResult> =>
  Effect.map(
    Effect.promise(() => looks.probe(at, (address) => (mayLeave ? undefined : refusalOf(address)))),
    (seen): ScanResult => {
      if (isFault(seen)) return { base_url: at.origin, kind: null, fault: seen }
      candidates.seen(at, seen)
      return { base_url: at.origin, kind: seen.kind, fault: seen.fault }
    },
  )

const refusalOf = (address: string): Fault | undefined =>
  isPrivateAddress(address)
    ? undefined
    : {
        code: 'token.required',
        detail: `${address} lies outside of private networks; only an administrator may have it looked at`,
      }
