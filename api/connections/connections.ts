// Connections below the level of requests: how many there may be, which are closed when there are more, and taking one
// over.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Fault } from '../../machines/errors/fault.ts'
import { plainAddress } from '../../machines/http/access.ts'
import {
  type Admission,
  admission,
  hasRoomToListen,
  MAX_CONNECTIONS,
  MAX_LISTENERS,
  type Occupant,
  stillSinceMs,
} from '../../machines/http/admission.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { SUCCESS } from '../problems/faults.ts'
import { fault, sendProblem } from '../problems/problem.ts'

const { STATUS_CODES } = process.getBuiltinModule('node:http') // an import would load the whole of fetch

const held = new WeakSet<Socket>()
const answeredForGood = new WeakSet<Socket>()
const watched = new WeakSet<ServerResponse>()

/** Whether a socket was taken over from HTTP, for pictures or as a WebSocket. */
export const isHeld = (socket: Socket): boolean => held.has(socket)

/**
 * Marks an answer that comes at its own pace. Its reader counts as at work until its end; the maker of the answer ends
 * it when nothing is taken.
 */
export const keepForViewer = (reply: FastifyReply): void => {
  watched.add(reply.raw)
}

/** Whether a reply is the next to go out on its connection: a client may ask further before it was answered. */
export const isNext = (reply: FastifyReply): boolean => reply.raw.socket !== null

/**
 * Takes over the socket of a request, whose reply must be the next, for good: sends the head of the answer and leaves
 * the rest to the caller.
 */
export const hijack = (reply: FastifyReply, headers: Readonly<Record<string, string>>): Socket => {
  const { socket } = reply.request.raw
  reply.hijack()
  held.add(socket)
  answeredForGood.add(socket)
  socket.setTimeout(0)
  socket.setNoDelay(true)
  const all = { ...reply.getHeaders(), ...headers, date: new Date().toUTCString(), connection: 'close' }
  socket.write(answerHead(SUCCESS.ok, all))
  return socket
}

/**
 * Does something with a socket once every request that came whole on it is answered, and every answer that has begun is
 * out. isOwed: what came last on it has had no answer yet. One that was answered before its body was here whole has had
 * its own, whatever becomes of the rest.
 */
export const afterAnswers = (socket: Socket, then: (isOwed: boolean) => void): void => {
  const connection = connectionOf.get(socket)
  if (connection) connection.afterAnswers(then)
  else then(true)
}

/** A connection that only listens from now on leaves its place to others, as long as there are places for listeners. */
export const onlyListens = (socket: Socket): void => connectionOf.get(socket)?.listens()

