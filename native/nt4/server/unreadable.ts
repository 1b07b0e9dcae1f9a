// What the HTTP parser of the NT4 port cannot read.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

const BODY = 'this is no HTTP\n'
const ANSWER = `HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-type: text/plain; charset=utf-8\r\n\
content-length: ${Buffer.byteLength(BODY)}\r\n\r\n${BODY}`

/**
 * Answers it once, and closes. Node by itself would answer also the rest of a request that has its answer: all are
 * answered here at once, as soon as their headers have arrived.
 */
export const answerUnreadable = (http: Server): void => {
  const newest = new WeakMap<Socket, () => boolean>()
  http.prependListener('request', (request: IncomingMessage, response: ServerResponse) =>
    newest.set(request.socket, () => request.complete && response.shouldKeepAlive),
  )
  http.on('clientError', (_error, socket: Socket) => {
    if (!socket.writable) return socket.destroySoon()
    const isOwed = newest.get(socket)?.() ?? true
    socket.end(isOwed ? ANSWER : '')
    socket.destroySoon()
  })
}
