// Probes that reach nobody: a test says what is found at which address.
import type { BaseUrl } from '../../machines/discovery/base-url.ts'
import type { ProbeFinding } from '../../machines/discovery/probe-result.ts'
import type { VisionSeen } from '../../machines/discovery/vision-streams.ts'
import type { PeerLooks } from './port.ts'

export class FakeLooks implements PeerLooks {
  /** What is at an origin; nobody at all others. */
  readonly there = new Map<string, ProbeFinding>()
  /** What the other vision product serves at an origin. */
  readonly visions = new Map<string, VisionSeen>()
  /** Each look, in order. */
  readonly looks: BaseUrl[] = []

  readonly probe: PeerLooks['probe'] = async (at, refusal) => {
    this.looks.push(at)
    return refusal(at.host) ?? this.there.get(at.origin) ?? nobodyAt(at)
  }

  readonly visionStreams: PeerLooks['visionStreams'] = async (at, refusal) => {
    this.looks.push(at)
    return refusal(at.host) ?? this.visions.get(at.origin) ?? { ...NO_VISION, fault: nobodyAt(at).fault }
  }
}

const NO_VISION = {
  is_extvision: false,
  product_version: null,
  hostname: null,
  method: null,
  streams: [],
} satisfies Omit<VisionSeen, 'fault'>

const nobodyAt = ({ origin }: BaseUrl): ProbeFinding => ({
  kind: null,
  hello: null,
  fingerprint: null,
  fault: { code: 'peer.unreachable', detail: `nothing answers at ${origin}` },
})
