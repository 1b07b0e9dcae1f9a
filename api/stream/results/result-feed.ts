// Those who are told what is found in the frames of streams. A listener lives from its upgrade until it leaves, takes
// nothing for too long, or the server stops.
import type { Socket } from 'node:net'
import type { WebSocket } from 'ws'
import type { REMOTE_RESULTS } from '../../../actors/peers/tokens.ts'
import type { StreamRuntime } from '../../../actors/stream/stream-runtime.ts'
import { frameResultsText } from '../../../machines/engine/frame-results.ts'
import { header, type Result } from '../../../machines/engine/result.ts'
import type { RemoteResultsMessage } from '../../../machines/interdevice/heard-results.ts'
import type { LocalizationSolve } from '../../../machines/localization/solve-document.ts'
import type { Given } from '../../../machines/token.ts'
import type { Clock } from '../../../native/clock/port.ts'
import { sayGoodbye } from '../../connections/goodbye.ts'
import type { ofStreamNeeds } from '../of-stream.ts'
import { limiter, STALL_LIMIT_MS } from '../preview/play.ts'

/** What somebody is told of. */
export interface ResultLook {
  /** Of this device. Default: all, also later ones. */
  readonly streams?: readonly string[]
  /** Those of other devices, by the peer. */
  readonly remote?: ReadonlyMap<string, readonly string[]>
  /** Default: all. */
  readonly outputs?: readonly string[]
  /** Of one stream, at most. */
  readonly ratePerS: number
  /** Over the network, within the bandwidth budget. */
  readonly isMetered: boolean
  /** Also of what is solved by all cameras together. */
  readonly withSolve: boolean
}

/** What listeners are served with. */
export interface ResultListenerParts {
  readonly streams: Pick<Given<typeof ofStreamNeeds>['streams'], 'all' | 'subscribe'>
  readonly clock: Pick<Clock, 'monotonicUs'>
  /** Undefined: nobody may ask for it. */
  readonly solve?: SolveSource
  /** Undefined: nobody may ask for streams of other devices. */
  readonly remote?: Given<{ remote: typeof REMOTE_RESULTS }>['remote']
}

/** What is solved by all cameras together. */
export interface SolveSource {
  /** As it is shown now. */
  readonly document: () => LocalizationSolve
  /** Calls back at each round, with the time of its exposure; returns the way to stop that. */
  readonly onRound: (listener: (capturedUs: number) => void) => () => void
  /** Calls back when it may stand otherwise; returns the way to stop that. */
  readonly onChanged: (listener: () => void) => () => void
}

/** A message that is made when it can be sent. */
interface Message {
  readonly text: () => string
  /** So many bytes were sent of it. */
  readonly sent?: (bytes: number) => void
}

/** A WebSocket, and what it writes to. */
export interface ResultEnds {
  readonly socket: WebSocket
  readonly connection: Socket
}

/** Stands for what is solved among those that wait. */
const SOLVE = Symbol('solve')

/** One listener. Everything of it goes with its connection. */
export class ResultSocket {
  readonly #socket: WebSocket
  readonly #look: ResultLook
  readonly #parts: ResultListenerParts
  readonly #followed = new Map<StreamRuntime, () => void>() // the way to stop that
  /** Of each the newest, while something is on its way. */
  readonly #waiting = new Map<StreamRuntime | string | symbol, Message>()
  #sendingSinceUs: number | undefined

  constructor(parts: ResultListenerParts, { socket, connection }: ResultEnds, look: ResultLook) {
    this.#socket = socket
    this.#look = look
    this.#parts = parts
    const stops = [
      parts.streams.subscribe(() => this.#follow()),
      ...(look.withSolve && parts.solve ? this.#followSolve(parts.solve) : []),
      ...this.#followRemote(),
    ]
    this.#follow()
    connection.once('close', () => {
      for (const stop of [...stops, ...this.#followed.values()]) stop()
      this.#waiting.clear()
    })
  }

  /** Says goodbye; who does not answer is cut off. */
  end(): void {
    this.#waiting.clear()
    sayGoodbye(this.#socket, 'the service stops')
  }

  #follow(): void {
    const { streams, ratePerS, isMetered } = this.#look
    for (const stream of this.#parts.streams.all()) {
      if (this.#followed.has(stream) || (streams && !streams.includes(stream.id))) continue
      const isDue = limiter(ratePerS)
      const place = stream.viewers.results.enter(isMetered)
      const stops = [
        stream.results.subscribe((result) => {
          if (!isDue({ captured_us: header(result, 'captured_us') })) return
          this.#offer(stream, { text: () => this.#textOf(stream, result), sent: place.sent })
        }),
        stream.onDeleted(() => this.#ended(stream)),
        place.leave,
      ]
      this.#followed.set(stream, () => {
        for (const stop of stops) stop()
      })
    }
  }

  /** Once at once, at each round, and when it stands otherwise. */
  #followSolve(solve: SolveSource): readonly (() => void)[] {
    const isDue = limiter(this.#look.ratePerS)
    const offer = () => this.#offer(SOLVE, { text: () => JSON.stringify({ localization: solve.document() }) })
    let told = ''
    const offerNews = () => {
      const news = newsIn(solve.document())
      if (news !== told) offer()
      told = news
    }
    offerNews()
    return [
      solve.onRound((captured_us) => {
        if (isDue({ captured_us })) offer()
      }),
      solve.onChanged(offerNews),
    ]
  }

  #followRemote(): readonly (() => void)[] {
    const { remote = new Map<string, readonly string[]>(), outputs, ratePerS } = this.#look
    return [...remote].flatMap(([peer_id, streams]) => {
      const look = { peer_id, streams, outputs, ratePerS }
      const stop = this.#parts.remote?.follow(look, (message) => this.#takeRemote(message))
      return stop ? [stop] : []
    })
  }

  #takeRemote({ listedId, hasEnded, text }: RemoteResultsMessage): void {
    if (!hasEnded) {
      this.#offer(listedId, { text })
      return
    }
    this.#waiting.delete(listedId)
    if (this.#isOpen) this.#socket.send(text())
  }

  #ended(stream: StreamRuntime): void {
    this.#followed.get(stream)?.()
    this.#followed.delete(stream)
    this.#waiting.delete(stream)
    if (this.#isOpen) this.#socket.send(JSON.stringify({ stream_id: stream.id, ended: true }))
  }

  #offer(about: StreamRuntime | string | symbol, message: Message): void {
    if (this.#isFree()) this.#send(message)
    else this.#waiting.set(about, message)
  }

  #textOf({ id }: StreamRuntime, result: Result): string {
    const found = frameResultsText(result, this.#look.outputs)
    return `{"stream_id":${JSON.stringify(id)},${found.slice(1)}`
  }

  /** Called back when the kernel has it all. */
  #send({ text, sent }: Message): void {
    const said = text()
    this.#sendingSinceUs = this.#parts.clock.monotonicUs()
    sent?.(Buffer.byteLength(said))
    this.#socket.send(said, () => {
      this.#sendingSinceUs = undefined
      const [next] = this.#waiting
      if (!next || !this.#isOpen) return
      this.#waiting.delete(next[0])
      this.#send(next[1])
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

/** What of it is news without a round. */
const newsIn = ({ state, map, cameras }: LocalizationSolve): string =>
  JSON.stringify([state, map, cameras.map(({ stream_id, reason }) => [stream_id, reason])])
