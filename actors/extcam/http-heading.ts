// What a program says of the robot's heading over HTTP, for as long as it goes on saying it.
import type { StreamRobot } from '../stream/stream-robot.ts'
import type { StartTimer } from '../timer.ts'
import { HeadingKeeper } from './heading-keeper.ts'

/**
 * Such a program says it with each of its turns; one that does not for so long has ended, and no link tells of that.
 */
const IN_FORCE_MS = 2_000

/** Of one stream. While it is in force, what is said over NT4 does not count. nowUs: CLOCK_MONOTONIC. */
export class HttpHeading {
  readonly #robot: Pick<StreamRobot, 'heading' | 'isHeadingByHttp'>
  readonly #nowUs: () => number
  readonly #later: StartTimer
  readonly #keeper: HeadingKeeper
  #stopTimer: () => void = () => {}

  constructor(robot: Pick<StreamRobot, 'heading' | 'isHeadingByHttp'>, nowUs: () => number, later: StartTimer) {
    this.#robot = robot
    this.#nowUs = nowUs
    this.#later = later
    this.#keeper = new HeadingKeeper({ slot: robot.heading, nowUs, later })
  }

  say(yaw_deg: number, yaw_rate_dps: number): void {
    this.#robot.isHeadingByHttp = true
    this.#keeper.say({ at_us: this.#nowUs(), yaw_deg, yaw_rate_dps })
    this.#stopTimer()
    this.#stopTimer = this.#later(IN_FORCE_MS, () => {
      this.#robot.isHeadingByHttp = false
      this.#keeper.stop()
    })
  }
}
