// The gate of the NT4 server: reads what a request says about itself, and answers those that may not pass.
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type Nt4Access, type Nt4AccessRules, nt4Access } from '../../../machines/nt4/access.ts'

/** Decides about a request as it came. */
export const admit = (request: IncomingMessage, rules: Nt4AccessRules): Nt4Access => {
  const { rawHeaders, headers, url = '/' } = request
  return nt4Access(
    {
      target: url,
      hosts: rawHeaders.filter((_, n) => n % 2 === 1 && rawHeaders[n - 1]?.toLowerCase() === 'host'),
      origin: headers.origin,
      upgrade: headers.upgrade !== undefined,
    },
    rules,
  )
}

/** The HTTP status of each refusal. */
export const REFUSAL_STATUS = { malformed: 400, foreign: 403, misdirected: 421 } as const

const REFUSAL_LINE = { malformed: '400 Bad Request', foreign: '403 Forbidden', misdirected: '421 Misdirected Request' }

/** Answers a request for a WebSocket that may not pass, and ends its connection. */
export const refuseUpgrade = (stream: Duplex, { outcome, reason }: Exclude<Nt4Access, { outcome: 'passes' }>): void => {
  const body = `${reason}\n`
  stream.on('error', () => {})
  stream.once('finish', () => stream.destroy())
  stream.end(
    `HTTP/1.1 ${REFUSAL_LINE[outcome]}\r\nconnection: close\r\ncontent-type: text/plain; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}
