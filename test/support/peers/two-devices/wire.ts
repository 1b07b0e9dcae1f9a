// A bad wire between two devices in one process: connections are real streams of bytes with the product's own HTTP and
// WebSockets on them, and what becomes of each byte is said by a test.

import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import * as Effect from 'effect/Effect'
import type * as Scope from 'effect/Scope'
import type { Fault } from '../../../../machines/errors/fault.ts'
import { askerOf } from '../../../../native/peers/ask.ts'
import { noConnection, unreachable } from '../../../../native/peers/faults.ts'
import { followerOf } from '../../../../native/peers/follow.ts'
import type { PeerTarget, PeerWire } from '../../../../native/peers/port.ts'
import type { SimulatedTime } from './time.ts'

/**
 * How a connection ends that is cut: FIN, or RST, which nobody waits for. swallow: it does not end, and nothing comes
 * through any more.
 */
export type Cut = 'end' | 'reset' | 'swallow'

/** What becomes of one connection. */
export interface Lot {
  /** What is cut after so many bytes in that direction; null: nothing. */
  readonly towards: number | null
  /** What is cut after so many bytes in that direction; null: nothing. */
  readonly back: number | null
  readonly cut: Cut
  /** Of each byte, both ways. */
  readonly delayMs: number
  /** So long after it was closed all that was sent towards the device comes once more; null: never. */
  readonly doubledMs: number | null
}

/** Nothing happens to it. */
export const GOOD: Lot = { towards: null, back: null, cut: 'end', delayMs: 0, doubledMs: null }

/** Takes connections; null: it refuses them. */
export type Server = { readonly accept: (socket: Socket) => void } | null

/** One end of a connection. */
class End extends Duplex {
  readonly remoteAddress = '127.0.0.1'
  readonly remotePort: number
  readonly #send: (chunk: Buffer) => void
  readonly #ended: () => void

  constructor(remotePort: number, send: (chunk: Buffer) => void, ended: () => void) {
    super({ allowHalfOpen: false })
    this.remotePort = remotePort
    this.#send = send
    this.#ended = ended
    this.on('error', () => {})
  }

  readonly setNoDelay = () => this
  readonly setKeepAlive = () => this
  readonly setTimeout = () => this

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#send(chunk)
    done()
  }

  override _writev(chunks: { chunk: Buffer }[], done: () => void): void {
    for (const { chunk } of chunks) this.#send(chunk)
    done()
  }

  override _final(done: () => void): void {
    this.#ended()
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#ended()
    done(error)
  }
}

/** One direction: bytes leave in the order in which they came. */
class Way {
  readonly #time: SimulatedTime
  readonly #delayMs: number
  #left: number
  #held: (() => void)[] | null = null
  #dueMs = 0
  #isOver = false
  readonly #cut: () => void
  to: End | undefined

  constructor(time: SimulatedTime, { delayMs }: Lot, bytes: number | null, cut: () => void) {
    this.#time = time
    this.#delayMs = delayMs
    this.#left = bytes ?? Number.POSITIVE_INFINITY
    this.#cut = cut
  }

  /** From now on only so many bytes pass. */
  limit(bytes: number): void {
    this.#left = Math.min(this.#left, bytes)
  }

  send(chunk: Buffer): void {
    this.#time.stirred += 1
    this.#later(() => this.#arrive(chunk))
  }

