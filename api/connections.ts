// Connections below the level of requests: how many there may be, what to tell one that does not speak HTTP, and taking one over.
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Fault } from '../machines/fault.ts'
import { SUCCESS } from './faults.ts'
import { fault, PROBLEM_MEDIA_TYPE, problemOf, sendProblem } from './problem.ts'

/** A robot has a handful of clients; each connection above this is told so and closed. */
export const MAX_CONNECTIONS = 256

const hijacked = new WeakSet<Socket>()

/** Takes the socket of a request over for good: sends the head of the answer and leaves the rest to the caller. */
export const hijack = (reply: FastifyReply, headers: Readonly<Record<string, string>>): Socket => {
  const { socket } = reply.request.raw
  reply.hijack()
  hijacked.add(socket)
  socket.setTimeout(0)
  socket.setNoDelay(true)
  const all = { ...reply.getHeaders(), ...headers, date: new Date().toUTCString(), connection: 'close' }
  socket.write(`${statusLine(SUCCESS.ok)}${headerLines(all)}\r\n`)
  return socket
}

const CLOSE_LIMIT_MS = 500

/** Refuses the requests of connections that are too many, and leaves none open when the server closes. */
export const watchConnections = (app: FastifyInstance): void => {
  const open = new Set<Socket>()
  app.server.maxConnections = 2 * MAX_CONNECTIONS // beyond that there is no politeness: the kernel closes
  app.server.on('connection', (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  app.addHook('onRequest', async (_request, reply) => {
    if (open.size <= MAX_CONNECTIONS) return
    reply.headers({ connection: 'close', 'retry-after': '1' })
    return sendProblem(
      reply,
      fault('service.busy', `${open.size} connections are open; at most ${MAX_CONNECTIONS} are served`),
    )
  })
  app.addHook('preClose', async () => {
    // Node forgets connections that were upgraded, so it does not end them.
    setTimeout(() => {
      for (const socket of open) socket.destroy()
    }, CLOSE_LIMIT_MS).unref()
  })
}

/** Answers what the HTTP parser could not read, and closes. */
export const answerUnreadable = (error: Error & { readonly code?: string }, socket: Socket): void => {
  const found = faultOf(error)
  if (!found || hijacked.has(socket) || !socket.writable) {
    socket.destroy()
    return
  }
  const problem = problemOf(found, '', '')
  const body = JSON.stringify(problem)
  const headers = {
    'content-type': PROBLEM_MEDIA_TYPE,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }
  socket.end(`${statusLine(problem.status)}${headerLines(headers)}\r\n${body}`)
}

const faultOf = ({ code = '', message }: { readonly code?: string; readonly message: string }): Fault | undefined => {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return fault('request.timeout', 'the request did not arrive in time')
  if (code === 'HPE_HEADER_OVERFLOW') return fault('header.too_large', 'the headers exceed 16 KiB')
  return code.startsWith('HPE_') ? fault('request.malformed', message) : undefined
}

const statusLine = (status: number): string => `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`

const headerLines = (headers: Readonly<Record<string, unknown>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')
