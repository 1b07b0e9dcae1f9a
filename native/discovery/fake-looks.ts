// Looks at strangers that reach nobody: what is where is said by whoever holds the fake in his hand.
import type { BaseUrl } from '../../machines/discovery/base-url.ts'
import type { Seen } from '../../machines/discovery/probed.ts'
import type { PeerLooks } from './port.ts'

export class FakeLooks implements PeerLooks {
  /** What is at an origin; nobody at all others. */
  readonly there = new Map<string, Seen>()
  /** Each look, in order. */
  readonly looks: BaseUrl[] = []

  readonly probe: PeerLooks['probe'] = async (at, refusal) => {
    this.looks.push(at)
    return refusal(at.host) ?? this.there.get(at.origin) ?? nobodyAt(at)
  }
}

const nobodyAt = ({ origin }: BaseUrl): Seen => ({
  ...{ kind: null, hello: null, fingerprint: null },
  fault: { code: 'peer.unreachable', detail: `nothing answers at ${origin}` },
})
