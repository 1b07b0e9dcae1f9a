// One live picture in the worker: its socket while somebody sees it, and what is drawn of what comes.

import { type Packet, readPacket } from '../api/packet.ts'
import { drawOverlay } from '../drawing/overlay.ts'
import { placingOf } from '../drawing/placing.ts'
import { untilNext } from '../state/in-step.ts'
import { Lateness } from './lateness.ts'
import type { FrameFacts, Hold, Look, PictureSource, PictureState, Report } from './messages.ts'
import { Rate } from './rate.ts'

const FIRST_WAIT_MS = 250
const MAX_WAIT_MS = 5000
const MAX_WAITING = 2 // more would be older than the newest by more than somebody sees
const LATE_MS = 2000 // a robot has driven some metres meanwhile
const IN_TIME_MS = 1000
const LATE_STEP_MS = 1000
const GROUND = '#0b0d0c'

/** What is on the screen. */
interface Shown {
  readonly packet: Packet
  readonly bitmap: ImageBitmap
}

/** Everything of it goes with `close`. */
export class Picture {
  readonly #id: number
  readonly #canvas: OffscreenCanvas
  readonly #surface: OffscreenCanvasRenderingContext2D
  readonly #report: (message: Report) => void
  readonly #rate = new Rate()
  #lateness = new Lateness()
  #look: Look
  #source: PictureSource | undefined
  #isSeen = false
  #isClosed = false
  #socket: WebSocket | undefined
  #wasRefused = false
  #waitMs = FIRST_WAIT_MS
  #retry: ReturnType<typeof setTimeout> | undefined
  #shown: Shown | undefined
  #kept: readonly Packet[] = [] // the newest last
  #hold: Hold | undefined
  #received = 0
  #drawn = 0
  #isDecoding = false
  #waiting: ArrayBuffer[] = [] // the newest, while one before them is decoded
  #drawnAtMs = Date.now()
  #old: ReturnType<typeof setTimeout> | undefined
  #state: PictureState = { is: 'waiting', sinceMs: Date.now(), why: undefined }
  #reportDueMs = 0
  #due: ReturnType<typeof setTimeout> | undefined

  constructor(id: number, canvas: OffscreenCanvas, look: Look, report: (message: Report) => void) {
    this.#id = id
    this.#canvas = canvas
    this.#surface = canvas.getContext('2d', { alpha: false }) as OffscreenCanvasRenderingContext2D
    this.#report = report
    this.#look = look
    this.#draw()
  }

  /**
   * Where they come from, from now on. What is shown of another source is of no use; where only the values that come
   * with the pictures are others, it stays until the next one.
   */
  setSource(source: PictureSource): void {
    const previous = this.#source
    this.#source = source
    if (previous?.path === source.path) return
    if (previous?.whyPath !== source.whyPath) this.#forget()
    this.#hangUp()
    this.#waitMs = FIRST_WAIT_MS
    this.#connect()
  }