  #arrive(chunk: Buffer): void {
    const part = chunk.subarray(0, Math.min(chunk.length, this.#left))
    const rest = chunk.subarray(part.length)
    this.#left -= part.length
    if (part.length > 0 && this.to && !this.to.destroyed && !this.#isOver) this.to.push(part)
    if (rest.length === 0) return
    this.#left = Number.POSITIVE_INFINITY
    this.#cut()
    // TCP leaves nothing out: what was swallowed comes first when anything comes
    this.#held?.push(() => this.#arrive(rest))
  }

  /** Nothing arrives any more. */
  stop(): void {
    this.#isOver = true
  }

  /** That is all, behind what is under way. */
  end(): void {
    this.#later(() => this.finish())
  }

  /** That is all, and what is under way is lost. */
  finish(): void {
    const { to } = this
    if (!to || to.destroyed || this.#isOver) return
    this.stop()
    to.push(null)
    to.end()
  }

  /** Nothing arrives until it is let go. */
  hold(): void {
    this.#held ??= []
  }

  /** Everything arrives, from now on too. */
  letGo(): void {
    this.#left = Number.POSITIVE_INFINITY
    const held = this.#held ?? []
    this.#held = null
    for (const arrive of held) arrive()
  }

  #later(arrive: () => void): void {
    const come = () => {
      this.#time.stirred += 1
      if (this.#held) this.#held.push(arrive)
      else arrive()
    }
    this.#dueMs = Math.max(this.#dueMs, this.#time.passedMs + this.#delayMs)
    if (this.#delayMs === 0) come()
    else this.#time.later(come, this.#dueMs - this.#time.passedMs)
  }
}

/** A connection that is open. */
class Connection {
  readonly here: End
  readonly there: End
  readonly sent: Buffer[] = []
  readonly #towards: Way
  readonly #back: Way
  #how: Cut
  #isOrphan = false

  constructor(time: SimulatedTime, lot: Lot, port: number, closed: (connection: Connection) => void) {
    this.#how = lot.cut
    const cut = () => this.cut(this.#how)
    this.#towards = new Way(time, lot, lot.towards, cut)
    this.#back = new Way(time, lot, lot.back, cut)
    const send = (chunk: Buffer) => {
      if (lot.doubledMs !== null) this.sent.push(Buffer.from(chunk))
      this.#towards.send(Buffer.from(chunk))
    }
    this.here = new End(port, send, () => this.#towards.end())
    this.there = new End(
      port,
      (chunk) => this.#back.send(Buffer.from(chunk)),
      () => this.#back.end(),
    )
    this.#towards.to = this.there
    this.#back.to = this.here
    this.here.once('close', () => closed(this))
  }

  cut(how: Cut): void {
    if (how === 'swallow') this.hold()
    else this.#close(how)
  }

  #close(how: Exclude<Cut, 'swallow'>): void {
    if (how === 'end') {
      this.#towards.finish()
      this.#back.finish()
      return
    }
    this.#towards.stop()
    this.#back.stop()
    for (const end of [this.here, this.there])
      end.destroy(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }))
  }

  /** So many more bytes pass in each direction. */
  limit(bytes: number, how: Cut): void {
    this.#how = how
    this.#towards.limit(bytes)
    this.#back.limit(bytes)
  }

  hold(): void {
    this.#towards.hold()
    this.#back.hold()
  }

  letGo(): void {
    if (this.#isOrphan) this.cut('reset')
    this.#towards.letGo()
    this.#back.letGo()
  }

  /** One end has lost its power: the other hears nothing of it until it says something to whoever is there then. */
  orphan(): void {
    this.#isOrphan = true
    this.hold()
  }

  destroy(): void {
    this.here.destroy()
    this.there.destroy()
  }
}

/** All connections from one device to another. */
export class BadWire {
  readonly #time: SimulatedTime
  readonly #delayMs: number
  readonly #open = new Set<Connection>()
  #port = 40_000
  #unplugged = false
  #lots: Lot[] = []
  server: Server = null
  /** How many connections were doubled so far. */
  doubles = 0

  /** delayMs: of every byte, beside that of the lot. */
  constructor(time: SimulatedTime, delayMs: number) {
    this.#time = time
    this.#delayMs = delayMs
  }

  /** The wire of a device that runs as long as isAlive says so. */
  wireOf(isAlive: () => boolean): PeerWire {
    const dial: PeerWire['dial'] = (target, limitMs) =>
      Effect.suspend(() => (isAlive() ? this.#dial(target, limitMs) : Effect.never))
    // nobody is paired here
    const identify: PeerWire['identify'] = (origin, limitMs) => Effect.fail(noConnection(origin, limitMs))
    return { dial, identify, ask: askerOf(dial), follow: followerOf(dial) }
  }

  /** What becomes of the next connections. */
  befall(lot: Lot, connections = 1): void {
    this.#lots = Array.from({ length: connections }, () => lot)
  }

  /** Cuts all connections after so many more bytes. */
  hit(bytes: number, how: Cut): void {
    for (const connection of this.#open) {
      if (bytes > 0) connection.limit(bytes, how)
      else connection.cut(how)
    }
  }

  /** One of the devices has lost its power. */
  orphan(): void {
    for (const connection of this.#open) connection.orphan()
  }

  /** Nothing passes, and no connection comes about, until it is plugged in again; what is under way arrives then. */
  unplug(): void {
    this.#unplugged = true
    for (const connection of this.#open) connection.hold()
  }

  plug(): void {
    this.#unplugged = false
    for (const connection of this.#open) connection.letGo()
  }

  destroy(): void {
    for (const connection of this.#open) connection.destroy()
  }

  #dial({ origin }: PeerTarget, limitMs: number): Effect.Effect<Socket, Fault, Scope.Scope> {
    if (this.#unplugged) return Effect.delay(Effect.fail(noConnection(origin, limitMs)), limitMs)
    const { server } = this
    if (!server) return Effect.fail(unreachable(origin, 'ECONNREFUSED'))
    const lot = this.#lots.shift() ?? GOOD
    return Effect.acquireRelease(
      Effect.sync(() => this.#connect(server, lot).here as unknown as Socket),
      (socket) => Effect.sync(() => socket.destroy()),
    )
  }

  #connect(server: NonNullable<Server>, lot: Lot): Connection {
    this.#time.stirred += 1
    const connection = new Connection(
      this.#time,
      { ...lot, delayMs: lot.delayMs + this.#delayMs },
      this.#port++,
      (closed) => {
        this.#open.delete(closed)
        if (lot.doubledMs !== null) this.#time.later(() => this.#double(closed.sent), lot.doubledMs)
      },
    )
    this.#open.add(connection)
    server.accept(connection.there as unknown as Socket)
    return connection
  }

  /** The same bytes come once more, from nobody who waits for an answer. */
  #double(sent: readonly Buffer[]): void {
    if (!this.server || sent.length === 0) return
    this.doubles += 1
    const { here } = this.#connect(this.server, GOOD)
    here.resume()
    here.write(Buffer.concat(sent))
  }
}
