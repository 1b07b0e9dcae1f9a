// What is found in the frames of streams of peers, for those who listen to it here: a socket to the peer while somebody
// listens and the link stands, opened again when it has ended.
import { isFault } from '../../machines/errors/fault.ts'
import {
  endOf,
  type HeardResults,
  heardResults,
  type RemoteResultsLook,
  type RemoteResultsMessage,
} from '../../machines/interdevice/heard-results.ts'
import { peerHealth, peerInventory } from '../../machines/peers/events.ts'
import type { EventBus } from '../events/event-bus.ts'
import { type StartTimer, startTimer } from '../timer.ts'
import { MessageListener } from './message-listener.ts'
import type { PeerRegistry } from './peer-registry.ts'
import type { Tunnels } from './tunnels.ts'

const FIRST_WAIT_MS = 250
const MAX_WAIT_MS = 5_000
const MAX_MESSAGE_BYTES = 256 * 1024 // the results of a frame that is full of them have 60 KiB

/** Whom it works with. */
export interface RemoteResultsParts {
  readonly tunnels: Pick<Tunnels, 'results'>
  readonly peers: Pick<PeerRegistry, 'get' | 'subscribe'>
  readonly events: Pick<EventBus, 'subscribe'>
  readonly startTimer?: StartTimer
}

/** All who listen here to what peers find. */
export class RemoteResults {
  readonly #parts: RemoteResultsParts

  constructor(parts: RemoteResultsParts) {
    this.#parts = parts
  }

  /** Tells `heard` of each message from now on; returns the way to stop that. */
  follow(look: RemoteResultsLook, heard: (message: RemoteResultsMessage) => void): () => void {
    const following = new Following(this.#parts, look, heard)
    return () => following.end()
  }
}

/** Somebody who listens to streams of one peer. */
class Following {
  readonly #parts: RemoteResultsParts
  readonly #look: RemoteResultsLook
  readonly #asked: ReadonlySet<string>
  readonly #heard: (message: RemoteResultsMessage) => void
  readonly #stops: readonly (() => void)[]
  #listener: MessageListener | undefined
  #isOpening = false
  #hasEnded = false
  #isPeer = true
  /** Those of which it was told that nothing more comes, until something does. */
  readonly #ended = new Set<string>()
  #waitMs = FIRST_WAIT_MS
  #stopWaiting: (() => void) | undefined

  constructor(parts: RemoteResultsParts, look: RemoteResultsLook, heard: (message: RemoteResultsMessage) => void) {
    this.#parts = parts
    this.#look = look
    this.#asked = new Set(look.streams)
    this.#heard = heard
    this.#stops = [
      parts.peers.subscribe(() => this.#review()),
      parts.events.subscribe(({ kind, resource_ref }) => {
        const isOfPeer = 'peer_id' in resource_ref && resource_ref.peer_id === look.peer_id
        if ((kind === peerHealth.kind || kind === peerInventory.kind) && isOfPeer) this.#review()
      }),
    ]
    this.#review()
  }

  end(): void {
    this.#hasEnded = true
    for (const stop of this.#stops) stop()
    this.#stopWaiting?.()
    this.#listener?.terminate()
  }

  #review(): void {
    const { peer_id, streams } = this.#look
    const peer = this.#parts.peers.get(peer_id)
    if (!peer && this.#isPeer) for (const id of streams) this.#tellEnd(id)
    this.#isPeer = peer !== undefined
    if (peer?.health().status !== 'linked') return
    // the socket says it only to those who listen to it at that moment
    const listed = peer.known.inventory?.streams.map(({ id }) => id)
    const unlisted = streams.filter((id) => listed?.includes(id) === false && !this.#ended.has(id))
    for (const id of unlisted) this.#tellEnd(id)
    if (!this.#isOpening && !this.#listener && !this.#stopWaiting) void this.#open()
  }

  async #open(): Promise<void> {
    const { peer_id, streams, outputs, ratePerS } = this.#look
    this.#isOpening = true
    const query = { streams: streams.join(), rate: ratePerS, ...(outputs && { outputs: outputs.join() }) }
    const found = await this.#parts.tunnels.results({ peer_id, query })
    this.#isOpening = false
    if (this.#hasEnded) return
    if (isFault(found)) {
      this.#wait()
      return
    }
    const listener = new MessageListener((message) => this.#take(message))
    this.#listener = listener
    listener.once('close', () => {
      this.#listener = undefined
      if (!this.#hasEnded) this.#wait()
    })
    found.join(listener)
  }

  #take(message: Buffer): void {
    this.#waitMs = FIRST_WAIT_MS
    if (message.length > MAX_MESSAGE_BYTES) return
    const heard = heardResults(message.toString(), this.#asked)
    if (heard) this.#tell(heard)
  }

  #tellEnd(stream_id: string): void {
    this.#tell({ stream_id, hasEnded: true, textFor: (listedId) => JSON.stringify(endOf(listedId)) })
  }

  #tell({ stream_id, hasEnded, textFor }: HeardResults): void {
    const listedId = `${this.#look.peer_id}:${stream_id}`
    if (hasEnded) this.#ended.add(stream_id)
    else this.#ended.delete(stream_id)
    this.#heard({ listedId, hasEnded, text: () => textFor(listedId) })
  }

  #wait(): void {
    this.#stopWaiting = (this.#parts.startTimer ?? startTimer)(this.#waitMs, () => {
      this.#stopWaiting = undefined
      this.#review()
    })
    this.#waitMs = Math.min(MAX_WAIT_MS, this.#waitMs * 2)
  }
}
