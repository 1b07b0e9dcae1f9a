// Keeps the robot's heading in force on one link until the robot sends another.
import type { Heading } from '../../machines/extcam/live.ts'
import type { Latest } from '../../machines/latest.ts'
import type { StartTimer } from '../timer.ts'

/** What a heading is kept with. */
export interface HeadingKeeperParts {
  /** Where the heading is shown. */
  readonly slot: Pick<Latest<Heading | undefined>, 'set'>
  /** CLOCK_MONOTONIC. */
  readonly nowUs: () => number
  /** A callback that throws there is the adapter's crash. */
  readonly later: StartTimer
}

const REPEAT_MS = 50 // an engine goes by a sample for 100 ms; a timer may be as late as that

/**
 * Repeats the last heading as of now while nothing new comes: robots send no value that has not changed, so that one
 * that stands still says nothing. A silence means the same angle, whatever the rate was. What was said for a time
 * before a repeat takes its place in the engine. It has a timer only once a heading was said.
 */
export class HeadingKeeper {
  readonly #parts: HeadingKeeperParts
  #stopTimer: () => void = () => {}

  constructor(parts: HeadingKeeperParts) {
    this.#parts = parts
  }

  /** The robot has said it just now. */
  say(heading: Heading): void {
    this.#parts.slot.set(heading)
    this.#stopTimer()
    this.#stopTimer = this.#parts.later(REPEAT_MS, () => this.hold(heading.yaw_deg))
  }

  /** The robot has said this angle some time ago, and nothing else since. */
  hold(yawDeg: number): void {
    this.say({ at_us: this.#parts.nowUs(), yaw_deg: yawDeg, yaw_rate_dps: 0 })
  }

  /** The link, or its observer, has ended: no heading is in force. */
  stop(): void {
    this.#stopTimer()
    this.#parts.slot.set(undefined)
  }
}
