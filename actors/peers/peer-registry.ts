// Which peers there are. It follows the settings and keeps one runtime for each, from its registration to its deletion.
import type { Fault } from '../../machines/errors/fault.ts'
import { Listeners, type OnBug } from '../../machines/listeners.ts'
import { mayBeNative, peerCollection, type StoredPeer } from '../../machines/peers/peer.ts'
import { integrationOf } from '../../machines/peers/peer-record.ts'
import { documentsOf, type SettingsStore, type StoredValue } from '../../machines/settings/store.ts'
import type { PeerDoor } from './peer-door.ts'
import { PeerRuntime, type PeerRuntimeParts } from './peer-runtime.ts'

/** dropped: told of a peer that is not registered any more. */
export interface PeerRegistryParts extends PeerRuntimeParts {
  readonly settings: SettingsStore
  readonly dropped: (id: string) => void
  readonly onBug?: OnBug
}

/** All peers. */
export class PeerRegistry {
  readonly #parts: PeerRegistryParts
  readonly #peers = new Map<string, PeerRuntime>()
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

  /** What it takes to ask a peer for something (PEER_DOORS). */
  readonly door = (id: string): PeerDoor | Fault => {
    const peer = this.#peers.get(id)
    if (!peer) return peerCollection.notFound(id)
    const { stored, known } = peer
    const { status, fault } = peer.health()
    if (!mayBeNative(stored.value) || (known.isLegacy && known.agreement === null))
      return {
        code: 'peer.not_native',
        detail: `${id} is no device of this kind (${integrationOf(stored.value, known)}), so that nothing can be passed on to it; have its streams by their URLs: POST /v1/streams with a source of backend url`,
      }
    if (known.agreement === null)
      return {
        code: 'peer.not_linked',
        detail: `there is no link to ${id} yet (${fault?.detail ?? status}); nothing was passed on`,
      }
    return { target: peer.aim, agreement: known.agreement, inventory: known.inventory, state: status }
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
      const peer = this.#peers.get(id)
      if (peer) peer.stored = document
      else this.#peers.set(id, new PeerRuntime(id, document, this.#parts))
    }
    this.#changed.notify()
  }
}
