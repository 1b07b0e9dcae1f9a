// A peer for as long as it is registered: what it has said of itself, through all incarnations of its link.
import type { HeardHello } from '../../machines/interdevice/hello.ts'
import type { Inventory } from '../../machines/interdevice/inventory.ts'
import { peerHealth, peerInventory } from '../../machines/peers/events.ts'
import type { Greeted } from '../../machines/peers/greeting.ts'
import type { StoredPeer } from '../../machines/peers/peer.ts'
import type { PeerHealth } from '../../machines/peers/peer-health.ts'
import type { PeerAim } from '../../machines/peers/peer-link-machine.ts'
import {
  NOTHING_KNOWN,
  type PeerKnowledge,
  type PeerParts,
  type PeerRecord,
  type PeerStream,
  peerHealthOf,
  peerRecord,
  peerStreams,
} from '../../machines/peers/peer-record.ts'
import type { StoredValue } from '../../machines/settings/store.ts'
import type { ChildSnapshot, ChildStatus } from '../../machines/supervision/child.ts'
import type { EventBus } from '../events/event-bus.ts'

/** tokenOf: the token that a peer gave to this device. */
export interface PeerRuntimeParts {
  readonly events: Pick<EventBus, 'publish'>
  readonly nowMs: () => number
  readonly tokenOf: (id: string) => string | null
}

/** The link as its supervisor knows it. */
interface LinkChild {
  readonly status: () => ChildStatus | undefined
  readonly snapshot: () => ChildSnapshot | undefined
}

/** States that pass by themselves within a moment: nobody is told of them. */
const PASSING: ReadonlySet<string> = new Set(['starting', 'dialling', 'greeting', 'synchronising'])

export class PeerRuntime {
  readonly id: string
  stored: StoredValue<StoredPeer>
  known: PeerKnowledge = NOTHING_KNOWN
  child: LinkChild | undefined
  readonly #parts: PeerRuntimeParts
  #told: PeerHealth | undefined

  constructor(id: string, stored: StoredValue<StoredPeer>, parts: PeerRuntimeParts) {
    this.id = id
    this.stored = stored
    this.#parts = parts
  }

  /** Where it is, and by what it is known. */
  get aim(): PeerAim {
    const { base_url, fingerprint = null, token_version } = this.stored.value
    return { origin: base_url, fingerprint, token: token_version > 0 ? this.#parts.tokenOf(this.id) : null }
  }

  health(): PeerHealth {
    return peerHealthOf(this.#view())
  }

  record(): PeerRecord {
    return peerRecord(this.#view())
  }

  streams(): readonly PeerStream[] {
    return peerStreams(this.#view())
  }

  /** It has greeted. */
  greeted(greeted: Greeted): void {
    const isNative = greeted.kind === 'native'
    const hello: HeardHello | null = isNative ? greeted.hello : null
    this.known = { ...this.known, hello, agreement: isNative ? greeted.agreement : null, isLegacy: !isNative }
    this.heard()
  }

  /** A sign of life. roundTripMs: of one that was asked for. */
  heard(roundTripMs = this.known.roundTripMs): void {
    this.known = { ...this.known, lastSeenMs: this.#parts.nowMs(), roundTripMs }
  }

  /** The newest of its events that was heard. */
  noteEvent(epoch: string, seq: number): void {
    this.known = { ...this.known, event: { epoch, seq } }
  }

  /** What it has was read. */
  learned(inventory: Inventory): void {
    this.known = { ...this.known, inventory, syncedAtMs: this.#parts.nowMs() }
    const { epoch, seq } = inventory
    this.#parts.events.publish(peerInventory, { resource_ref: { peer_id: this.id }, data: { epoch, seq } })
  }

  /** Another device is meant from now on. */
  forget(): void {
    this.known = NOTHING_KNOWN
  }

  /** Something has changed from which its health follows; everybody is told of what lasts. */
  observe(): void {
    const health = this.health()
    if (PASSING.has(health.status)) return
    if (this.#told?.status === health.status && this.#told.fault?.code === health.fault?.code) return
    this.#told = health
    this.#parts.events.publish(peerHealth, { resource_ref: { peer_id: this.id }, data: health })
  }

  #view(): PeerParts {
    const { id, stored, known, child } = this
    return { id, stored, known, child: child?.status(), snapshot: child?.snapshot() }
  }
}
