// Where the clock of a peer stands: asked on the socket of its events, as long as it has followers.
import { type ClockEstimate, ClockSync } from '../../machines/clock/clock-sync.ts'
import { Listeners, type OnBug } from '../../machines/listeners.ts'

const FIRST_QUESTIONS = 6
const LATER_QUESTIONS = 3 // at each heartbeat, which comes every 5 s
const MAX_SILENT_HEARTBEATS = 3

/**
 * One burst of questions, each asked when the one before is answered. waiting: for the answer to which one, and when
 * that was asked, CLOCK_MONOTONIC.
 */
interface Burst {
  readonly left: number
  readonly waiting: { readonly number: number; readonly askedUs: number }
}

/**
 * The clock of one peer, for as long as it is registered.
 *
 * What is known holds for one session of its events. A device that was started again has another clock, and one that
 * slept or was stopped has jumped: both are noticed by the readings that do not fit, if the session has not ended by
 * then.
 */
export class PeerClock {
  readonly #monotonicUs: () => number
  readonly #followers: Listeners<ClockEstimate | null>
  #users = 0
  #ask: ((number: number) => void) | undefined
  #sync: ClockSync | undefined
  #burst: Burst | undefined
  #lastNumber = 0
  #silentHeartbeats = 0
  #estimate: ClockEstimate | null = null

  /** monotonicUs: CLOCK_MONOTONIC of this device. */
  constructor(monotonicUs: () => number, onBug?: OnBug) {
    this.#monotonicUs = monotonicUs
    this.#followers = new Listeners(onBug)
  }

  /** null: it is not known, or has no followers. */
  get estimate(): ClockEstimate | null {
    return this.#estimate
  }

  /**
   * Adds a follower: calls back when it is known, known better, or not any more. Returns the way to
   * stop that.
   */
  follow(follower: (estimate: ClockEstimate | null) => void): () => void {
    const leave = this.#followers.add(follower)
    this.#users += 1
    if (this.#users === 1) this.#begin()
    return () => {
      leave()
      this.#users -= 1
      if (this.#users === 0) this.#forget()
    }
  }

  /** A session begins in which it is answered. ask: sends the question with a number. Returns the way to end it. */
  open(ask: (number: number) => void): () => void {
    this.#ask = ask
    this.#begin()
    return () => {
      this.#ask = undefined
      this.#forget()
    }
  }

  /** Asks again. To be called every few seconds. */
  askAgain(): void {
    if (!this.#sync) return
    this.#silentHeartbeats = this.#burst ? this.#silentHeartbeats + 1 : 0
    if (this.#silentHeartbeats === MAX_SILENT_HEARTBEATS) this.#tell(null) // it may stand anywhere by now
    this.#startBurst(this.#sync.estimate ? LATER_QUESTIONS : FIRST_QUESTIONS)
  }

  /**
   * The answer to a question. otherUs: CLOCK_MONOTONIC there. One that is not waited for, or not any more, is worth
   * nothing.
   */
  answered(number: number, otherUs: number): void {
    const nowUs = this.#monotonicUs()
    const { left, waiting } = this.#burst ?? {}
    if (!this.#sync || left === undefined || waiting?.number !== number) return
    if (this.#sync.answered(waiting.askedUs, otherUs, nowUs)) this.#tell(null)
    if (left > 0) {
      this.#question(left)
    } else {
      this.#burst = undefined
      this.#tell(this.#sync.estimate ?? null)
    }
  }

  #begin(): void {
    if (!this.#ask || this.#users === 0) return
    this.#sync = new ClockSync()
    this.#silentHeartbeats = 0
    this.#startBurst(FIRST_QUESTIONS)
  }

  #startBurst(questions: number): void {
    this.#sync?.startBurst()
    this.#question(questions)
  }

  #question(left: number): void {
    this.#lastNumber += 1
    this.#burst = { left: left - 1, waiting: { number: this.#lastNumber, askedUs: this.#monotonicUs() } }
    this.#ask?.(this.#lastNumber)
  }

  #forget(): void {
    this.#sync = undefined
    this.#burst = undefined
    this.#tell(null)
  }

  #tell(estimate: ClockEstimate | null): void {
    if (estimate === this.#estimate) return
    this.#estimate = estimate
    this.#followers.notify(estimate)
  }
}
