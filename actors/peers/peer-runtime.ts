// A peer for as long as it is registered: what it has said of itself, through all incarnations of its link.
import type { Inventory } from '../../machines/interdevice/inventory.ts'
import { exchanged, type InventoryPart } from '../../machines/interdevice/inventory-part.ts'
import { OutdatedParts } from '../../machines/interdevice/outdated-parts.ts'
import { TokenBucket } from '../../machines/limits/token-bucket.ts'
import type { OnBug } from '../../machines/listeners.ts'
import { peerHealth, peerInventory } from '../../machines/peers/events.ts'
import type { Greeted } from '../../machines/peers/greeting.ts'
import type { StoredPeer } from '../../machines/peers/peer.ts'
import { isSamePlace, type PeerAddress } from '../../machines/peers/peer-address.ts'
import type { PeerHealth } from '../../machines/peers/peer-health.ts'
import {
  NOTHING_KNOWN,
  type PeerKnowledge,
  type PeerParts,
  type PeerRecord,
  type PeerStream,
  peerHealthOf,
  peerRecord,
  peerStreams,
  type WorkedOnHere,
} from '../../machines/peers/peer-record.ts'
import type { StoredValue } from '../../machines/settings/store.ts'
import type { ChildSnapshot, ChildStatus } from '../../machines/supervision/child.ts'
import type { EventBus } from '../events/event-bus.ts'
import { PeerClock } from './peer-clock.ts'

/** What a link to a peer works with. */
export interface PeerRuntimeParts {
  /** Whether the pictures of a stream of a peer are worked on here. */
  readonly here: (peer_id: string, stream_id: string) => WorkedOnHere | undefined
  readonly events: Pick<EventBus, 'publish'>
  readonly nowMs: () => number
  /** CLOCK_MONOTONIC of this device. */
  readonly monotonicUs: () => number
  readonly onBug?: OnBug
  /** The token of that number that a peer gave to this device. */
  readonly tokenOf: (id: string, version: number) => string | null
}

/** What a device has answered while it was being registered. */
export interface EarlyGreeting {
  /** The address at which it was asked. */
  readonly address: PeerAddress
  readonly greeted: Greeted
  /** Unix time. */
  readonly atMs: number
}

/** What it answered is in force for so long; after that it is asked again. */
const EARLY_MS = 5_000

/** The link as its supervisor knows it. */
interface LinkChild {
  readonly status: () => ChildStatus | undefined
  readonly snapshot: () => ChildSnapshot | undefined
}

/** States that pass by themselves within a moment: no event tells of them. */
const PASSING: ReadonlySet<string> = new Set(['starting', 'dialling', 'greeting', 'synchronising'])

// A busy device tells some tens of events a second, and one that was away for a moment all that its ring has, which are
// 4,096. An event costs as many as it has KiB. What is beyond the second is told here once for each thing that it is
// about.
const HEARING = { capacity: 8_192, perSecond: 400 }
const TELLING = { capacity: 256, perSecond: 200 }
const READING = { capacity: 100, perSecond: 10 } // a connection each, of some 3 ms

