// What a survey finds: whether the tag that hangs 5 cm elsewhere is named, whether another one is, and how far poses
// are off with all of it accepted.
import { JointSolver } from '../../../machines/localization/joint-solve.ts'
import { poseFromDocument } from '../../../machines/localization/pose.ts'
import { mapWith } from '../../../machines/localization/rig-and-map/proposal.ts'
import { solveMapOf } from '../../../machines/localization/solve-map.ts'
import { proposalFor, SURVEY_FAULTS, surveyOf } from '../../support/localization/surveys.ts'
import { DEFAULT_CONFIG, errorOf, type Faults, USUAL_FAULTS, World } from '../../support/localization/worlds.ts'
import type { Measurement } from '../lab/lab.ts'
import { quantile, type Row, rowsOver, spread } from '../lab/row.ts'

const SEEDS = [0, 1, 2, 3, 4, 5, 6, 7]
const FRESH = 200
const OFF_M = 0.05

export const rigAndMap: Measurement = async (lab) => {
  const rows = [
    ...surveys('four cameras, 300 rounds', { cameras: 4, rounds: 300, faults: SURVEY_FAULTS }, true),
    ...surveys('four cameras, 300 rounds, usual faults', { cameras: 4, rounds: 300, faults: USUAL_FAULTS }),
  ]
  lab.say('four cameras are surveyed')
  return [
    ...rows,
    ...surveys('two cameras, 300 rounds', { cameras: 2, rounds: 300, faults: SURVEY_FAULTS }),
    ...surveys('four cameras, 60 rounds', { cameras: 4, rounds: 60, faults: SURVEY_FAULTS }),
  ]
}

interface How {
  readonly cameras: number
  readonly rounds: number
  readonly faults: Faults
}

const surveys = (what: string, how: How, isExam = false): readonly Row[] => {
  const turns = SEEDS.map((seed) => surveyOnce(seed, how))
  const row = rowsOver(turns, `${SEEDS.length} worlds`)
  const sum = (of: (turn: (typeof turns)[number]) => number) => turns.reduce((all, turn) => all + of(turn), 0)
  const count = (name: string, of: (turn: (typeof turns)[number]) => number, figure: Row['figure']): Row => ({
    what: `${what}: ${name}`,
    unit: '',
    ...spread([sum(of)]),
    ...(isExam && figure && { figure }),
    from: `${SEEDS.length} worlds, ${sum(({ tags }) => tags)} other tags`,
  })
  return [
    count('a tag that hangs 5 cm elsewhere is found, of 8', ({ isFound }) => (isFound ? 1 : 0), { atLeast: 8 }),
    count('others named that are not 2 cm off', ({ wrong }) => wrong, { atMost: 0 }),
    row(`${what}: other tags, before`, 'cm', ({ before }) => before),
    row(`${what}: other tags, after`, 'cm', ({ after }) => after),
    row(`${what}: fresh poses before, p50`, 'cm', ({ posesBefore }) => posesBefore),
    row(
      `${what}: fresh poses with all accepted, p50`,
      'cm',
      ({ poses }) => poses,
      isExam ? { atMost: 0.6 } : undefined,
    ),
    row(`${what}: CPU`, 's', ({ seconds }) => seconds),
  ]
}

const surveyOnce = (seed: number, { cameras, rounds, faults }: How) => {
  const hidden = 20 + seed
  const share = OFF_M / Math.sqrt(3)
  const world = new World({ seed: 700 + seed, faults, cameras, displaced: { [hidden]: [share, share, -share] } })
  const survey = surveyOf(world, rounds)
  const begin = process.cpuUsage()
  const proposal = proposalFor(world, survey)
  const { user, system } = process.cpuUsage(begin)
  const others = proposal.tags.filter(({ id }) => id !== hidden)
  const offOf = (
    id: number,
    { x_m, y_m, z_m }: { readonly x_m: number; readonly y_m: number; readonly z_m: number },
  ) => {
    const hung = world.hungAt(id)
    return Math.hypot(hung.x - x_m, hung.y - y_m, hung.z - z_m)
  }
  const map = mapWith(world.map, proposal.tags, { id: 'surveyed', name: 'Surveyed' })
  const errors = { ...DEFAULT_CONFIG.errors, ...proposal.errors }
  const mounts = new Map(proposal.cameras.map(({ stream_id, after }) => [stream_id, poseFromDocument(after)]))
  return {
    isFound: proposal.tags.some(({ id, is_wrong }) => id === hidden && is_wrong),
    wrong: others.filter(({ id, is_wrong, before }) => is_wrong && offOf(id, before) < 0.02).length,
    tags: others.length,
    before:
      100 *
      quantile(
        others.map(({ id, before }) => offOf(id, before)),
        0.5,
      ),
    after:
      100 *
      quantile(
        others.map(({ id, after }) => offOf(id, after)),
        0.5,
      ),
    posesBefore: freshPoses(world, new JointSolver({ map: solveMapOf(world.map), config: DEFAULT_CONFIG }), new Map()),
    poses: freshPoses(world, new JointSolver({ map: solveMapOf(map), config: { ...DEFAULT_CONFIG, errors } }), mounts),
    seconds: (user + system) / 1e6,
  }
}

const freshPoses = (
  world: World,
  solver: JointSolver,
  mounts: ReadonlyMap<string, ReturnType<typeof poseFromDocument>>,
) =>
  100 *
  quantile(
    Array.from({ length: FRESH }, () => {
      const truth = world.anyPose()
      const frames = world.cameras.map((camera) =>
        world.frame({ ...camera, nominal: mounts.get(camera.streamId) ?? camera.nominal }, truth),
      )
      const { solved } = solver.solve(world.problem(truth, { frames }))
      return solved ? [errorOf(solved.pose, truth).distance] : []
    }).flat(),
    0.5,
  )
