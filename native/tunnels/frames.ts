// The frames of a peer on a WebSocket: each message is received whole, and sent whole to those who have taken all before it.
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import * as Deferred from 'effect/Deferred'
import * as Effect from 'effect/Effect'
import type * as Scope from 'effect/Scope'
import { WebSocket } from 'ws'
import type { Fault } from '../../machines/errors/fault.ts'
import { authorization } from '../peers/authorization.ts'
import { badAnswer, goneAway, tooSlow } from './answer.ts'
import { MOST_FRAME_BYTES, type TunnelLimits, USUAL_LIMITS } from './limits.ts'
import type { FrameViewer, Tunnel, TunnelAsk } from './port.ts'
import { refusalOf } from './refusal.ts'

const KEEP_ALIVE_MS = 3_000
const MOST_REFUSAL_BYTES = 65_536

/** As TunnelPort says. */
export const framesTunnel = (
  connection: Socket,
  ask: TunnelAsk,
  limits: TunnelLimits = USUAL_LIMITS,
): Effect.Effect<Tunnel<FrameViewer>, Fault, Scope.Scope> =>
  Effect.gen(function* () {
    connection.setNoDelay(true)
    connection.setKeepAlive(true, KEEP_ALIVE_MS)
    connection.on('error', () => {}) // its end says it
    const socket = yield* Effect.acquireRelease(
      Effect.sync(() => webSocketOn(connection, ask)),
      (each) => Effect.sync(() => each.terminate()),
    )
    const opening = Effect.timeoutOrElse(opened(socket, ask), {
      duration: limits.answerMs,
      orElse: () => Effect.fail(tooSlow(ask, limits.answerMs)),
    })
    yield* opening
    return yield* Effect.acquireRelease(
      Effect.sync(() => new FramePassage(socket, ask, limits)),
      (passage) => Effect.sync(() => passage.close()),
    )
  })

/** On a connection that is there already, whatever it is encrypted by. */
const webSocketOn = (connection: Socket, ask: TunnelAsk): WebSocket =>
  new WebSocket(`ws://${new URL(ask.target.origin).host}${ask.path}`, {
    ...{ createConnection: () => connection, headers: authorization(connection, ask.target), followRedirects: false },
    ...{ maxPayload: MOST_FRAME_BYTES, perMessageDeflate: false, skipUTF8Validation: true },
  })

/** Waits until it is open, and paused: the first frame waits for the first viewer. */
const opened = (socket: WebSocket, ask: TunnelAsk): Effect.Effect<void, Fault> =>
  Effect.callback((resume) => {
    const fail = (fault: Fault) => resume(Effect.fail(fault))
    socket.on('error', (error) => fail(faultOf(ask, error)))
    socket.once('close', () => fail(goneAway(ask)))
    socket.once('unexpected-response', (_, response: IncomingMessage) => {
      bodyIn(response, (body) => fail(refusalOf(ask, response.statusCode ?? 0, body)))
    })
    socket.once('open', () => {
      socket.pause()
      resume(Effect.void)
    })
  })

/** Calls back once, with what came of it up to its end. */
const bodyIn = (response: IncomingMessage, done: (body: Buffer) => void): void => {
  const chunks: Buffer[] = []
  let bytes = 0
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > MOST_REFUSAL_BYTES) response.destroy()
    else chunks.push(chunk)
  })
  response.once('close', () => done(Buffer.concat(chunks)))
  response.on('error', () => {}) // its close comes, too
}

const faultOf = (ask: TunnelAsk, { code = '', message }: NodeJS.ErrnoException): Fault =>
  /^(HPE|WS_ERR)_/.test(code) || code === '' ? badAnswer(ask, message) : goneAway(ask)

/** A viewer. behindSinceMs: when he missed the first of the frames that he has missed in a row; undefined: he has missed none. */
interface Place {
  readonly viewer: FrameViewer
  behindSinceMs: number | undefined
}

const TRY_AGAIN_LATER = 1013
const CLOSE_LIMIT_MS = 1_000 // a goodbye waits for an answer

/** One WebSocket whose messages are passed on. */
class FramePassage implements Tunnel<FrameViewer> {
  readonly #socket: WebSocket
  readonly #limits: TunnelLimits
  readonly #places = new Set<Place>()
  readonly #end = Deferred.makeUnsafe<never, Fault>()
  readonly #look: NodeJS.Timeout
  readonly ended = Deferred.await(this.#end)
  #isClosed = false

  constructor(socket: WebSocket, ask: TunnelAsk, limits: TunnelLimits) {
    this.#socket = socket
    this.#limits = limits
    this.#look = setInterval(() => this.#dismiss(), limits.lookMs).unref()
    let fault = goneAway(ask)
    const over = () => {
      Deferred.doneUnsafe(this.#end, Effect.fail(fault))
      this.close()
    }
    socket.on('error', (error) => {
      fault = faultOf(ask, error)
    })
    socket.on('message', (message, isBinary) => this.#pass(message as Buffer, isBinary))
    socket.once('close', over)
    if (socket.readyState !== WebSocket.OPEN) over()
  }

  join(viewer: FrameViewer, left: () => void): void {
    if (viewer.readyState === viewer.CLOSED) {
      left()
      return
    }
    const place = { viewer, behindSinceMs: undefined }
    this.#places.add(place)
    viewer.once('close', () => {
      this.#places.delete(place)
      left()
    })
    if (this.#isClosed) end(viewer)
    else setImmediate(() => this.#socket.resume()) // so that those who waited together see the same first frame
  }

  close(): void {
    this.#isClosed = true
    clearInterval(this.#look)
    this.#socket.terminate()
    for (const { viewer } of this.#places) end(viewer)
  }

  #pass(message: Buffer, isBinary: boolean): void {
    for (const place of this.#places) {
      if (place.viewer.bufferedAmount === 0) {
        place.behindSinceMs = undefined
        place.viewer.send(message, { binary: isBinary })
      } else place.behindSinceMs ??= performance.now()
    }
  }

  #dismiss(): void {
    const nowMs = performance.now()
    for (const { viewer, behindSinceMs = nowMs } of this.#places)
      if (nowMs - behindSinceMs > this.#limits.stallMs) viewer.terminate()
  }
}

const end = (viewer: FrameViewer): void => {
  viewer.close(TRY_AGAIN_LATER, 'nothing comes from the other device any more')
  setTimeout(() => viewer.terminate(), CLOSE_LIMIT_MS).unref()
}
