// Looking at other devices.
import type { BaseUrl } from '../../machines/discovery/base-url.ts'
import type { Seen } from '../../machines/discovery/probed.ts'
import type { VisionSeen } from '../../machines/discovery/vision-streams.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import { token } from '../../machines/token.ts'
import type { Refusal } from '../names/judged.ts'

export interface PeerLooks {
  /**
   * What is at an address: looked up once, connected to within 1.5 s, 3 s and 64 KiB in all. It follows no redirect and sends no credentials.
   *
   * Why it may not be looked at, or that too many looks are under way (`service.busy`), is a fault; that nobody answers is found.
   */
  readonly probe: (at: BaseUrl, refusal: Refusal) => Promise<Seen | Fault>
  /** What the other vision product serves, whose page is at this address: 4 s and 2 MiB in all. Fails as `probe` does. */
  readonly visionStreams: (at: BaseUrl, refusal: Refusal) => Promise<VisionSeen | Fault>
}

/** Looks at strangers. */
export const PEER_LOOKS = token<PeerLooks>('peer-looks')
