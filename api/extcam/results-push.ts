// The results of each frame, to every WebSocket that listens to one stream, and once that nothing is seen when it is
// not live any more. Who is slow misses frames: what waits for it is the newest.
import type { WebSocket } from 'ws'
import type { ExtcamAdapter } from '../../actors/extcam/tokens.ts'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import type { OnBug } from '../../machines/listeners.ts'
import { GOING_AWAY, sayGoodbye } from '../connections/goodbye.ts'

const STALL_LIMIT_MS = 30_000 // as viewers
const TRY_AGAIN_LATER = 1013
/**
 * At one port. The vendor's clients are a robot program and a dashboard or two; each costs the process that controls
 * everything a text per frame.
 */
const MAX_READERS = 8

/** A listener. sendingSinceMs: since when a document is on its way to it; undefined: it has received all. */
interface Reader {
  readonly socket: WebSocket
  sendingSinceMs: number | undefined
  isBehind: boolean
}

/**
 * All who listen to one stream. A document is written once for all of them, and not at all while nobody listens.
 *
 * A frame of which no document can be made is sent to nobody, and `onBug` hears of the first of those that come one
 * after another.
 */
export class ResultsPush {
  readonly #find: () => ExtcamAdapter | Fault
  readonly #onBug: OnBug
  readonly #readers = new Set<Reader>()
  #stops: readonly (() => void)[] = []
  #isBroken = false

  constructor(find: () => ExtcamAdapter | Fault, onBug: OnBug) {
    this.#find = find
    this.#onBug = onBug
  }

  /** Why one more cannot listen now; undefined: it can. */
  full(): Fault | undefined {
    if (this.#readers.size < MAX_READERS) return undefined
    return { code: 'viewer.too_many', detail: `${MAX_READERS} listen to this port; close one first` }
  }

  /**
   * Sends what is newest now, and from then on each frame, and what there is to see when the stream has left `live`:
   * nothing.
   */
  accept(socket: WebSocket): void {
    const adapter = this.#find()
    if (isFault(adapter)) {
      socket.close(GOING_AWAY, 'the stream is not shown any more')
      return
    }
    const full = this.full() // others may have come since it was let in
    if (full) {
      socket.close(TRY_AGAIN_LATER, full.detail)
      return
    }
    const reader: Reader = { socket, sendingSinceMs: undefined, isBehind: false }
    this.#readers.add(reader)
    socket.once('close', () => {
      this.#readers.delete(reader)
      if (this.#readers.size === 0) for (const stop of this.#stops) stop()
    })
    const text = this.#text()
    // after that: the text is made by one who has to hear first that a stream is not live
    if (this.#readers.size === 1) this.#listen(adapter.stream)
    if (text !== undefined) this.#send(reader, text)
  }

  /** Says goodbye to all; who does not answer is cut off. */
  close(): void {
    for (const { socket } of this.#readers) {
      sayGoodbye(socket, 'the port is closed')
    }
  }

  #listen(stream: ExtcamAdapter['stream']): void {
    let wasLive = stream.state === 'live'
    const moved = () => {
      const isLive = stream.state === 'live'
      if (wasLive && !isLive) this.#push()
      wasLive = isLive
    }
    this.#stops = [stream.results.subscribe(() => this.#push()), stream.onMoved(moved)]
  }

  #push(): void {
    const text = this.#text()
    if (text === undefined) return
    for (const reader of this.#readers) {
      if (reader.sendingSinceMs === undefined) this.#send(reader, text)
      else if (performance.now() - reader.sendingSinceMs > STALL_LIMIT_MS) reader.socket.terminate()
      else reader.isBehind = true
    }
  }

  #send(reader: Reader, text: string): void {
    reader.sendingSinceMs = performance.now()
    reader.isBehind = false
    reader.socket.send(text, () => {
      reader.sendingSinceMs = undefined
      const newest = reader.isBehind && this.#readers.has(reader) ? this.#text() : undefined
      if (newest !== undefined) this.#send(reader, newest)
    })
  }

  /**
   * Guarded here, since it is also called from sockets: what is thrown there would end the service. undefined: there is
   * none now.
   */
  #text(): string | undefined {
    try {
      const adapter = this.#find()
      const text = isFault(adapter) ? undefined : adapter.results()
      this.#isBroken = false
      return text
    } catch (bug) {
      if (!this.#isBroken) this.#onBug(bug)
      this.#isBroken = true
      return undefined
    }
  }
}
