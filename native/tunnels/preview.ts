// Live pictures of a peer, cut through: each chunk is written to the viewers as it arrives, so that nothing is held and
// nothing is copied.
import type { Socket } from 'node:net'
import * as Effect from 'effect/Effect'
import type * as Scope from 'effect/Scope'
import type { Fault } from '../../machines/errors/fault.ts'
import { bufferOf } from '../peers/dial.ts'
import { spendTurn } from '../sockets/reading.ts'
import { askOn, badAnswer, bodyOf, goneAway } from './answer.ts'
import { DEFAULT_LIMITS, KEEP_ALIVE_MS, type TunnelLimits } from './limits.ts'
import { PartCounter } from './part-counter.ts'
import type { PreviewTunnel, PreviewViewer, TunnelAsk } from './port.ts'
import { refusalOf } from './refusal.ts'
import { StallWatch } from './stall-watch.ts'
import { type Manners, Viewers } from './viewers.ts'

const OK = 200
const MEDIA_TYPE = /^multipart\/x-mixed-replace\s*;\s*boundary=(?:"([\w'()+,./:=? -]{1,70})"|([\w'+.-]{1,70}))\s*$/i

/** As TunnelPort says. */
export const previewTunnel = (
  connection: Socket,
  ask: TunnelAsk,
  limits: TunnelLimits = DEFAULT_LIMITS,
): Effect.Effect<PreviewTunnel, Fault, Scope.Scope> =>
  Effect.gen(function* () {
    connection.setNoDelay(true)
    connection.setKeepAlive(true, KEEP_ALIVE_MS)
    const answer = yield* askOn(connection, ask, limits.answerMs)
    if (answer.status !== OK) {
      const body = yield* bodyOf(connection, ask, answer, limits.answerMs)
      return yield* Effect.fail(refusalOf(ask, answer.status, body))
    }
    const mediaType = answer.headers.get('content-type') ?? ''
    const [, quoted, word] = MEDIA_TYPE.exec(mediaType) ?? []
    const boundary = quoted ?? word
    if (boundary === undefined) return yield* Effect.fail(badAnswer(ask, 'it is no pictures in parts with a boundary'))
    const coded = ['transfer-encoding', 'content-encoding'].find((name) => answer.headers.has(name))
    if (coded) return yield* Effect.fail(badAnswer(ask, `its ${coded} is not one that can be passed on`))
    return yield* Effect.acquireRelease(
      Effect.sync(() => new OpenPreviewTunnel(connection, { ask, limits, mediaType, boundary, rest: answer.rest })),
      (tunnel) => Effect.sync(() => tunnel.close()),
    )
  })

const GOODBYE_MS = 1_000

const MANNERS: Manners<PreviewViewer> = {
  hasRoom: (viewer) => viewer.writableLength === 0 && viewer.writable,
  cutOff: (viewer) => viewer.destroy(),
  letGo: (viewer) => {
    viewer.destroySoon()
    const limit = setTimeout(() => viewer.destroy(), GOODBYE_MS).unref() // a viewer that reads nothing never takes it
    viewer.once('close', () => clearTimeout(limit))
  },
}

interface Opened {
  readonly ask: TunnelAsk
  readonly limits: TunnelLimits
  readonly mediaType: string
  readonly boundary: string
  readonly rest: Buffer
}

/** One connection whose pictures are passed on. */
class OpenPreviewTunnel implements PreviewTunnel {
  readonly mediaType: string
  readonly #connection: Socket
  readonly #opened: Opened
  readonly #viewers = new Viewers<PreviewViewer>(MANNERS)
  readonly #counter: PartCounter
  readonly #over = Promise.withResolvers<Fault>()
  readonly #stallWatch: StallWatch
  #isBegun = false
  #isClosed = false

  constructor(connection: Socket, opened: Opened) {
    this.mediaType = opened.mediaType
    this.#connection = connection
    this.#opened = opened
    this.#counter = new PartCounter(opened.boundary, {
      begin: () => this.#viewers.begin(),
      pass: (bytes) => {
        for (const viewer of this.#viewers.admitted) viewer.write(bytes)
      },
      end: () => {
        this.#viewers.end()
        this.#stallWatch.whole()
      },
    })
    const upstream = {
      isWithin: () => this.#counter.isWithin,
      pause: () => connection.pause(),
      resume: () => connection.resume(),
    }
    this.#stallWatch = new StallWatch(opened.limits, this.#viewers, upstream, (why) =>
      this.#end(badAnswer(opened.ask, why)),
    )
    const gone = () => this.#end(goneAway(opened.ask))
    connection.once('end', gone).once('close', gone)
    if (connection.destroyed) gone()
  }

  readonly ended: PreviewTunnel['ended'] = Effect.flatMap(
    Effect.promise(() => this.#over.promise),
    (fault) => Effect.fail(fault),
  )

  join(viewer: PreviewViewer, left: () => void): void {
    if (viewer.closed) {
      left()
      return
    }
    viewer.once('close', left)
    if (this.#isClosed) {
      MANNERS.letGo(viewer)
      return
    }
    viewer.write(`--${this.#opened.boundary}\r\n`, 'latin1')
    this.#viewers.add(viewer)
    // so that those who waited together see the same first picture
    if (!this.#isBegun) setImmediate(() => this.#begin())
    this.#stallWatch.listen()
  }

  close(): void {
    this.#isClosed = true
    this.#stallWatch.stop()
    this.#connection.destroy()
    this.#viewers.close()
  }

  #begin(): void {
    if (this.#isBegun || this.#isClosed) return
    this.#isBegun = true
    this.#take(this.#opened.rest)
    const room = bufferOf(this.#connection)
    const take = (chunk: Buffer) => {
      this.#take(chunk)
      if (room && this.#viewers.hasTakenAll) room.reuse()
    }
    room?.giveTo((chunk) => spendTurn(this.#connection, chunk.length, () => take(chunk)))
    this.#connection.on('data', take).resume()
  }

  #take(chunk: Buffer): void {
    const flaw = this.#counter.take(chunk)
    if (flaw !== undefined) this.#end(badAnswer(this.#opened.ask, flaw))
    else if (this.#counter.isOver) this.#end(goneAway(this.#opened.ask))
  }

  /** Nothing is passed on any more. */
  #end(fault: Fault): void {
    this.#over.resolve(fault)
    this.close()
  }
}
