// Requests that end early, and all that is answered to them on a connection, byte for byte.
import { once } from 'node:events'
import type { Duplex } from 'node:stream'
import { arrival } from '../until.ts'

/** What a client sends, and sends after the first answer, before it shuts its side. */
export interface EarlyEnd {
  readonly sends: string
  readonly more?: string
  /** How many answers there may be: one for each request that was begun. */
  readonly answers: number
}

const head = (line: string, ...headers: string[]): string =>
  `${[`${line} HTTP/1.1`, 'Host: localhost', ...headers].join('\r\n')}\r\n\r\n`
const LENGTH = 'Content-Length: 5000'
const CHUNKED = 'Transfer-Encoding: chunked'
const JSON_TYPE = 'Content-Type: application/json'

/** By what is sent. page: a path where GET is answered. */
export const earlyEnds = (page: string): Readonly<Record<string, EarlyEnd>> => {
  const whole = head(`GET ${page}`)
  const nothing = `${head('POST /nothing', LENGTH)}ab`
  const withBody = `${head(`GET ${page}`, LENGTH)}ab`
  const chunk = head('POST /nothing', CHUNKED)
  return {
    'a body for nothing at all that breaks off': oneRequest(nothing),
    'a body for nothing at all that breaks off after the answer': oneRequest(nothing, 'cd'),
    'a chunk for nothing at all that breaks off': oneRequest(`${chunk}5\r\nab`),
    'a chunk that is none, after the answer': oneRequest(`${chunk}5\r\nabcde\r\n`, 'zz\r\n'),
    'a body for a page that breaks off': oneRequest(withBody),
    'a body for a page that breaks off after the answer': oneRequest(withBody, 'c'),
    'another method with a body that breaks off': oneRequest(`${head(`PUT ${page}`, LENGTH)}ab`),
    'a document that breaks off': oneRequest(`${head('POST /v1/streams/validate', JSON_TYPE, LENGTH)}{`),
    'an upload that breaks off': oneRequest(`${head('POST /v1/media?name=a', 'Content-Type: image/png', LENGTH)}ab`),
    'a foreign name with a body that breaks off': oneRequest(
      `POST / HTTP/1.1\r\nHost: evil.example\r\n${LENGTH}\r\n\r\nab`,
    ),
    'a head that breaks off': oneRequest(whole.slice(0, -8)),
    'no head at all': oneRequest('nonsense\r\n\r\n'),
    'a whole request, and half of another': { sends: `${whole}${whole.slice(0, -8)}`, answers: 2 },
    'a whole request, and another with a body that breaks off': { sends: `${whole}${nothing}`, answers: 2 },
    'nonsense after the last request': oneRequest(`${head(`GET ${page}`, 'Connection: close')}\0nonsense`),
    'a promise to send that is not kept': oneRequest(head('POST /nothing', LENGTH, 'Expect: 100-continue')),
  }
}

/** One request. more: what is sent after its answer. */
const oneRequest = (sends: string, more?: string): EarlyEnd => ({
  sends,
  answers: 1,
  ...(more !== undefined && { more }),
})

/**
 * The status of each answer that comes until the other side shuts the connection. socket: connected, and open the other
 * way when one side is shut.
 */
export const statusesTo = async (socket: Duplex, { sends, more }: EarlyEnd): Promise<number[]> => {
  let text = ''
  socket.on('error', () => {}) // a reset, where the other side did not read it all
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1')
  })
  const closed = once(socket, 'close')
  socket.write(sends)
  if (more !== undefined) {
    await arrival('the first answer', once(socket, 'data'))
    socket.write(more)
  }
  socket.end()
  await arrival('the end of the connection', closed, () => text)
  const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status))
  return statuses.filter((status) => status >= FIRST_FINAL_STATUS)
}

const FIRST_FINAL_STATUS = 200
