// What the HTTP parser of the NT4 port cannot read.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

const answer = (status: string, body: string): string =>
  `HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-type: text/plain; charset=utf-8\r\n` +
  `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`

const NO_HTTP = answer('400 Bad Request', 'this is no HTTP\n')
const ANSWERS: ReadonlyMap<string | undefined, string> = new Map([
  ['HPE_HEADER_OVERFLOW', answer('431 Request Header Fields Too Large', 'the headers are too long\n')],
  ['ERR_HTTP_REQUEST_TIMEOUT', answer('408 Request Timeout', 'the request did not arrive in time\n')],
])

/**
 * Answers it once, and closes. Node by itself would answer also the rest of a request that has its answer: all are
 * answered here at once, as soon as their headers have arrived.
 */
export const answerUnreadable = (http: Server): void => {
  const newest = new WeakMap<Socket, () => boolean>()
  http.prependListener('request', (request: IncomingMessage, response: ServerResponse) =>
    newest.set(request.socket, () => request.complete && response.shouldKeepAlive),
  )
  http.on('clientError', ({ code }: NodeJS.ErrnoException, socket: Socket) => {
    if (!socket.writable) return socket.destroySoon()
    const isOwed = newest.get(socket)?.() ?? true
    socket.end(isOwed ? (ANSWERS.get(code) ?? NO_HTTP) : '')
    socket.destroySoon()
  })
}
