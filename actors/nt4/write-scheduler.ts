// The write scheduler: tables whose frames have to wait anyway are written together, of all streams, with one timer and
// one write.
import { type StartTimer, startTimer } from '../timer.ts'

/**
 * When a table is to be called, CLOCK_MONOTONIC, µs: not before fromUs, and by untilUs, timers being as late as they
 * are. Its owner keeps it and sets it again.
 */
export interface Turn {
  fromUs: number
  untilUs: number
  /** nowUs: the time of the turn, the same for all who have it. */
  readonly take: (nowUs: number) => void
}

/** The tables that wait. As many as can be written together are. */
export class WriteScheduler {
  readonly #nowUs: () => number
  readonly #later: StartTimer
  readonly #waiting = new Set<Turn>()
  /** Those who have the present turn. */
  #due = new Set<Turn>()
  #atUs = Number.NaN
  #stopTimer: () => void = () => {}

  constructor(nowUs: () => number, later: StartTimer = startTimer) {
    this.#nowUs = nowUs
    this.#later = later
  }

  /** Calls `take` once. */
  wait(turn: Turn): void {
    this.#waiting.add(turn)
    if (turn.fromUs !== this.#atUs) this.#setTimer() // most have the same
  }

  cancel(turn: Turn): void {
    this.#waiting.delete(turn)
    this.#due.delete(turn)
  }

  /** The last of the beginnings that comes before the first of the ends. */
  #setTimer(): void {
    let untilUs = Number.POSITIVE_INFINITY
    for (const turn of this.#waiting) untilUs = Math.min(untilUs, turn.untilUs)
    let atUs = Number.NEGATIVE_INFINITY
    for (const { fromUs } of this.#waiting) if (fromUs <= untilUs && fromUs > atUs) atUs = fromUs
    if (atUs === this.#atUs) return
    this.#stopTimer()
    this.#atUs = atUs
    // timers drop what is behind the point
    this.#stopTimer = this.#later(Math.max(0, Math.ceil((atUs - this.#nowUs()) / 1000)), this.#timesUp)
  }

  readonly #timesUp = (): void => {
    const nowUs = this.#nowUs()
    this.#atUs = Number.NaN
    this.#due = new Set([...this.#waiting].filter(({ fromUs }) => fromUs <= nowUs))
    for (const turn of this.#due) this.#waiting.delete(turn)
    for (const turn of this.#due) turn.take(nowUs)
    if (this.#waiting.size > 0) this.#setTimer()
  }
}
