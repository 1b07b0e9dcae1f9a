// The way to a peer, for those who pass something on to it.
import type { Agreement } from '../../machines/interdevice/hello.ts'
import type { Inventory } from '../../machines/interdevice/inventory.ts'
import type { PeerHealth } from '../../machines/peers/peer-health.ts'
import type { PeerTarget } from '../../native/peers/port.ts'

/** What it takes to ask a peer for something. */
export interface PeerAccess {
  readonly target: PeerTarget
  readonly agreement: Agreement
  /** What it had when it was read; null: that has not happened yet. */
  readonly inventory: Inventory | null
  /** How the link is. */
  readonly state: PeerHealth['status']
}
