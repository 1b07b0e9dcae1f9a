// One rule for every socket on which strangers send: what comes is dealt with in turns, so that it costs the time of
// its sender and not the time of others.
import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Fault } from '../../machines/errors/fault.ts'
import { BYTES, type Framing, RequestFraming, ResponseFraming, WebSocketFraming } from './framing.ts'
import { leaveTurns, turnNow, waitForTurn } from './turns.ts'

const MAX_TURN_MS = 2
const MIN_COST_MS = 0.5 // what is measured here is not all: requests are answered later, memory is freed later
const MAX_TURN_BYTES = 128 * 1024
const BYTES_PER_MS = 32 * 1024 // of an upload, on a slow device
const MEMORY_MS = 100 // who had to wait longer ago is like all others

/** Work that is done in steps, of one millisecond at most. False: there is none left. */
export type Step = () => boolean

/**
 * The reading of one socket, from when it is made.
 *
 * Node tells of 64 KiB at once, of up to 2 MiB before it looks at another socket, and the listener deals with all of
 * them: that may be a million frames. So what a socket tells of is cut here, what is more than the share of a turn is
 * put back in front, and the socket stands until it is its turn again. The system then takes no more from the sender.
 * What the reader cannot deal with in one go is done in steps of the same turns.
 */
class Reading {
  readonly #socket: Socket
  readonly #emit: Socket['emit']
  readonly #pause: () => Socket
  readonly #resume: () => Socket
  readonly #steps: Step[] = []
  #framing: Framing
  #turn = -1
  #usedMs = 0
  #usedBytes = 0
  #isWaiting = false
  #isEnded = false
  #isWanted = true // by the reader
  #isResumed = false
  #waitedMs = 0
  #flooded: ((what: string) => void) | undefined
  /** How often it had to wait of late. */
  late = 0
  /** What its turn has cost beside the bytes, ms. */
  costMs = 0