export class PeerRuntime {
  readonly id: string
  stored: StoredValue<StoredPeer>
  known: PeerKnowledge = NOTHING_KNOWN
  child: LinkChild | undefined
  /** Where its clock stands. */
  readonly clock: PeerClock
  /** What of it may be another by now. */
  readonly outdated = new OutdatedParts()
  /**
   * How much it may tell, how much of that is told here one by one, and how often it is read for it. They outlast its
   * links, or a new one would begin afresh.
   */
  readonly #buckets = {
    hear: new TokenBucket(HEARING),
    tell: new TokenBucket(TELLING),
    read: new TokenBucket(READING),
  }
  readonly #parts: PeerRuntimeParts
  #told: PeerHealth | undefined
  #claimed: string | null = null
  #early: EarlyGreeting | null = null
  #news: EarlyGreeting | null = null

  constructor(id: string, stored: StoredValue<StoredPeer>, parts: PeerRuntimeParts) {
    this.id = id
    this.stored = stored
    this.#parts = parts
    this.clock = new PeerClock(parts.monotonicUs, parts.onBug)
  }

  /** Where it is, and by what it is known. */
  get address(): PeerAddress {
    const { base_url, fingerprint = null, token_version } = this.stored.value
    const token = token_version > 0 ? this.#parts.tokenOf(this.id, token_version) : null
    return { origin: base_url, fingerprint, token }
  }

  /** An address with the token that is in force now: while a link looks for its device, that may become readable. */
  present(address: PeerAddress): PeerAddress {
    return isSamePlace(address, this.address) ? this.address : address
  }

  /** Which device it is: as it is stored, or as it has greeted where that could not be stored. null: unknown. */
  get deviceId(): string | null {
    return this.stored.value.device_id ?? this.#claimed
  }

  /** It has turned out to be this device. */
  claim(device_id: string): void {
    this.#claimed = device_id
  }

  /** What it answered while it was being registered, until its link has taken that up. */
  get news(): EarlyGreeting | null {
    return this.#news
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

  /** It has greeted its link. */
  greeted(greeted: Greeted): void {
    this.#note(greeted, this.#parts.nowMs())
  }

  /**
   * It has greeted while it was being registered. That a device which was met before is of another kind now is for its
   * link to say.
   */
  meet(early: EarlyGreeting): void {
    if (!isSamePlace(early.address, this.address) || (early.greeted.kind === 'legacy' && this.deviceId !== null)) return
    this.#early = early
    this.#news = early
    this.#note(early.greeted, early.atMs)
  }

  /**
   * What it answered while it was being registered, for its link to begin with, once; null: nothing, or that was too
   * long ago.
   */
  takeNews(): Greeted | null {
    const early = this.#news
    this.#news = null
    return early && this.#isInForce(early) ? early.greeted : null
  }

  /** A sign of life. roundTripMs: of one that was asked for. */
  heard(roundTripMs = this.known.roundTripMs): void {
    this.known = { ...this.known, lastSeenMs: this.#parts.nowMs(), roundTripMs }
  }

  /** The newest of its events that was heard. */
  noteEvent(epoch: string, seq: number): void {
    this.known = { ...this.known, event: { epoch, seq } }
  }

  /** Which event was the newest is not known any more: what comes next is not told again from there on. */
  loseTrack(): void {
    this.known = { ...this.known, event: null }
  }

  /** Whether it may still do that, at that cost. */
  may(what: 'hear' | 'tell' | 'read', cost = 1): boolean {
    return this.#buckets[what].take(cost, this.#parts.nowMs())
  }

  /** What it has was read. turn: that of what is outdated, as it was when it was asked for. */
  learned(inventory: Inventory, turn: number): void {
    this.outdated.hasReadAll(inventory.seq, turn)
    this.#keep(inventory)
  }

  /**
   * A part of what it has was read. since: the newest event that had been heard when it was asked for. What has to be
   * read beside it is answered.
   */
  learnedPart(part: InventoryPart, said: Inventory, since: number): readonly InventoryPart[] {
    const { inventory, event } = this.known
    if (!inventory || !event || this.outdated.isWhole) return [] // all of it is read next
    const whole = exchanged(inventory, part, said)
    if (!whole) {
      this.outdated.all()
      return []
    }
    this.outdated.hasRead(part, Math.max(said.seq, since))
    this.#keep(
      this.outdated.isNothing ? { ...whole.inventory, seq: Math.max(inventory.seq, event.seq) } : whole.inventory,
    )
    return whole.left
  }

  /** Another device is meant from now on: nothing is known but what that one may have answered already. */
  forget(): void {
    this.known = NOTHING_KNOWN
    this.outdated.all()
    this.#claimed = null
    if (this.#early && this.#isInForce(this.#early)) this.#note(this.#early.greeted, this.#early.atMs)
  }

  /** The wall clock was set: what is known of it was heard so much later. */
  clockSet(byMs: number): void {
    const later = (ms: number | null) => (ms === null ? null : Math.max(0, ms + byMs))
    const { lastSeenMs, syncedAtMs } = this.known
    this.known = { ...this.known, lastSeenMs: later(lastSeenMs), syncedAtMs: later(syncedAtMs) }
  }

  /** Something has changed from which its health follows; an event tells of what lasts. */
  observe(): void {
    const health = this.health()
    if (PASSING.has(health.status)) return
    if (this.#told?.status === health.status && this.#told.fault?.code === health.fault?.code) return
    this.#told = health
    this.#parts.events.publish(peerHealth, { resource_ref: { peer_id: this.id }, data: health })
  }

  /** The pictures of one of its streams are worked on elsewhere now. */
  tellMoved(): void {
    if (this.known.inventory) this.#tellInventory(this.known.inventory)
  }

  #keep(inventory: Inventory): void {
    this.known = { ...this.known, inventory, syncedAtMs: this.#parts.nowMs() }
    this.#tellInventory(inventory)
  }

  #tellInventory({ epoch, seq }: Inventory): void {
    this.#parts.events.publish(peerInventory, { resource_ref: { peer_id: this.id }, data: { epoch, seq } })
  }

  #note(greeted: Greeted, lastSeenMs: number): void {
    const [hello, agreement] = greeted.kind === 'native' ? [greeted.hello, greeted.agreement] : [null, null]
    this.known = { ...this.known, hello, agreement, isLegacy: greeted.kind === 'legacy', lastSeenMs }
  }

  #isInForce({ address, atMs }: EarlyGreeting): boolean {
    return isSamePlace(address, this.address) && this.#parts.nowMs() - atMs <= EARLY_MS
  }

  #view(): PeerParts {
    const { id, stored, known, child } = this
    return {
      id,
      stored,
      known,
      child: child?.status(),
      snapshot: child?.snapshot(),
      here: (stream_id) => this.#parts.here(id, stream_id),
      hasToken: this.address.token !== null,
      isBehind: !this.outdated.isNothing,
    }
  }
}
