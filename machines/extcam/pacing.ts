// When an adapter writes: each frame at once, but two writes never closer than 20 ms and never farther than 50 ms apart.

const CLOSEST_MS = 20
const FARTHEST_MS = 50
const TIMER_LATE_MS = 2 // a timer of a busy process fires so much late
const JITTER_MS = 5 // of a camera's frames; a sign of life just before a frame would hold that frame back for 20 ms
const LONGEST_PERIOD_MS = 1_000 // a longer pause is a camera that stood still
const SMOOTHING = 8

/**
 * Paces the writes of one table. All times are ms of one monotonic clock.
 *
 * Between the frames of a slow camera come signs of life, spread so that the next frame, when it comes on time, can be written at once.
 */
export class Pacer {
  #writtenMs = Number.NEGATIVE_INFINITY
  #frameMs = Number.NEGATIVE_INFINITY
  #periodMs = 0

  /** A frame has come. */
  frameCame(nowMs: number): void {
    const intervalMs = nowMs - this.#frameMs
    this.#frameMs = nowMs
    if (intervalMs > LONGEST_PERIOD_MS) return
    this.#periodMs += (intervalMs - this.#periodMs) / (this.#periodMs === 0 ? 1 : SMOOTHING)
  }

  wrote(nowMs: number): void {
    this.#writtenMs = nowMs
  }

  /** From when on a waiting frame may be written. */
  get frameDueMs(): number {
    return this.#writtenMs + CLOSEST_MS
  }

  /** When a sign of life is due if no frame is waiting. */
  get signOfLifeDueMs(): number {
    const untilFrameMs = this.#frameMs + this.#periodMs - this.#writtenMs
    const parts = Math.ceil(untilFrameMs / (FARTHEST_MS - TIMER_LATE_MS - JITTER_MS))
    return this.#writtenMs + (parts > 1 ? untilFrameMs / parts : FARTHEST_MS - TIMER_LATE_MS)
  }
}
