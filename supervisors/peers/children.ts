// One supervised link for each peer that may be a device of this kind.
import * as Effect from 'effect/Effect'
import type { AnyActorRef } from 'xstate'
import type { RecordFault } from '../../actors/errors/error-keeper-actor.ts'
import { Heartbeat } from '../../actors/peers/heartbeat.ts'
import { type PeerLinkParts, peerLinkActor } from '../../actors/peers/peer-link-actor.ts'
import type { PeerRegistry } from '../../actors/peers/peer-registry.ts'
import type { EarlyGreeting, PeerRuntime } from '../../actors/peers/peer-runtime.ts'
import type { Greeted } from '../../machines/peers/greeting.ts'
import { mayBeNative, type StoredPeer } from '../../machines/peers/peer.ts'
import type { WantedChildren } from '../supervision/reconciler.ts'
import { anyChild, type Child, type LifecycleEvent, type Supervisor } from '../supervision/supervisor.ts'

/**
 * A peer as it was stored when it was looked at, and what it had answered then that its link has not taken up. One that
 * was deleted and registered again has another runtime.
 */
interface WantedLink {
  readonly peer: PeerRuntime
  readonly value: StoredPeer
  readonly news: EarlyGreeting | null
}

const PREFIX = 'peers/'

/** What the links need. seed: 0 to 1, another one at each call. */
export interface PeerChildrenParts extends Omit<PeerLinkParts, 'peer' | 'record' | 'heartbeat'> {
  readonly supervisor: Supervisor
  readonly peers: PeerRegistry
  readonly record: RecordFault
  readonly seed: () => number
}

export class PeerChildren implements WantedChildren<WantedLink> {
  readonly name = 'peers'
  readonly #parts: PeerChildrenParts
  readonly #heartbeat = new Heartbeat()

  constructor(parts: PeerChildrenParts) {
    this.#parts = parts
  }

  readonly watch = (changed: () => void): (() => void) => this.#parts.peers.subscribe(changed)

  wanted(): ReadonlyMap<string, WantedLink> {
    const peers = this.#parts.peers.all().filter(({ stored }) => mayBeNative(stored.value))
    return new Map(peers.map((peer) => [PREFIX + peer.id, { peer, value: peer.stored.value, news: peer.news }]))
  }

  /** What a link learns by itself, and names, do not concern it. */
  isSame(before: WantedLink, after: WantedLink): boolean {
    return before.peer === after.peer && addressOf(before) === addressOf(after) && after.news === null
  }

  start(id: string, { peer }: WantedLink): Child {
    const { supervisor, record, seed, ...parts } = this.#parts
    peer.child = { status: () => supervisor.status(id), snapshot: () => supervisor.snapshot(id) }
    const incarnate = Effect.sync(() => ({
      logic: peerLinkActor({
        ...parts,
        peer,
        heartbeat: this.#heartbeat,
        record: (fault) => record({ resource: id, ...fault }),
      }),
      options: { input: { address: peer.address, seed: seed(), greeted: this.#newsOf(peer) } },
    }))
    return anyChild({ id, incarnate })
  }

  change(id: string, { peer }: WantedLink, before: WantedLink): Effect.Effect<boolean> {
    if (peer !== before.peer) return Effect.succeed(false)
    const { supervisor } = this.#parts
    supervisor.actor(id)?.send({ type: 'address.set', address: peer.address, greeted: this.#newsOf(peer) })
    return Effect.as(supervisor.retry(id), true)
  }

  /**
   * What the link may begin with. Of a device that belongs to another peer nothing: it is greeted again, and then that
   * is said.
   */
  #newsOf(peer: PeerRuntime): Greeted | null {
    const greeted = peer.takeNews()
    if (greeted?.kind !== 'native') return greeted
    return this.#parts.peers.claim(peer.id, greeted.hello.device_id) ? null : greeted
  }

  /** One that is not wanted as a link any more is still shown while it is registered. */
  dropped(id: string): void {
    const peer = this.#parts.peers.get(id.slice(PREFIX.length))
    if (peer) peer.child = undefined
  }

  /** Tells everybody of what becomes of a link. */
  follow({ id, type }: LifecycleEvent): void {
    const peer = id.startsWith(PREFIX) ? this.#parts.peers.get(id.slice(PREFIX.length)) : undefined
    if (!peer) return
    const observe = () => peer.observe()
    const actor: AnyActorRef | undefined = type === 'started' ? this.#parts.supervisor.actor(id) : undefined
    actor?.subscribe({ next: observe, complete: observe, error: observe })
    observe()
  }
}

const addressOf = ({ value: { base_url, fingerprint, token_version, integration } }: WantedLink): string =>
  JSON.stringify([base_url, fingerprint, token_version, integration])
