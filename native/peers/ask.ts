// One request to a peer, on a connection of its own. That costs a handshake; a connection that was kept may be gone
// without anybody knowing, and then nobody could say whether a command has left.
import type { ClientRequest, IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Socket } from 'node:net'
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import { authorization } from './authorization.ts'
import { DIAL_LIMIT_MS, placeOf } from './dial.ts'
import { badAnswer, noAnswer, noConnection, tooSlow, unanswered } from './faults.ts'
import type { PeerAnswer, PeerRequest, PeerTarget, PeerWire } from './port.ts'

const QUESTIONS: ReadonlySet<string> = new Set(['GET', 'HEAD'])

/** Makes `ask` of a dialler. */
export const askerOf =
  (dial: PeerWire['dial']): PeerWire['ask'] =>
  (target, request, connected = () => {}) =>
    Effect.suspend(() => {
      let hasConnected = false
      const { origin } = target
      const { limitMs } = request
      return dial(target, Math.min(limitMs, DIAL_LIMIT_MS)).pipe(
        Effect.tap(() =>
          Effect.sync(() => {
            hasConnected = true
            connected()
          }),
        ),
        Effect.flatMap((socket) => answerOn(socket, target, request)),
        Effect.scoped,
        Effect.timeoutOrElse({
          duration: limitMs,
          orElse: () =>
            Effect.fail(
              hasConnected ? tooSlow(origin, limitMs, QUESTIONS.has(request.method)) : noConnection(origin, limitMs),
            ),
        }),
      )
    })

const answerOn = (
  socket: Socket,
  target: PeerTarget,
  { method, path, body, headers, maxBytes }: PeerRequest,
): Effect.Effect<PeerAnswer, Fault> =>
  Effect.callback((resume) => {
    const { origin } = target
    const text = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
    const fail = (fault: Fault) => {
      socket.destroy()
      resume(Effect.fail(fault))
    }
    const isQuestion = QUESTIONS.has(method)
    const silence = isQuestion ? unanswered : noAnswer
    // A question that was answered with nonsense has changed nothing; of an order that was, nobody knows.
    const nonsense = (why: string) => (isQuestion ? badAnswer(origin, why) : noAnswer(origin, why))
    // `node:https` speaks plain HTTP as well, on a socket that is given to it. Without an agent nothing is kept,
    // resumed or followed.
    const request: ClientRequest = httpsRequest({
      method,
      path,
      createConnection: () => socket,
      headers: {
        host: placeOf(origin).authority,
        accept: 'application/json',
        connection: 'close',
        ...(text && { 'content-type': 'application/json', 'content-length': String(text.length) }),
        ...headers,
        ...authorization(socket, target),
      },
    })
    request.on('error', ({ code = '', message }: NodeJS.ErrnoException) =>
      fail(code.startsWith('HPE_') ? nonsense(`it is not HTTP: ${code}`) : silence(origin, code || message)),
    )
    request.on('upgrade', () => fail(nonsense('it changes the protocol without being asked to')))
    request.on('response', (response) => {
      collect(response, maxBytes, (found) => {
        if (typeof found === 'string') fail(nonsense(found))
        else if (found === undefined) fail(silence(origin, 'the connection ended in the middle of it'))
        else resume(Effect.succeed({ status: response.statusCode ?? 0, headers: response.headers, body: found }))
      })
    })
    request.end(text)
    return Effect.sync(() => socket.destroy())
  })

/** done: with the whole body, undefined when the connection ended before, or what is wrong with it. */
const collect = (
  response: IncomingMessage,
  maxBytes: number,
  done: (found: Buffer | string | undefined) => void,
): void => {
  const tooLong = `it is longer than ${maxBytes} bytes`
  if (Number(response.headers['content-length'] ?? 0) > maxBytes) done(tooLong)
  const chunks: Buffer[] = []
  let length = 0
  response.on('data', (chunk: Buffer) => {
    length += chunk.length
    if (length > maxBytes) done(tooLong)
    else chunks.push(chunk)
  })
  response.on('error', () => done(undefined))
  response.on('close', () => done(response.complete ? Buffer.concat(chunks) : undefined))
}
