// One request on a connection of its own, and the answer up to the end of its head. What follows stays on the
// connection.
import type { Socket } from 'node:net'
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import { authorization } from '../peers/authorization.ts'
import { badAnswer as badAnswerOf } from '../peers/faults.ts'
import { MAX_HEAD_BYTES, MAX_REFUSAL_BYTES } from './limits.ts'
import type { TunnelAsk } from './port.ts'

const END_OF_HEAD = '\r\n\r\n'
const STATUS_LINE = /^HTTP\/1\.[01] ([1-5]\d\d)(?: [\t\x20-\x7e\x80-\xff]*)?$/
const HEADER_LINE = /^([\w!#$%&'*+.^`|~-]+):[\t ]*([\t\x20-\x7e\x80-\xff]*?)[\t ]*$/

/** The head of another device's answer. */
export interface Answer {
  readonly status: number
  /** By name in lower case; of several of one name the last. */
  readonly headers: ReadonlyMap<string, string>
  /** What came behind the head with it. */
  readonly rest: Buffer
}

/** What came is no answer. */
export const badAnswer = ({ target }: TunnelAsk, why: string): Fault => badAnswerOf(target.origin, why)

/** The connection ended too early. */
export const goneAway = ({ target }: TunnelAsk): Fault => ({
  code: 'peer.unreachable',
  detail: `${target.origin} has ended the connection; ask again`,
})

/** There was no answer in time. */
export const tooSlow = ({ target }: TunnelAsk, limitMs: number): Fault => ({
  code: 'peer.too_slow',
  detail: `${target.origin} has not answered within ${limitMs / 1000} s; ask again when it is less busy`,
})

/** Asks with GET. The connection is paused when it succeeds, and nobody listens to it any more. */
export const askOn = (connection: Socket, ask: TunnelAsk, limitMs: number): Effect.Effect<Answer, Fault> => {
  const headers = {
    host: new URL(ask.target.origin).host,
    accept: 'multipart/x-mixed-replace',
    connection: 'close',
    ...authorization(connection, ask.target),
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  connection.on('error', () => {}) // its end says it
  connection.write(`GET ${ask.path} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1')
  return gathered(connection, ask, { limitMs, maxBytes: MAX_HEAD_BYTES, whole: headIn }).pipe(
    Effect.flatMap((found) => (typeof found === 'string' ? Effect.fail(badAnswer(ask, found)) : Effect.succeed(found))),
  )
}

/** The body of a short answer, where it says how long it is and comes in time; else nothing. */
export const bodyOf = (
  connection: Socket,
  ask: TunnelAsk,
  { headers, rest }: Answer,
  limitMs: number,
): Effect.Effect<Buffer> => {
  const length = Number(headers.get('content-length') ?? 0)
  if (!(length <= MAX_REFUSAL_BYTES) || headers.has('transfer-encoding')) return Effect.succeed(NOTHING)
  if (rest.length >= length) return Effect.succeed(rest.subarray(0, length))
  const left = length - rest.length
  const whole = (bytes: Buffer) => (bytes.length >= left ? bytes.subarray(0, left) : undefined)
  return gathered(connection, ask, { limitMs, maxBytes: left, whole }).pipe(
    Effect.match({ onSuccess: (bytes) => Buffer.concat([rest, bytes]), onFailure: () => NOTHING }),
  )
}

const NOTHING = Buffer.alloc(0)

/** whole: what was wanted, once it is among the bytes that came. */
interface Wanted<T> {
  readonly limitMs: number
  readonly maxBytes: number
  readonly whole: (bytes: Buffer) => T | undefined
}

/** Reads until something is whole. */
const gathered = <T>(
  connection: Socket,
  ask: TunnelAsk,
  { limitMs, maxBytes, whole }: Wanted<T>,
): Effect.Effect<T, Fault> =>
  Effect.callback((resume) => {
    let bytes: Buffer = NOTHING
    const stop = () => {
      clearTimeout(timer)
      connection.off('data', take).off('end', gone).off('close', gone).pause()
    }
    const over = (result: Effect.Effect<T, Fault>) => {
      stop()
      resume(result)
    }
    const gone = () => over(Effect.fail(goneAway(ask)))
    const take = (chunk: Buffer) => {
      bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk])
      const found = whole(bytes)
      if (found !== undefined) over(Effect.succeed(found))
      else if (bytes.length > maxBytes)
        over(Effect.fail(badAnswer(ask, `its head has no end within ${maxBytes} bytes`)))
    }
    const timer = setTimeout(() => over(Effect.fail(tooSlow(ask, limitMs))), limitMs)
    if (connection.destroyed) return gone()
    connection.on('data', take).once('end', gone).once('close', gone).resume()
    return Effect.sync(stop)
  })

/** The answer, once its head is whole; or why there is none. */
const headIn = (bytes: Buffer): Answer | string | undefined => {
  const end = bytes.subarray(0, MAX_HEAD_BYTES).indexOf(END_OF_HEAD, 0, 'latin1')
  if (end < 0) return undefined
  const [first = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n')
  const status = STATUS_LINE.exec(first)?.[1]
  if (status === undefined) return 'it is not HTTP; is the address that of an HTTPS port?'
  const headers = new Map<string, string>()
  for (const line of lines) {
    const [, name, value] = HEADER_LINE.exec(line) ?? []
    if (name === undefined || value === undefined) return 'its head has a line that is no header'
    headers.set(name.toLowerCase(), value)
  }
  return { status: Number(status), headers, rest: bytes.subarray(end + END_OF_HEAD.length) }
}
