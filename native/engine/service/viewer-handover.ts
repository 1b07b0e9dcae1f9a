// How viewers are handed over to an engine process: their sockets go to it beside the wire, what is said about them
// goes over the wire.
import { Socket } from 'node:net'
import type { Fault } from '../../../machines/errors/fault.ts'
import type { HeldViewer, PlainSocket, ViewerEnd, ViewerHandover, ViewerLook } from '../../viewers/port.ts'
import { toldOrder } from '../protocol/orders.ts'
import type { Report } from '../protocol/reports.ts'
import type { EngineChild } from './child.ts'
import { PLACES, type ViewerRecords } from './viewer-records.ts'

/** It takes 10 ms. An engine that is kept from running for longer will have enough to do when it runs again. */
const HOLD_LIMIT_MS = 2_000

type ViewerReport = Extract<Report, { readonly viewer: number }>

/** What is known of a viewer here. */
interface Held {
  readonly place: number
  readonly answer: (answer: number | Fault) => void
  ended: ((end: ViewerEnd) => void) | undefined
}

const notTaken = (why: string): Fault => ({
  code: 'engine.failed',
  detail: `A viewer was not handed to the vision engine: ${why}. Its pictures go another way.`,
})

/** The hand-over to one engine. Its owner passes it what is reported, and closes it when the process has ended. */
export class EngineHandover implements ViewerHandover {
  readonly #child: EngineChild
  readonly #records: ViewerRecords
  readonly #viewers = new Map<number, Held>()
  #lastViewer = 0
  #isClosed = false

  constructor(child: EngineChild, records: ViewerRecords) {
    this.#child = child
    this.#records = records
  }

  readonly hold = (socket: PlainSocket): Promise<HeldViewer | Fault> =>
    new Promise((resolve) => {
      const place = this.#freePlace()
      if (this.#isClosed) return resolve(notTaken('it has ended'))
      if (!isPlainTcp(socket)) return resolve(notTaken('its connection is not a plain one'))
      if (place === undefined) return resolve(notTaken('it has too many'))
      this.#lastViewer += 1
      const viewer = this.#lastViewer
      const answer = (found: number | Fault) => {
        clearTimeout(limit)
        if (typeof found === 'number') return resolve(this.#heldViewer(viewer, found))
        this.#viewers.delete(viewer)
        resolve(found)
      }
      const limit = setTimeout(() => answer(notTaken(`it did not answer within ${HOLD_LIMIT_MS} ms`)), HOLD_LIMIT_MS)
      this.#viewers.set(viewer, { place, answer, ended: undefined })
      this.#child.hand({ viewer, place }, socket, (why) => this.#viewers.get(viewer)?.answer(notTaken(why)))
    })

  readonly showInstead = (jpeg: Uint8Array | null, output: string): void => {
    if (!this.#isClosed) this.#child.send(toldOrder('placeholder', output), jpeg ?? undefined)
  }

  /**
   * What the engine says about a viewer. One that nobody waits for any longer is given back: it came after the limit.
   */
  report(report: ViewerReport): void {
    const { viewer } = report
    const held = this.#viewers.get(viewer)
    if (report.type === 'viewer-held') {
      if (held) held.answer(report.position_bytes)
      else this.#drop(viewer)
    } else if (report.type === 'viewer-refused') held?.answer(report.fault)
    else this.#end(viewer, { why: report.why })
  }

  /** The engine has ended: its viewers are told what is owed to them. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    for (const [viewer, { place, answer, ended }] of [...this.#viewers]) {
      if (ended) this.#end(viewer, { why: 'engine', owed: this.#records.owedAt(place) })
      else answer(notTaken('it has ended'))
    }
    this.#records.close()
  }

  #heldViewer(viewer: number, positionBytes: number): HeldViewer {
    const place = this.#viewers.get(viewer)?.place ?? 0
    const before = this.#records.sentAt(place).bytes // of who had the place before
    return {
      positionBytes,
      start: (look: ViewerLook, ended) => {
        const held = this.#viewers.get(viewer)
        if (!held) return ended({ why: 'engine', owed: null }) // it has ended since
        held.ended = ended
        this.#child.send(toldOrder('viewer-start', viewer, look))
      },
      sent: () => {
        if (this.#isClosed) return undefined
        const sent = this.#records.sentAt(place)
        return sent.bytes === before ? undefined : sent
      },
      release: () => {
        if (this.#viewers.delete(viewer)) this.#drop(viewer)
      },
    }
  }

  #drop(viewer: number): void {
    if (!this.#isClosed) this.#child.send(toldOrder('viewer-drop', viewer))
  }

  #end(viewer: number, end: ViewerEnd): void {
    const held = this.#viewers.get(viewer)
    this.#viewers.delete(viewer)
    held?.ended?.(end)
  }

  #freePlace(): number | undefined {
    const taken = new Set([...this.#viewers.values()].map(({ place }) => place))
    for (let place = 0; place < PLACES; place += 1) if (!taken.has(place)) return place
    return undefined
  }
}

/** Node ends the process when it is to send a socket of TLS. */
const isPlainTcp = (socket: PlainSocket): socket is Socket => {
  if (!(socket instanceof Socket) || 'encrypted' in socket) return false
  const { _handle } = socket as unknown as { readonly _handle?: { readonly fd?: number } | null }
  return _handle?.constructor.name === 'TCP' && (_handle.fd ?? -1) >= 0
}
