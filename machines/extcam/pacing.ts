// When an adapter writes, and which frames wait for it: frames at least 20 ms apart or what is set, something at least
// every 50 ms.
import { header, type Result } from '../engine/result.ts'

const CLOSEST_MS = 20 // where nothing else is set
const FARTHEST_MS = 50
const TIMER_LATE_MS = 2 // a timer of a busy process fires so much late
const MAX_WAITING = 4 // the oldest of them waits 80 ms at most
// frames that were captured so much farther apart than the pace are worked off faster than further ones come
const QUEUED_FROM_MS = 5

/**
 * Paces the writes of one table. All times are ms; a clock is monotonic, a stamp is the server's time.
 *
 * Only frames keep their distance, and only from each other: one that comes after a sign of life is written at once.
 */
export class Pacer {
  readonly #closestMs: number
  #frameMs = Number.NEGATIVE_INFINITY
  #stampMs = Number.NEGATIVE_INFINITY
  #writtenMs = Number.NEGATIVE_INFINITY

  /** closestMs: between two frames; 50 at most. */
  constructor(closestMs = CLOSEST_MS) {
    this.#closestMs = closestMs
  }

  /** A frame was written: by our clock, and as it was stamped. */
  wroteFrame(clockMs: number, stampMs: number): void {
    this.#frameMs = clockMs
    this.#stampMs = stampMs
    this.#writtenMs = clockMs
  }

  wroteSignOfLife(clockMs: number): void {
    this.#writtenMs = clockMs
  }

  /**
   * How long until a frame may be written; 0 or less: now.
   *
   * The stamps keep the distance too, for they are what readers see; but a server's clock that was set back holds no
   * frame for longer than a sign of life would wait.
   */
  frameDueInMs(clockMs: number, stampMs: number): number {
    const sinceMs = clockMs - this.#frameMs
    const byStampMs = Math.min(this.#stampMs + this.#closestMs - stampMs, FARTHEST_MS - sinceMs)
    return toMicrosecond(Math.max(this.#closestMs - sinceMs, byStampMs))
  }

  /** How long until a sign of life is due if nothing else is written. */
  signOfLifeDueInMs(clockMs: number): number {
    return this.#writtenMs + FARTHEST_MS - TIMER_LATE_MS - clockMs
  }
}

/** The rounding of numbers of this size shall not start another wait. */
const toMicrosecond = (ms: number): number => Math.ceil(1_000 * ms - 0.001) / 1_000

const LATE_MS = 60 // the engine's word comes each 50 ms; a busy machine delays it
const TRUSTED_AFTER = 10

/**
 * Whether the engine keeps the time: it says each 45 ms that no frame came, so that between the frames of a camera the
 * control process needs no timer, which would wake it up once for each frame. It is trusted once it has said so and has
 * been heard of in time, and until it has not.
 */
export class Timekeeper {
  #heardMs = Number.NEGATIVE_INFINITY
  #inTime = 0
  #canTell = false

  get isTrusted(): boolean {
    return this.#canTell && this.#inTime >= TRUSTED_AFTER
  }

  /** canTell: it is one that would say when no frame comes. */
  heard(clockMs: number, canTell: boolean): void {
    this.look(clockMs)
    this.#heardMs = clockMs
    this.#canTell = canTell
    if (this.#inTime < TRUSTED_AFTER) this.#inTime++
  }

  /** Takes note of a silence. */
  look(clockMs: number): void {
    if (clockMs - this.#heardMs > LATE_MS) this.#inTime = 0
  }
}

/** A frame that waits to be written. frames: how many it stands for, itself and those that it replaced. */
export interface WaitingFrame {
  readonly result: Result
  readonly frames: number
}

/**
 * The frames that came too soon after the last one that was written.
 *
 * Of a camera that is faster than the pace the newest one waits. Of a slower one all wait, in order: they come too soon
 * only because an earlier one was late.
 */
export class WaitingFrames {
  readonly #waiting: WaitingFrame[] = []
  readonly #closestUs: number
  readonly #queuedFromUs: number
  #lastUs = Number.NEGATIVE_INFINITY
  #isFast = false

  /** closestMs: the pace, as the Pacer has it. */
  constructor(closestMs = CLOSEST_MS) {
    this.#closestUs = closestMs * 1_000
    this.#queuedFromUs = (closestMs + QUEUED_FROM_MS) * 1_000
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0
  }

  /** Whether they are of a camera that is faster than the pace, as far as the newest tells. */
  get isFast(): boolean {
    return this.#isFast
  }

  add(result: Result): void {
    const capturedUs = header(result, 'captured_us')
    this.#isFast = capturedUs - this.#lastUs < this.#closestUs
    this.#lastUs = capturedUs
    const last = this.#waiting.at(-1)
    const isReplaced = last && (this.#waiting.length === MAX_WAITING || this.#isFastAfter(last.result, result))
    if (isReplaced) this.#waiting.pop()
    this.#waiting.push({ result, frames: 1 + (isReplaced ? last.frames : 0) })
  }

  /** The one that came first. */
  take(): WaitingFrame | undefined {
    return this.#waiting.shift()
  }

  #isFastAfter(before: Result, after: Result): boolean {
    return header(after, 'captured_us') - header(before, 'captured_us') < this.#queuedFromUs
  }
}
