// Surveys of simulated worlds: a robot that was everywhere on the field.
import { JointSolver } from '../../../machines/localization/joint-solve.ts'
import { EXACT_STEP } from '../../../machines/localization/own-speed.ts'
import { poseToDocument } from '../../../machines/localization/pose.ts'
import { Bundle } from '../../../machines/localization/rig-and-map/bundle.ts'
import { type Proposal, proposalOf } from '../../../machines/localization/rig-and-map/proposal.ts'
import { SURVEY_PRIORS, Survey } from '../../../machines/localization/rig-and-map/survey.ts'
import { solveMapOf } from '../../../machines/localization/solve-map.ts'
import { DEFAULT_CONFIG, type Faults, type World } from './worlds.ts'

/** As the reference has them for surveys. */
export const SURVEY_FAULTS: Faults = { map_m: 0.005, map_deg: 0.4, mount_m: 0.004, mount_deg: 0.3, lens_share: 0.003 }

/** Drives until there are so many rounds. */
export const surveyOf = (world: World, rounds: number): Survey => {
  const solver = new JointSolver({ map: solveMapOf(world.map), config: DEFAULT_CONFIG })
  const survey = new Survey(rounds)
  while (!survey.isFull) {
    const problem = world.problem(world.anyPose(), { heading: false })
    const { solved } = solver.solve(problem)
    const { motions } = problem
    const frames = { frames: problem.round.frames, motions, motionStds: motions.map(() => EXACT_STEP) }
    if (solved) survey.add(frames, solved.pose, solved.stdXyM)
  }
  return survey
}

export const proposalFor = (world: World, { rounds }: Survey): Proposal => {
  const solveMap = solveMapOf(world.map)
  const config = { ...DEFAULT_CONFIG, priors: SURVEY_PRIORS }
  const estimates = new Bundle(solveMap, config, rounds).solve()
  if (!estimates) throw new Error('the survey fixes nothing')
  const mounts = new Map(world.cameras.map(({ streamId, nominal }) => [streamId, poseToDocument(nominal)]))
  return proposalOf(estimates, { map: world.map, hash: 'of-this-world', solveMap, config, mounts })
}
