// A WebSocket to a peer, on a connection that has been checked.
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import * as Deferred from 'effect/Deferred'
import * as Effect from 'effect/Effect'
import { WebSocket } from 'ws'
import type { Fault } from '../../machines/errors/fault.ts'
import { isAboutWhoAsks } from '../../machines/interdevice/problem.ts'
import { inSentence } from '../../machines/schema/quote.ts'
import { monotonicUs } from '../clock/system.ts'
import { readFramesInTurns } from '../sockets/reading.ts'
import { authorization, isWithheld } from './authorization.ts'
import { DIAL_LIMIT_MS, placeOf } from './dial.ts'
import { badAnswer, ended, floods, refusesUs, tokenWithheld } from './faults.ts'
import type { PeerSocket, PeerTarget, PeerWire } from './port.ts'

const HANDSHAKE_LIMIT_MS = 5_000
const MAX_MESSAGE_BYTES = 64 * 1024 // an event is a few hundred

/** Makes `follow` of a dialler. */
export const followerOf =
  (dial: PeerWire['dial']): PeerWire['follow'] =>
  (target, path, heard) =>
    Effect.gen(function* () {
      const socket = yield* dial(target, DIAL_LIMIT_MS)
      const ws = yield* Effect.acquireRelease(
        Effect.sync(() => webSocketOn(socket, target, path)),
        (ws) => Effect.sync(() => ws.terminate()),
      )
      const end = Deferred.makeUnsafe<never, Fault>()
      ws.on('message', (data, isBinary) => heard(data as Buffer, isBinary))
      const pings = pingsOf(ws)
      ws.on('ping', (data) => {
        // a peer that sends pings and reads no answers has none kept for it
        if (socket.writableLength === 0) ws.pong(data)
      })
      const refused = isWithheld(socket, target) ? tokenWithheld : refusesUs
      yield* Effect.timeoutOrElse(opened(ws, { socket, origin: target.origin, refused }, end), {
        duration: HANDSHAKE_LIMIT_MS, // the library's limit begins again with each byte
        orElse: () => Effect.fail(badAnswer(target.origin, 'it does not open its events')),
      })
      return { ended: Deferred.await(end), send: (text) => send(ws, text), ping: pings } satisfies PeerSocket
    })

const webSocketOn = (socket: Socket, target: PeerTarget, path: string): WebSocket =>
  new WebSocket(`ws://${placeOf(target.origin).authority}${path}`, {
    createConnection: () => socket,
    headers: authorization(socket, target),
    handshakeTimeout: HANDSHAKE_LIMIT_MS,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
    autoPong: false,
  })

/** refused: what a 401 or 403 means. */
interface Opening {
  readonly socket: Socket
  readonly origin: string
  readonly refused: (origin: string, status: number) => Fault
}

/** Waits for the handshake; tells `end` of the end, also of one that comes before. */
const opened = (
  ws: WebSocket,
  { socket, origin, refused }: Opening,
  end: Deferred.Deferred<never, Fault>,
): Effect.Effect<void, Fault> =>
  Effect.callback((resume) => {
    let error: NodeJS.ErrnoException | undefined
    const fail = (fault: Fault) => {
      Deferred.doneUnsafe(end, Effect.fail(fault))
      resume(Effect.fail(fault))
    }
    ws.on('error', (each) => {
      error = each
      ws.terminate() // the library would read on, up to a close that never comes
    })
    ws.on('unexpected-response', (request, { statusCode = 0 }: IncomingMessage) => {
      fail(
        isAboutWhoAsks(statusCode)
          ? refused(origin, statusCode)
          : badAnswer(origin, `it opens no WebSocket (${statusCode})`),
      )
      request.destroy()
    })
    ws.on('close', (code, reason) => {
      const why = error?.message ?? (inSentence(reason.toString()) || `code ${code}`)
      fail(error?.code?.startsWith('WS_ERR_') ? badAnswer(origin, why) : ended(origin, why))
    })
    ws.once('open', () => {
      readFramesInTurns(socket, (what) => fail(floods(origin, what)))
      resume(Effect.void)
    })
  })

const send = (ws: WebSocket, text: string): void => {
  if (ws.readyState === WebSocket.OPEN) ws.send(text)
}

/** A ping is told from others by its number. One at a time is waited for; a later one takes the place of an earlier. */
const pingsOf = (ws: WebSocket): PeerSocket['ping'] => {
  let sent = 0
  let sentUs = 0
  let tell: (roundTripMs: number) => void = () => {}
  ws.on('pong', (data) => {
    if (data.toString() === String(sent)) tell((monotonicUs() - sentUs) / 1_000)
  })
  return (answered) => {
    if (ws.readyState !== WebSocket.OPEN) return
    sent += 1
    sentUs = monotonicUs()
    tell = answered
    ws.ping(String(sent))
  }
}
