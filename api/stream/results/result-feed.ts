// Those who are told what is found in the frames of streams. A listener lives from its upgrade until it leaves, takes
// nothing for too long, or the server stops.
import type { Socket } from 'node:net'
import type { WebSocket } from 'ws'
import type { StreamRuntime } from '../../../actors/stream/stream-runtime.ts'
import { frameResultsText } from '../../../machines/engine/frame-results.ts'
import { header, type Result } from '../../../machines/engine/result.ts'
import type { Given } from '../../../machines/token.ts'
import type { Clock } from '../../../native/clock/port.ts'
import type { ofStreamNeeds } from '../of-stream.ts'
import { limiter, STALL_LIMIT_MS } from '../preview/play.ts'

const CLOSE_LIMIT_MS = 300
const GOING_AWAY = 1001
const KEEP_ALIVE_MS = 10_000 // notices a listener that vanished while all streams stood still

/** What somebody is told of. */
export interface ResultLook {
  /** Default: all, also later ones. */
  readonly streams?: readonly string[]
  /** Default: all. */
  readonly outputs?: readonly string[]
  /** Of one stream, at most. */
  readonly ratePerS: number
  /** Over the network, within the bandwidth budget. */
  readonly isMetered: boolean
}

/** What listeners are served with. */
export interface ResultListenerParts extends Given<typeof ofStreamNeeds> {
  readonly clock: Pick<Clock, 'monotonicUs'>
}

/** A WebSocket, and what it writes to. */
export interface ResultEnds {
  readonly socket: WebSocket
  readonly connection: Socket
}

/** A stream that is listened to. */
interface Followed {
  /** So many bytes were sent of it. */
  readonly sent: (bytes: number) => void
  readonly stop: () => void
}

/** One listener. Everything of it goes with its connection. */
export class ResultSocket {
  readonly #socket: WebSocket
  readonly #look: ResultLook
  readonly #parts: ResultListenerParts
  readonly #followed = new Map<StreamRuntime, Followed>()
  readonly #waiting = new Map<StreamRuntime, Result>() // of each the newest, while something is on its way
  #sendingSinceUs: number | undefined

  constructor(parts: ResultListenerParts, { socket, connection }: ResultEnds, look: ResultLook) {
    this.#socket = socket
    this.#look = look
    this.#parts = parts
    connection.setKeepAlive(true, KEEP_ALIVE_MS)
    const unfollow = parts.streams.subscribe(() => this.#follow())
    this.#follow()
    connection.once('close', () => {
      unfollow()
      for (const { stop } of this.#followed.values()) stop()
      this.#waiting.clear()
    })
  }

  /** Says goodbye; who does not answer is cut off. */
  end(): void {
    this.#waiting.clear()
    this.#socket.close(GOING_AWAY, 'the service stops')
    setTimeout(() => this.#socket.terminate(), CLOSE_LIMIT_MS).unref()
  }

  #follow(): void {
    const { streams, ratePerS, isMetered } = this.#look
    for (const stream of this.#parts.streams.all()) {
      if (this.#followed.has(stream) || (streams && !streams.includes(stream.id))) continue
      const isDue = limiter(ratePerS)
      const place = stream.viewers.results.enter(isMetered)
      const stops = [
        stream.results.subscribe((result) => {
          if (isDue({ captured_us: header(result, 'captured_us') })) this.#offer(stream, result)
        }),
        stream.onDeleted(() => this.#ended(stream)),
        place.leave,
      ]
      const stop = () => {
        for (const each of stops) each()
      }
      this.#followed.set(stream, { sent: place.sent, stop })
    }
  }

  #ended(stream: StreamRuntime): void {
    this.#followed.get(stream)?.stop()
    this.#followed.delete(stream)
    this.#waiting.delete(stream)
    if (this.#isOpen) this.#socket.send(JSON.stringify({ stream_id: stream.id, ended: true }))
  }

  #offer(stream: StreamRuntime, result: Result): void {
    if (this.#isFree()) this.#send(stream, result)
    else this.#waiting.set(stream, result)
  }

  /** Called back when the kernel has it all. */
  #send(stream: StreamRuntime, result: Result): void {
    const found = frameResultsText(result, this.#look.outputs)
    const text = `{"stream_id":${JSON.stringify(stream.id)},${found.slice(1)}`
    const bytes = Buffer.byteLength(text)
    this.#sendingSinceUs = this.#parts.clock.monotonicUs()
    this.#followed.get(stream)?.sent(bytes)
    this.#socket.send(text, () => {
      this.#sendingSinceUs = undefined
      const [next] = this.#waiting
      if (!next || !this.#isOpen) return
      this.#waiting.delete(next[0])
      this.#send(...next)
    })
  }

  get #isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN
  }

  /** A listener that takes nothing for too long is gone or asleep; when it wakes up it asks again. */
  #isFree(): boolean {
    if (this.#sendingSinceUs === undefined) return this.#isOpen
    if (this.#parts.clock.monotonicUs() - this.#sendingSinceUs > STALL_LIMIT_MS * 1000) this.#socket.terminate()
    return false
  }
}
