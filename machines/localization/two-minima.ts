// Which of two poses it is, where tags in one plane look nearly alike from both; and what the doubt that stays does to
// the deviations.
import { add, at } from './arrays.ts'
import { headingChi2, headingOf } from './heading-prior.ts'
import { wrapAngle } from './planar.ts'
import { isRotated } from './pose.ts'
import { STATE_LENGTH, stateOfPose, turnBetween, yawOfState } from './pose-state.ts'
import { type Refinement, TRUST } from './refinement.ts'
import type { RoundProblem } from './round.ts'

/** Neither heading nor prediction can say more: they may be wrong. */
const MAX_LOG_ODDS = 5

/** A pose that fits no prediction is not impossible: people may have carried the robot. */
const MIN_NEARNESS = 1e-4

/** What two good poses of a robot that stands still may differ by. */
const JITTER_M = 0.03
const JITTER_RAD = 0.02

/** Three standard deviations leave out as much anyway. */
const LEFT_OUT = 0.003

/** At these odds it is decided. */
const DECIDED_LOG_ODDS = Math.log(0.95 / 0.05)
/** Apart, where it does not matter which of them it is: the deviations say it. */
const NO_HARM_M = 0.1

const turn = new Float64Array(3)
const predictedState = new Float64Array(STATE_LENGTH)

/** ln(chance of the first / chance of the second). tags: that are used. */
export const logOdds = (first: Refinement, second: Refinement, tags: number, problem: RoundProblem): number => {
  // the pose itself has used up six: were they counted, one lucky round would be too sure
  const spare = 8 * tags - 6
  const byCorners = ((TRUST + spare) / 2) * Math.log((TRUST + second.misfit) / (TRUST + first.misfit))
  const byStance = limited((second.priorCost - first.priorCost) / 2)
  return byCorners + byStance + byHeading(first, second, problem) + byPrediction(first, second, problem)
}

const limited = (odds: number): number => Math.max(-MAX_LOG_ODDS, Math.min(MAX_LOG_ODDS, odds))

const byHeading = (first: Refinement, second: Refinement, problem: RoundProblem): number => {
  const heading = headingOf(problem)
  return heading ? limited((headingChi2(second, heading) - headingChi2(first, heading)) / 2) : 0
}

const byPrediction = (first: Refinement, second: Refinement, { predicted, predictedStd }: RoundProblem): number => {
  if (!predicted || !predictedStd || !isRotated(predicted) || !stateOfPose(predicted, predictedState)) return 0
  const nearness = ({ state, covariance }: Refinement): number => {
    const variance = (k: number, std: number, jitter: number) => at(covariance, 7 * k) + std ** 2 + jitter ** 2
    const x = (at(state, 0) - at(predictedState, 0)) ** 2 / variance(0, predictedStd[0], JITTER_M)
    const y = (at(state, 1) - at(predictedState, 1)) ** 2 / variance(1, predictedStd[1], JITTER_M)
    const turned = wrapAngle(yawOfState(state) - yawOfState(predictedState))
    const yaw = turned ** 2 / variance(5, predictedStd[2], JITTER_RAD)
    return MIN_NEARNESS + Math.exp(-(x + y + yaw) / 2)
  }
  return limited(Math.log(nearness(first) / nearness(second))) || 0
}

/** Whether it does not matter, or is known, which of the two it is. odds: not negative. */
export const isDecided = (first: Refinement, second: Refinement, odds: number): boolean => {
  const { state, covariance } = first
  const apart = Math.hypot(...[0, 1, 2].map((k) => at(state, k) - at(second.state, k)))
  const deviation = Math.sqrt(at(covariance, 0) + at(covariance, 7) + at(covariance, 14))
  return odds > DECIDED_LOG_ODDS || apart < Math.max(NO_HARM_M, 3 * deviation)
}

/** Adds the squared distance to the second, as often as it is the true one. */
export const addDoubt = (first: Refinement, second: Refinement, odds: number): void => {
  const chance = Math.max(0, 1 / (1 + Math.exp(odds)) - LEFT_OUT)
  turnBetween(first.state, second.state, turn)
  const off = (k: number): number => (k < 3 ? at(second.state, k) - at(first.state, k) : at(turn, k - 3))
  for (let row = 0; row < 6; row++)
    for (let column = 0; column < 6; column++) add(first.covariance, 6 * row + column, chance * off(row) * off(column))
}