/** The first lines of an answer that is written by hand, up to the empty one. */
export const answerHead = (status: number, headers: Readonly<Record<string, unknown>>): string => {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n`
}

const CLOSE_LIMIT_MS = 500

/** Keeps the connections of a server within their limits, and leaves none open when it closes. */
export const watchConnections = (app: FastifyInstance): void => {
  const open = new Connections()
  app.server.maxConnections = MAX_AT_ONCE
  app.server.on('connection', (socket) => open.enter(socket))
  app.server.prependListener('request', (request, response) => open.of(request.socket)?.asks(request, response))
  app.server.prependListener('upgrade', (request: IncomingMessage, socket: Socket) => {
    held.add(socket)
    open.of(socket)?.asks(request)
  })
  app.addHook('onRequest', async (request, reply) => {
    const { socket } = request.raw
    if (answeredForGood.has(socket)) {
      // It was told that the connection closes with that answer; whatever it asks for could never be answered.
      reply.hijack()
      socket.destroy()
      return
    }
    const refusal = open.of(request.raw.socket)?.refusal()
    if (!refusal) return
    reply.headers({ connection: 'close', 'retry-after': '1' })
    return sendProblem(reply, refusal)
  })
  app.addHook('preClose', async () => {
    // Node forgets connections that were upgraded, so it does not end them.
    setTimeout(() => open.endAll(), CLOSE_LIMIT_MS).unref()
  })
}

/** So many that found no place are kept until they ask, to be told why; beyond that the first of them is cut off. */
const MAX_WAITING = 32

/**
 * Where Node begins to cut off newcomers unseen: all that have places and, since a burst may fill the queue of the
 * kernel, 511, before one that has to go is gone, so many more.
 */
const MAX_AT_ONCE = MAX_CONNECTIONS + MAX_LISTENERS + 768

/** The connections of one server. */
class Connections {
  readonly #placed = new Set<Connection>()
  readonly #waiting = new Set<Connection>() // found no place
  readonly #byPeer = new Map<string, Connection>()

  enter(socket: Socket): void {
    const peer = peerOf(socket)
    if (peer === undefined) {
      socket.destroy() // it left while it waited to be accepted
      return
    }
    const connection = new Connection(socket, {
      refusal: () => this.#refusalOf(connection),
      mayListen: () => this.#placed.has(connection) && hasRoomToListen([...this.#placed]),
    })
    this.#byPeer.set(peer, connection)
    socket.once('close', () => {
      this.#placed.delete(connection)
      this.#waiting.delete(connection)
      if (this.#byPeer.get(peer) === connection) this.#byPeer.delete(peer)
    })
    if (this.#place(connection).outcome === 'full') this.#wait(connection)
  }

  /** By the address of its peer: over TLS the socket of a request is another than that which was accepted. */
  of(socket: Socket): Connection | undefined {
    return this.#byPeer.get(peerOf(socket) ?? '')
  }

  endAll(): void {
    for (const connection of this.#byPeer.values()) connection.end()
  }

  #place(connection: Connection): Admission<Connection> {
    const found = admission([...this.#placed], connection.address)
    if (found.outcome === 'full') return found
    if (found.outcome === 'instead-of') {
      this.#placed.delete(found.occupant)
      found.occupant.end()
    }
    this.#waiting.delete(connection)
    this.#placed.add(connection)
    return found
  }

  #wait(connection: Connection): void {
    const [first] = this.#waiting
    if (first && this.#waiting.size >= MAX_WAITING) {
      this.#waiting.delete(first)
      first.end()
    }
    this.#waiting.add(connection)
  }

  #refusalOf(connection: Connection): Fault | undefined {
    if (!this.#waiting.has(connection)) return undefined
    const found = this.#place(connection) // one may have become free since
    if (found.outcome !== 'full') return undefined
    const whose = found.of === 'address' ? ` from ${connection.address}` : ''
    const all = oneLine`
      ${found.limit} connections${whose} are open and none of them is idle; at most ${found.limit} are served
    `
    return fault('service.busy', `${all}; try again in a second, or close some that are not needed`)
  }
}

/** By the socket of its requests. */
const connectionOf = new WeakMap<Socket, Connection>()

/** One connection, from its acceptance on. */
class Connection implements Occupant {
  readonly address: string
  /** The fault to answer its request with when it has no place. */
  readonly refusal: () => Fault | undefined
  isListener = false
  readonly #mayListen: () => boolean
  readonly #socket: Socket
  readonly #exchanges = new Set<Exchange>()
  #top: Socket // that of its requests
  #sinceMs = performance.now()
  #newest: Exchange | undefined
  #afterAnswers: ((isOwed: boolean) => void) | undefined

  constructor(socket: Socket, { refusal, mayListen }: Pick<Connection, 'refusal'> & { mayListen: () => boolean }) {
    this.address = plainAddress(socket.remoteAddress ?? '')
    this.refusal = refusal
    this.#mayListen = mayListen
    this.#socket = socket
    this.#top = socket
  }

  /**
   * At work: it is watched, or an answer is being made. What only has to arrive or to be fetched counts by what moves,
   * however long it is.
   */
  get idleSinceMs(): number | null {
    if (isHeld(this.#top)) return null
    const exchanges = [...this.#exchanges]
    if (exchanges.some((each) => each.isAtWork)) return null
    const moved = movedBytes(this.#top)
    const nowMs = performance.now()
    return Math.max(
      this.#sinceMs,
      ...exchanges.map(({ beganMs, movedBefore }) => stillSinceMs(beganMs, moved - movedBefore, nowMs)),
    )
  }

  /** A request has arrived up to the end of its headers. response: none for one that leaves HTTP. */
  asks(request: IncomingMessage, response?: ServerResponse): void {
    this.#top = request.socket
    this.#sinceMs = performance.now()
    connectionOf.set(this.#top, this)
    if (!response) return
    const exchange: Exchange = {
      beganMs: this.#sinceMs,
      movedBefore: movedBytes(this.#top),
      get isHereWhole() {
        return request.complete
      },
      get hasBegun() {
        return response.headersSent
      },
      get isAtWork() {
        return request.complete && (watched.has(response) ? !response.writableEnded : !response.headersSent)
      },
    }
    this.#exchanges.add(exchange)
    this.#newest = exchange
    response.once('close', () => {
      this.#exchanges.delete(exchange)
      this.#sinceMs = performance.now()
      if (this.#afterAnswers) this.afterAnswers(this.#afterAnswers)
    })
  }

  listens(): void {
    this.isListener ||= this.#mayListen()
  }

  afterAnswers(then: (isOwed: boolean) => void): void {
    const mustWait = [...this.#exchanges].some(({ isHereWhole, hasBegun }) => isHereWhole || hasBegun)
    this.#afterAnswers = mustWait ? then : undefined
    if (!mustWait) then(!this.#newest || this.#newest.isHereWhole || !this.#newest.hasBegun)
  }

  end(): void {
    this.#socket.destroy()
  }
}

/** A request and its answer. */
interface Exchange {
  readonly isHereWhole: boolean
  /** Its answer has. */
  readonly hasBegun: boolean
  readonly beganMs: number
  readonly movedBefore: number
  /** It is here whole, and its answer has not begun. */
  readonly isAtWork: boolean
}

/** What has come in, and what the peer's side has taken. */
const movedBytes = (socket: Socket): number => socket.bytesRead + socket.bytesWritten - socket.writableLength

const peerOf = ({ remoteAddress, remotePort }: Socket): string | undefined =>
  remoteAddress === undefined ? undefined : `${remoteAddress} ${remotePort}`
