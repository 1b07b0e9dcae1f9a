// What a robot program has said of a stream. It holds until that is in force no more, whatever engine runs.
import { type Heading, type LiveControls, NO_LIVE_CONTROLS } from '../../machines/extcam/live.ts'
import { NO_WANTS, type RobotWants } from '../../machines/extcam/robot-wants.ts'
import { Latest } from '../../machines/latest.ts'
import type { OnBug } from '../../machines/listeners.ts'

/** The robot's part of a stream. Its slots are written by what reads the robot (actors/extcam) alone. */
export class StreamRobot {
  /** What it has set while the stream runs; none to begin with. */
  readonly live: Latest<LiveControls>
  /** What it said last of its heading; undefined as soon as that is in force no more. */
  readonly heading: Latest<Heading | undefined>
  /** Whether that is said over HTTP now: then what is said over NT4 does not count. */
  isHeadingByHttp = false
  /** What else it wants; nothing to begin with. */
  readonly wants: Latest<RobotWants>

  constructor(onBug?: OnBug) {
    this.live = new Latest(onBug)
    this.heading = new Latest(onBug)
    this.wants = new Latest(onBug)
    this.forget()
  }

  /** What was set is in force no more. */
  forget(): void {
    this.live.set(NO_LIVE_CONTROLS)
    this.wants.set(NO_WANTS)
    this.heading.set(undefined)
  }
}
