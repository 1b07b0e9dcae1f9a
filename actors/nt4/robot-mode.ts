// Whether the robot is enabled, by its own word. Lives as long as the service.
import type { Latest } from '../../machines/latest.ts'
import { CONTROL_WORD_TOPIC, isEnabled, ROBOT_WORD_HOLDS_MS } from '../../machines/nt4/control-word.ts'
import type { Nt4Session } from '../../native/nt4/port.ts'
import { type StartTimer, startTimer } from '../timer.ts'

/** Where the robot is heard, and where its mode is shown. */
export interface RobotModeParts {
  readonly link: Latest<Nt4Session | undefined>
  readonly enabled: Latest<boolean>
  readonly later?: StartTimer
}

/** Follows the robot; returns the way to stop. A robot that does not say is not enabled. */
export const watchRobotMode = ({ link, enabled, later = startTimer }: RobotModeParts): (() => void) => {
  let unsubscribe: () => void = () => {}
  let stopTimer: () => void = () => {}
  const say = (value: boolean) => {
    stopTimer()
    if (enabled.value !== value) enabled.set(value)
  }
  const follow = (session: Nt4Session | undefined) => {
    unsubscribe()
    unsubscribe = session ? session.subscribe([CONTROL_WORD_TOPIC], {}, ({ value }) => say(isEnabled(value))) : () => {}
    stopTimer()
    // also with another session: a robot program that has just been started has not said anything yet
    if (enabled.value) stopTimer = later(ROBOT_WORD_HOLDS_MS, () => say(false))
  }
  const stop = link.subscribe(follow)
  follow(link.value)
  return () => {
    stop()
    unsubscribe()
    stopTimer()
  }
}
