// Finding other devices, and looking at them.
import type * as Effect from 'effect/Effect'
import type * as Scope from 'effect/Scope'
import type { Announced, Received } from '../../machines/discovery/announcement.ts'
import type { BaseUrl } from '../../machines/discovery/base-url.ts'
import type { ProbeFinding } from '../../machines/discovery/probe-result.ts'
import type { VisionSeen } from '../../machines/discovery/vision-streams.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import { token } from '../../machines/token.ts'
import type { Refusal } from '../names/allowed-addresses.ts'

export interface PeerLooks {
  /**
   * What is at an address: looked up once, connected to within 1.5 s, 3 s and 64 KiB in all. It follows no redirect and
   * sends no credentials.
   *
   * Why it may not be looked at, or that too many looks are under way (`service.busy`), is a fault; that nobody answers
   * is found.
   */
  readonly probe: (at: BaseUrl, refusal: Refusal) => Promise<ProbeFinding | Fault>
  /**
   * What the other vision product serves, whose page is at this address: 4 s and 2 MiB in all. Fails as `probe` does.
   */
  readonly visionStreams: (at: BaseUrl, refusal: Refusal) => Promise<VisionSeen | Fault>
}

/** Looks at strangers. */
export const PEER_LOOKS = token<PeerLooks>('peer-looks')

/** Being found and finding others by DNS-SD, while it is open. */
export interface DnsSd {
  /** Asks who is there; who is answers `heard`. At most once a second. */
  readonly ask: () => void
  /** Never succeeds: how it came to its end by itself. */
  readonly failed: Effect.Effect<never, Fault>
}

/** Told of others. What a device says of itself is passed on as it came; gone: it says that it goes. */
export interface DnsSdListener {
  readonly heard: (received: Received) => void
  readonly gone: (received: Received) => void
}

export interface DnsSdPort {
  /** The addresses of this device in networks, IPv4, in order. Fails with `discovery.failed`. */
  readonly addresses: Effect.Effect<readonly string[], Fault>
  /**
   * Announces a service on all networks of these addresses, and listens who else does; ends with the scope, and says
   * goodbye. announced null: it only listens.
   *
   * Fails with `discovery.failed`. The listener must not throw.
   */
  readonly open: (
    addresses: readonly string[],
    announced: Announced | null,
    listener: DnsSdListener,
  ) => Effect.Effect<DnsSd, Fault, Scope.Scope>
}

/** DNS-SD on this device. */
export const DNS_SD = token<DnsSdPort>('dns-sd')
