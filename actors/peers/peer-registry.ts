// Which peers there are. It follows the settings and keeps one runtime for each, from its registration to its deletion.

import type { Fault } from '../../machines/errors/fault.ts'
import { Listeners } from '../../machines/listeners.ts'
import { isRefusal } from '../../machines/peers/greeting.ts'
import { mayBeNative, peerCollection, type StoredPeer } from '../../machines/peers/peer.ts'
import { isSamePlace } from '../../machines/peers/peer-address.ts'
import { integrationOf } from '../../machines/peers/peer-record.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { documentsOf, type SettingsStore, type StoredValue } from '../../machines/settings/store.ts'
import type { PeerAccess } from './peer-access.ts'
import { type EarlyGreeting, PeerRuntime, type PeerRuntimeParts } from './peer-runtime.ts'

/** dropped: told of a peer that is not registered any more. */
export interface PeerRegistryParts extends PeerRuntimeParts {
  readonly settings: SettingsStore
  readonly dropped: (id: string) => void
}

/** All peers. */
export class PeerRegistry {
  readonly #parts: PeerRegistryParts
  readonly #peers = new Map<string, PeerRuntime>()
  readonly #met = new Map<string, EarlyGreeting>()
  readonly #changed: Listeners<void>
  #seen: Readonly<Record<string, StoredValue<StoredPeer>>> = {}

  constructor(parts: PeerRegistryParts) {
    this.#parts = parts
    this.#changed = new Listeners(parts.onBug)
    this.#follow()
    parts.settings.subscribe(() => this.#follow())
  }

  get(id: string): PeerRuntime | undefined {
    return this.#peers.get(id)
  }

  /** In order of registration. */
  all(): readonly PeerRuntime[] {
    return [...this.#peers.values()]
  }

  /** Calls back when a peer was registered, changed or deleted; returns the way to stop that. */
  subscribe(changed: () => void): () => void {
    return this.#changed.add(changed)
  }

  /**
   * A device has greeted and is about to be stored as this peer: its record and its link shall begin with that. Ends
   * with `settle`.
   */
  meet(id: string, early: EarlyGreeting): void {
    this.#met.set(id, early)
  }

  /** It was stored, or will not be. What it has answered is taken up also where its document stayed as it was. */
  settle(id: string): void {
    const early = this.#met.get(id)
    if (!early) return
    this.#met.delete(id)
    this.#peers.get(id)?.meet(early)
    this.#changed.notify()
  }

  /**
   * The peer that is a device; undefined: none that is registered, as far as anybody knows. Of two the one that was
   * registered first.
   */
  ofDevice(device_id: string): PeerRuntime | undefined {
    return this.all().find(({ deviceId, stored }) => deviceId === device_id && mayBeNative(stored.value))
  }

  /**
   * A peer turns out to be a device; answers with the other one that is this device already, and to which it belongs.
   */
  claim(id: string, device_id: string): PeerRuntime | undefined {
    const owner = this.ofDevice(device_id)
    if (owner && owner.id !== id) return owner
    this.#peers.get(id)?.claim(device_id)
    return undefined
  }

  /** The wall clock was set: it is so much later. */
  clockSet(byMs: number): void {
    for (const peer of this.#peers.values()) peer.clockSet(byMs)
  }

  /** What it takes to ask a peer for something (PEER_ACCESS). */
  readonly access = (id: string): PeerAccess | Fault => {
    const peer = this.#peers.get(id)
    if (!peer) return peerCollection.notFound(id)
    const { stored, known, deviceId } = peer
    const { status, fault } = peer.health()
    if (!mayBeNative(stored.value) || (known.isLegacy && known.agreement === null))
      return {
        code: 'peer.not_native',
        detail: oneLine`
          ${id} is no device of this kind (${integrationOf(stored.value, known)}), so that nothing can be passed on to
          it; have its streams by their URLs: POST /v1/streams with a source of backend url
        `,
      }
    if (fault && isRefusal(fault)) return fault
    if (known.agreement === null)
      return {
        code: 'peer.not_linked',
        detail: `there is no link to ${id} yet (${fault?.detail ?? status}); nothing was passed on`,
      }
    const target = { ...peer.address, ...(deviceId !== null && { device_id: deviceId }) }
    return { target, agreement: known.agreement, inventory: known.inventory, state: status }
  }

  #follow(): void {
    const stored = documentsOf(this.#parts.settings, peerCollection)
    if (stored === this.#seen) return
    this.#seen = stored
    for (const id of this.#peers.keys()) {
      if (Object.hasOwn(stored, id)) continue
      this.#peers.delete(id)
      this.#parts.dropped(id)
    }
    for (const [id, document] of Object.entries(stored)) {
      const peer = this.#peers.get(id) ?? new PeerRuntime(id, document, this.#parts)
      const isNew = !this.#peers.has(id)
      if (isNew) this.#peers.set(id, peer)
      if (isNew || peer.stored !== document) this.#changeTo(peer, document)
    }
    this.#changed.notify()
  }

  #changeTo(peer: PeerRuntime, document: StoredValue<StoredPeer>): void {
    const before = peer.address
    peer.stored = document
    if (!isSamePlace(before, peer.address)) peer.forget()
    const early = this.#met.get(peer.id)
    this.#met.delete(peer.id)
    if (early) peer.meet(early)
  }
}
