// The frames of a peer on a WebSocket: each message is received whole, and sent whole to those who have taken all
// before it.
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import * as Deferred from 'effect/Deferred'
import * as Effect from 'effect/Effect'
import type * as Scope from 'effect/Scope'
import { WebSocket } from 'ws'
import type { Fault } from '../../machines/errors/fault.ts'
import { PONGS } from '../../machines/websocket/pongs.ts'
import { authorization } from '../peers/authorization.ts'
import { readFramesInTurns } from '../sockets/reading.ts'
import { badAnswer, goneAway, tooSlow } from './answer.ts'
import {
  DEFAULT_LIMITS,
  KEEP_ALIVE_MS,
  MAX_HEAD_BYTES,
  MAX_PICTURE_BYTES,
  MAX_REFUSAL_BYTES,
  type TunnelLimits,
} from './limits.ts'
import { MessageCounter } from './message-counter.ts'
import type { FrameViewer, Tunnel, TunnelAsk } from './port.ts'
import { refusalOf } from './refusal.ts'
import { StallWatch } from './stall-watch.ts'
import { type Manners, Viewers } from './viewers.ts'

/** As TunnelPort says. */
export const framesTunnel = (
  connection: Socket,
  ask: TunnelAsk,
  limits: TunnelLimits = DEFAULT_LIMITS,
): Effect.Effect<Tunnel<FrameViewer>, Fault, Scope.Scope> =>
  Effect.gen(function* () {
    connection.setNoDelay(true)
    connection.setKeepAlive(true, KEEP_ALIVE_MS)
    connection.on('error', () => {}) // its end says it
    const socket = yield* Effect.acquireRelease(
      Effect.sync(() => webSocketOn(connection, ask)),
      (each) => Effect.sync(() => each.terminate()),
    )
    const opening = Effect.timeoutOrElse(opened(connection, socket, ask), {
      duration: limits.answerMs,
      orElse: () => Effect.fail(tooSlow(ask, limits.answerMs)),
    })
    yield* opening
    return yield* Effect.acquireRelease(
      Effect.sync(() => new OpenFrameTunnel(connection, { socket, ask, limits })),
      (tunnel) => Effect.sync(() => tunnel.close()),
    )
  })

/** On a connection that is there already, whatever it is encrypted by. */
const webSocketOn = (connection: Socket, ask: TunnelAsk): WebSocket =>
  new WebSocket(`ws://${new URL(ask.target.origin).host}${ask.path}`, {
    createConnection: () => connection,
    headers: authorization(connection, ask.target),
    followRedirects: false,
    maxPayload: MAX_PICTURE_BYTES,
    perMessageDeflate: false,
    skipUTF8Validation: true,
    maxHeaderSize: MAX_HEAD_BYTES,
    ...PONGS,
  })

/** Waits until it is open, and paused: the first frame waits for the first viewer. */
const opened = (connection: Socket, socket: WebSocket, ask: TunnelAsk): Effect.Effect<void, Fault> =>
  Effect.callback((resume) => {
    const fail = (fault: Fault) => resume(Effect.fail(fault))
    socket.on('error', (error) => fail(faultOf(ask, error)))
    socket.once('close', () => fail(goneAway(ask)))
    socket.once('unexpected-response', (_, response: IncomingMessage) => {
      bodyIn(response, (body) => fail(refusalOf(ask, response.statusCode ?? 0, body)))
    })
    socket.once('open', () => {
      readFramesInTurns(connection, (what) => socket.emit('error', new Error(`it has sent ${what}`)))
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
    if (bytes > MAX_REFUSAL_BYTES) response.destroy()
    else chunks.push(chunk)
  })
  response.once('close', () => done(Buffer.concat(chunks)))
  response.on('error', () => {}) // its close comes, too
}

const faultOf = (ask: TunnelAsk, { code = '', message }: NodeJS.ErrnoException): Fault =>
  /^(HPE|WS_ERR)_/.test(code) || code === '' ? badAnswer(ask, message) : goneAway(ask)

const TRY_AGAIN_LATER = 1013
const CLOSE_LIMIT_MS = 1_000 // a goodbye waits for an answer

const MANNERS: Manners<FrameViewer> = {
  hasRoom: (viewer) => viewer.bufferedAmount === 0 && viewer.readyState === viewer.OPEN,
  cutOff: (viewer) => viewer.terminate(),
  letGo: (viewer) => {
    viewer.close(TRY_AGAIN_LATER, 'nothing comes from the other device any more')
    setTimeout(() => viewer.terminate(), CLOSE_LIMIT_MS).unref()
  },
}

interface Opened {
  readonly socket: WebSocket
  readonly ask: TunnelAsk
  readonly limits: TunnelLimits
}

/** One WebSocket whose messages are passed on. */
class OpenFrameTunnel implements Tunnel<FrameViewer> {
  readonly #socket: WebSocket
  readonly #viewers = new Viewers<FrameViewer>(MANNERS)
  readonly #stallWatch: StallWatch
  readonly #end = Deferred.makeUnsafe<never, Fault>()
  readonly ended = Deferred.await(this.#end)
  #isBegun = false
  #isClosed = false

  constructor(connection: Socket, { socket, ask, limits }: Opened) {
    this.#socket = socket
    const counter = new MessageCounter(() => this.#stallWatch.whole())
    const upstream = {
      isWithin: () => counter.isWithin,
      pause: () => socket.pause(),
      resume: () => socket.resume(),
    }
    let fault = goneAway(ask)
    const over = () => {
      Deferred.doneUnsafe(this.#end, Effect.fail(fault))
      this.close()
    }
    this.#stallWatch = new StallWatch(limits, this.#viewers, upstream, (why) => {
      fault = badAnswer(ask, why)
      over()
    })
    connection.on('data', (chunk: Buffer) => counter.take(chunk))
    socket.on('error', (error) => {
      fault = faultOf(ask, error)
      socket.terminate() // the library would read on and wait for a goodbye
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
    viewer.once('close', left)
    if (this.#isClosed) {
      MANNERS.letGo(viewer)
      return
    }
    this.#viewers.add(viewer)
    if (!this.#isBegun) setImmediate(() => this.#begin()) // so that those who waited together see the same first frame
    this.#stallWatch.listen()
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#stallWatch.stop()
    this.#socket.terminate()
    this.#viewers.close()
  }

  #begin(): void {
    if (this.#isBegun) return
    this.#isBegun = true
    this.#socket.resume()
  }

  #pass(message: Buffer, isBinary: boolean): void {
    if (this.#isClosed) return
    this.#viewers.begin()
    for (const viewer of this.#viewers.admitted) viewer.send(message, { binary: isBinary })
    this.#viewers.end()
  }
}