  #forget(): void {
    this.#shown?.bitmap.close()
    this.#shown = undefined
    this.#kept = []
    this.#lateness = new Lateness()
    this.#drawnAtMs = Date.now()
    this.#tell({ is: 'waiting', sinceMs: this.#drawnAtMs, why: undefined })
    this.#draw()
  }

  /** How they look from now on. */
  setLook(look: Look): void {
    this.#look = look
    this.#draw()
  }

  /** Whether anybody sees them: nothing comes while nobody does. */
  setSeen(isSeen: boolean): void {
    if (this.#isSeen === isSeen) return
    this.#isSeen = isSeen
    this.#waitMs = FIRST_WAIT_MS
    if (isSeen) {
      this.#watchAge()
      this.#connect()
    } else this.#hangUp()
  }

  /**
   * Whether it stands still: nothing comes then, and of the frames that are kept any can be shown. Which they are is
   * told when it begins. null: it goes on.
   */
  setHold(hold: Hold | null): void {
    const wasHeld = this.#hold !== undefined
    this.#hold = hold ?? undefined
    if (!hold) {
      if (wasHeld) this.#goOn()
      return
    }
    if (!wasHeld) {
      this.#hangUp()
      this.#tell({ is: 'held', sinceMs: Date.now(), why: undefined })
      const frames = this.#kept.map(({ results, takenAtMs }) => ({ seq: results?.seq, takenAtMs }))
      this.#report({ kind: 'kept', id: this.#id, frames })
    }
    const packet = this.#kept[hold.at ?? this.#kept.length - 1]
    if (packet) void this.#showKept(packet)
  }

  #goOn(): void {
    this.#lateness = new Lateness()
    this.#drawnAtMs = Date.now()
    this.#tell({ is: 'waiting', sinceMs: this.#drawnAtMs, why: undefined })
    this.#watchAge()
    this.#connect()
  }

  async #showKept(packet: Packet): Promise<void> {
    const hold = this.#hold
    const bitmap = await createImageBitmap(new Blob([packet.jpeg], { type: 'image/jpeg' }))
    if (this.#isClosed || hold !== this.#hold) return bitmap.close()
    this.#shown?.bitmap.close()
    this.#shown = { packet, bitmap }
    this.#draw()
    this.#reportDueMs = 0
    this.#reportFrame()
  }

  /** Its connection is taken for ended. */
  redial(): void {
    if (!this.#isSeen || this.#hold) return
    this.#hangUp()
    this.#waitMs = FIRST_WAIT_MS
    this.#watchAge()
    this.#connect()
  }

  /** Ends it. */
  close(): void {
    this.#isClosed = true
    this.#hangUp()
    clearTimeout(this.#due)
    this.#shown?.bitmap.close()
    this.#shown = undefined
  }

  #connect(): void {
    clearTimeout(this.#retry)
    if (!this.#isSeen || !this.#source || this.#isClosed || this.#socket || this.#hold) return
    const { path, whyPath } = this.#source
    const socket = new WebSocket(`${location.origin.replace(/^http/, 'ws')}${path}`)
    socket.binaryType = 'arraybuffer'
    let wasOpen = false
    socket.onopen = () => {
      wasOpen = true
      this.#wasRefused = false
    }
    socket.onmessage = ({ data }) => this.#take(data as ArrayBuffer)
    socket.onclose = () => {
      if (this.#socket !== socket) return
      this.#socket = undefined
      this.#watchAge()
      this.#retry = setTimeout(() => this.#connect(), this.#waitMs)
      this.#waitMs = Math.min(MAX_WAIT_MS, this.#waitMs * 2)
      // Only when it is refused twice: a stream that is deleted refuses before the page hears that it is gone.
      if (!wasOpen && this.#wasRefused) void this.#askWhy(whyPath)
      this.#wasRefused = !wasOpen
    }
    this.#socket = socket
  }

  #hangUp(): void {
    clearTimeout(this.#retry)
    clearTimeout(this.#old)
    this.#waiting = []
    const socket = this.#socket
    this.#socket = undefined
    socket?.close()
  }

  /** A socket that is refused does not say why; a request for the same pictures does. */
  async #askWhy(path: string): Promise<void> {
    let why: string | undefined
    try {
      const answer = await fetch(path)
      const body: unknown = answer.ok ? await answer.body?.cancel() : await answer.json()
      if (typeof body === 'object' && body && 'detail' in body) why = String(body.detail)
    } catch {
      why = undefined // the page says itself that the device does not answer
    }
    if (!this.#isClosed && this.#state.is !== 'live') this.#tell({ ...this.#state, why })
  }

  #take(message: ArrayBuffer): void {
    this.#waitMs = FIRST_WAIT_MS
    this.#received += 1
    if (this.#isDecoding) this.#waiting = [...this.#waiting, message].slice(-MAX_WAITING)
    else void this.#decode(message)
  }

  async #decode(message: ArrayBuffer): Promise<void> {
    this.#isDecoding = true
    const source = this.#source
    try {
      const packet = readPacket(message)
      const bitmap = await createImageBitmap(new Blob([packet.jpeg], { type: 'image/jpeg' }))
      if (this.#isClosed || this.#hold || source !== this.#source) bitmap.close()
      else this.#show({ packet, bitmap })
    } catch (error) {
      if (!(error instanceof DOMException)) throw error // a JPEG that is none: the next one may be
    } finally {
      this.#isDecoding = false
      const next = this.#waiting.shift()
      if (next && !this.#isClosed) void this.#decode(next)
    }
  }

  #show(shown: Shown): void {
    this.#shown?.bitmap.close()
    this.#shown = shown
    this.#keep(shown.packet)
    this.#drawn += 1
    this.#drawnAtMs = Date.now()
    this.#rate.count(this.#drawnAtMs)
    this.#draw()
    this.#tellOf(shown.packet)
    if (this.#isSeen) this.#watchAge()
    this.#reportFrame()
  }

  #keep(packet: Packet): void {
    const { keep = 0 } = this.#source ?? {}
    if (keep > 0 && !packet.isPlaceholder) this.#kept = [...this.#kept, packet].slice(-keep)
  }

  #tellOf({ isPlaceholder, takenAtMs }: Packet): void {
    const lateMs = this.#lateness.take(takenAtMs, this.#drawnAtMs)
    const wasLate = this.#state.lateMs
    const isLate = !isPlaceholder && lateMs > (wasLate === undefined ? LATE_MS : IN_TIME_MS)
    const is = isPlaceholder ? 'placeholder' : isLate ? 'late' : 'live'
    const isSame = this.#state.is === is && Math.abs(lateMs - (wasLate ?? lateMs)) < LATE_STEP_MS
    if (!isSame) this.#tell({ is, sinceMs: this.#drawnAtMs, why: undefined, ...(isLate && { lateMs }) })
  }

  /** An old picture never looks live. What is shown in place of one comes again each second. */
  #watchAge(): void {
    clearTimeout(this.#old)
    if (!this.#source || this.#hold) return
    const leftMs = this.#drawnAtMs + this.#source.oldAfterMs - Date.now()
    this.#old = setTimeout(() => {
      const is = this.#shown ? 'old' : 'waiting'
      if (this.#state.is !== is) this.#tell({ is, sinceMs: this.#drawnAtMs, why: this.#state.why })
    }, leftMs)
  }

  #tell(state: PictureState): void {
    this.#state = state
    this.#report({ kind: 'state', id: this.#id, state })
  }

  #reportFrame(): void {
    const leftMs = this.#reportDueMs - Date.now()
    clearTimeout(this.#due)
    if (leftMs > 0) {
      this.#due = setTimeout(() => this.#reportFrame(), leftMs)
      return
    }
    if (!this.#shown || !this.#source) return
    this.#reportDueMs = Date.now() + untilNext(this.#source.factsEveryMs)
    this.#report({ kind: 'frame', id: this.#id, facts: this.#factsOf(this.#shown) })
  }

  #factsOf({ packet: { takenAtMs, isPlaceholder, results }, bitmap }: Shown): FrameFacts {
    return {
      seq: results?.seq,
      capturedUs: results?.captured_us,
      takenAtMs,
      widthPx: results?.width_px ?? bitmap.width,
      heightPx: results?.height_px ?? bitmap.height,
      outputs: results?.outputs ?? {},
      isPlaceholder,
      isHeld: this.#hold !== undefined,
      drawnFps: this.#rate.at(Date.now()),
      received: this.#received,
      drawn: this.#drawn,
    }
  }

  #draw(): void {
    const { widthPx, heightPx, ratio, fit, overlay } = this.#look
    if (this.#canvas.width !== widthPx) this.#canvas.width = widthPx
    if (this.#canvas.height !== heightPx) this.#canvas.height = heightPx
    const surface = this.#surface
    surface.fillStyle = GROUND
    surface.fillRect(0, 0, widthPx, heightPx)
    if (!this.#shown) return
    const { bitmap, packet } = this.#shown
    const size = { width: packet.results?.width_px ?? bitmap.width, height: packet.results?.height_px ?? bitmap.height }
    const box = { width: widthPx, height: heightPx }
    const { left, top, width, height } = placingOf(bitmap, box, fit)
    surface.drawImage(bitmap, left, top, width, height)
    if (!packet.results) return
    const placing = { left, top, width, height, scale: width / size.width }
    drawOverlay({ surface, placing, ratio, size }, packet.results.outputs, overlay)
  }
}
