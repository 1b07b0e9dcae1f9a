// How long a request may take to arrive. Node has one limit for all requests of a server; an upload has another than
// the rest, so the rest is limited here.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

const REQUEST_LIMIT_MS = 30_000 // 1 MiB over a bad link
/** Of any request, whatever its handler says: an upload may take an hour. */
export const MAX_REQUEST_MS = 4_000_000
/**
 * How long the rest of an unwanted body is read and thrown away: a client that is cut off while it sends cannot read
 * the answer.
 */
const REST_LIMIT_MS = 5_000

const timers = new WeakMap<IncomingMessage, NodeJS.Timeout>()

/**
 * Ends requests whose bodies do not arrive in time. late: answers on the socket of one that was not answered, and
 * closes it.
 */
export const limitRequests = (app: FastifyInstance, late: (socket: Socket) => void): void => {
  app.server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!hasBody(request)) return // it is here whole
    limit(request, REQUEST_LIMIT_MS, () => {
      if (response.writableEnded) request.socket.destroy()
      else late(request.socket)
    })
  })
}

/** Lets a request take as long as it needs. The caller sees to it that it does not take for ever. */
export const liftLimit = (request: IncomingMessage): void => clearTimeout(timers.get(request))

/** Reads and throws away what still comes of a request that is about to be answered. */
export const discardBody = (request: IncomingMessage): void => {
  if (request.readableEnded || request.destroyed) return
  request.resume()
  limit(request, REST_LIMIT_MS, () => request.destroy())
}

const limit = (request: IncomingMessage, limitMs: number, end: () => void): void => {
  clearTimeout(timers.get(request))
  const timer = setTimeout(end, limitMs).unref()
  timers.set(request, timer)
  for (const over of ['end', 'close']) request.once(over, () => clearTimeout(timer))
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