  constructor(socket: Socket, framing: Framing) {
    this.#socket = socket
    this.#framing = framing
    this.#emit = socket.emit.bind(socket)
    this.#pause = socket.pause.bind(socket)
    this.#resume = socket.resume.bind(socket)
    socket.emit = ((event: string, ...values: unknown[]) =>
      event === 'data' ? this.#take(values[0] as Buffer) : this.#emit(event, ...values)) as Socket['emit']
    socket.pause = () => {
      this.#isWanted = false
      return this.#pause()
    }
    socket.resume = () => {
      this.#isWanted = true
      this.#isResumed = true
      return this.#isWaiting ? socket : this.#resume()
    }
    socket.once('close', () => leaveTurns(this))
  }

  /**
   * Something else is spoken from the next bytes on. flooded: told what there is too much of, before the socket is
   * ended for it.
   */
  speak(framing: Framing, flooded?: (what: string) => void): void {
    this.#framing = framing
    this.#flooded = flooded
    framing.begin()
  }

  /** What has come takes its time: nothing more is read until it is done. */
  work(step: Step): void {
    this.#steps.push(step)
    if (this.#steps.length > 1 || this.#doSteps()) return
    this.#pause()
    this.#wait()
  }

  /** Something is done for bytes that came another way. */
  spend(bytes: number, deal: () => void): void {
    const turn = turnNow()
    if (turn !== this.#turn) this.#begin(turn)
    const sinceMs = performance.now()
    deal()
    this.#usedMs += performance.now() - sinceMs
    this.#usedBytes += bytes
    if (this.#usedMs <= MAX_TURN_MS || this.#isWaiting || this.#socket.readableFlowing !== true) return
    this.#pause()
    this.#wait()
  }

  /** It is its turn. */
  goOn(): void {
    this.#isWaiting = false
    this.#begin(turnNow())
    if (this.#socket.destroyed) return
    if (!this.#doSteps()) this.#wait()
    else if (this.#isWanted && this.#socket.readableFlowing !== true) this.#resume()
  }

  #take(bytes: Buffer): boolean {
    if (this.#isEnded) return true
    const turn = turnNow()
    if (turn !== this.#turn) this.#begin(turn)
    this.#isWanted = true
    this.#isResumed = false
    if (this.#isOver) {
      this.#keep(bytes)
      this.#wait()
      return true
    }
    const sinceMs = performance.now()
    const length = this.#framing.cut(bytes)
    const isPart = length < bytes.length
    if (isPart) this.#keep(bytes.subarray(length)) // before the reader puts a part of what it got back in front of it
    if (length > 0) this.#emit('data', isPart ? bytes.subarray(0, length) : bytes)
    this.#usedMs += performance.now() - sinceMs
    this.#usedBytes += length
    if (this.#framing instanceof WebSocketFraming && this.#framing.flood !== undefined) this.#end(this.#framing.flood)
    else if (this.#socket.readableFlowing === null && !this.#isResumed) this.#isWanted = false // between two readers
    if (!isPart || this.#isWaiting) return true
    if (this.#isOver) this.#wait()
    else if (this.#isWanted) this.#resume()
    return true
  }

  get #isUsedUp(): boolean {
    return this.#framing !== BYTES && (this.#usedMs > MAX_TURN_MS || this.#usedBytes >= MAX_TURN_BYTES)
  }

  get #isOver(): boolean {
    return this.#isUsedUp || this.#framing.isOver || this.#steps.length > 0
  }

  #begin(turn: number): void {
    this.#turn = turn
    this.#usedMs = 0
    this.#usedBytes = 0
    this.#framing.begin()
  }

  #keep(bytes: Buffer): void {
    this.#pause()
    this.#socket.unshift(bytes)
  }

  #wait(): void {
    if (this.#isWaiting || this.#socket.destroyed) return
    const nowMs = performance.now()
    this.late = nowMs - this.#waitedMs > MEMORY_MS ? 1 : this.late + 1
    this.#waitedMs = nowMs
    this.costMs = this.#framing.isBulk
      ? Math.max(0, this.#usedMs - this.#usedBytes / BYTES_PER_MS)
      : Math.max(MIN_COST_MS, this.#usedMs)
    this.#isWaiting = true
    waitForTurn(this)
  }

  /** True: all is done. */
  #doSteps(): boolean {
    const sinceMs = performance.now()
    let isDone = true
    while (isDone && this.#steps.length > 0) {
      if (!this.#steps[0]?.()) this.#steps.shift()
      isDone = performance.now() - sinceMs < MAX_TURN_MS
    }
    this.#usedMs += performance.now() - sinceMs
    return this.#steps.length === 0
  }

  #end(what: string): void {
    this.#isEnded = true
    this.#steps.length = 0
    this.#flooded?.(what)
    this.#socket.destroy()
  }
}

const readings = new WeakMap<object, Reading>()

const readingOf = (socket: Socket, framing: () => Framing): Reading => {
  const known = readings.get(socket)
  if (known) return known
  const reading = new Reading(socket, framing())
  readings.set(socket, reading)
  return reading
}

const floodOf = (from: string, what: string): Fault => ({
  code: 'connection.floods',
  detail: `a WebSocket from ${from} has sent ${what} and was ended; find the program there that does that`,
})

/** A connection that this device has opened. */
export const readInTurns = <S extends Socket>(socket: S): S => {
  readingOf(socket, () => new ResponseFraming())
  return socket
}

/** From now on frames of a WebSocket come. flooded: told what there is too much of; the socket is ended for it. */
export const readFramesInTurns = (socket: Socket, flooded: (what: string) => void): void =>
  readingOf(socket, () => new ResponseFraming()).speak(new WebSocketFraming(() => performance.now()), flooded)

/** From now on bytes come that `spendTurn` is called for; what comes by the stream, while that is paused, is little. */
export const readBytesInTurns = (socket: Socket): void => readingOf(socket, () => BYTES).speak(BYTES)

/** Deals with bytes that came on a socket past its listeners. */
export const spendTurn = (socket: Socket, bytes: number, deal: () => void): void =>
  readingOf(socket, () => BYTES).spend(bytes, deal)

/** What has come on a socket takes its time: it is done in steps, and nothing more is read there until it is done. */
export const workInTurns = (socket: Socket, step: Step): void =>
  readingOf(socket, () => new ResponseFraming()).work(step)

/** All connections that a server accepts. report: told of each connection that is ended for too many frames. */
export const serveInTurns = (server: Server, report: (fault: Fault) => void): void => {
  const framings = new WeakMap<Socket, RequestFraming>()
  const accepted = (socket: Socket) => {
    const framing = new RequestFraming()
    framings.set(socket, framing)
    readings.set(socket, new Reading(socket, framing))
    // Node would have what comes read by its parser, unseen, were there nobody else who listens.
    const nobody = () => {}
    socket.on('data', nobody).off('data', nobody)
  }
  server.on('setSecureContext' in server ? 'secureConnection' : 'connection', accepted)
  server.prependListener('request', ({ socket, headers }: IncomingMessage) =>
    framings.get(socket)?.asks(Number(headers['content-length'] ?? 0) || 0),
  )
  server.prependListener('upgrade', (_: IncomingMessage, socket: Socket) => {
    const from = socket.remoteAddress ?? 'somewhere'
    readFramesInTurns(socket, (what) => report(floodOf(from, what)))
  })
}
