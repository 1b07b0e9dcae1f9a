// A survey of map and rig as a team takes it: a running service with four synthetic cameras, in which everything is a
// little otherwise than it is said to be and one tag hangs 5 cm elsewhere, while the robot is driven about. What is
// proposed is accepted, and the same robot drives on.
import { join } from 'node:path'
import { map2026Welded } from '../../../machines/localization/maps/season-2026.ts'
import { ask, errorsOf, SurveyedRobot, survey } from '../../support/localization/surveyed-robot.ts'
import { SURVEY_FAULTS } from '../../support/localization/surveys.ts'
import { CORNER_MOUNTS } from '../../support/localization/worlds.ts'
import { addStream, startDaemon } from '../lab/daemon.ts'
import type { Lab, Measurement } from '../lab/lab.ts'
import { quantile, type Row, spread } from '../lab/row.ts'

const SEEDS = [1, 2, 3]
const ROUNDS = 300
const LIMIT_S = 600
const POSES = 100
const OFF_M = 0.05
/** Seen from both halves of the field. */
const DISPLACED = [10, 26, 20]
/** Another tag that is named though it hangs nearer than that is named for nothing. */
const MIN_WRONG_M = 0.02

interface Turn {
  readonly isFound: boolean
  readonly falselyNamed: number
  readonly before: number
  readonly after: number
}

export const surveyService: Measurement = async (lab) => {
  const turns: Turn[] = []
  for (const [n, seed] of SEEDS.entries()) {
    const turn = await surveyOnce(lab, seed, DISPLACED[n] as number)
    lab.say(`seed ${seed}: ${JSON.stringify(turn)}`)
    turns.push(turn)
  }
  const from = `${SEEDS.length} robots, ${ROUNDS} places, ${POSES} poses before and after`
  const row = (what: string, unit: string, of: (turn: Turn) => number, figure?: Row['figure']): Row => ({
    what: `survey in a running service, four cameras: ${what}`,
    unit,
    ...spread(turns.map(of)),
    from,
    ...(figure && { figure }),
  })
  return [
    row('the tag that hangs 5 cm elsewhere is named', '', ({ isFound }) => Number(isFound), { atLeast: 1 }),
    row('other tags named', '', ({ falselyNamed }) => falselyNamed, { atMost: 0 }),
    row('poses before, p50', 'cm', ({ before }) => before),
    row('poses with all accepted, p50', 'cm', ({ after }) => after, { atMost: 0.6 }),
  ]
}

const surveyOnce = async (lab: Lab, seed: number, displaced: number): Promise<Turn> => {
  const daemon = await startDaemon(lab, { dataDir: join(lab.folder, `survey-${seed}`) })
  await ask(daemon, 'PUT', '/v1/localization/config', { round_wait_ms: 200 }) // cameras share the cores with others
  const robot = new SurveyedRobot({
    seed,
    map: map2026Welded,
    mounts: CORNER_MOUNTS,
    faults: SURVEY_FAULTS,
    displaced: { id: displaced, m: OFF_M },
    turnedDeg: 0,
    camera: { width_px: 1280, height_px: 800, fps: 2 },
  })
  for (const manifest of robot.manifests()) await addStream(daemon, manifest)
  const t = { after: (end: () => unknown) => lab.defer(end as () => void) }
  const p50 = async () => 100 * quantile(await errorsOf(t, daemon, robot.ids, { count: POSES }), 0.5)
  const before = await p50()
  const { id, spec } = await survey(daemon, { rounds: ROUNDS, duration_s: LIMIT_S })
  const choice = { tags: 'all', cameras: 'all', errors: true }
  await ask(daemon, 'POST', `/v1/localization/surveys/${id}/accept`, choice)
  await robot.stay(daemon)
  const after = await p50()
  await daemon.stop()
  const named = spec.proposal.tags.filter(({ is_wrong }) => is_wrong)
  return {
    isFound: named.some((tag) => tag.id === displaced),
    falselyNamed: named.filter((tag) => tag.id !== displaced && robot.offOf(tag.id) < MIN_WRONG_M).length,
    before,
    after,
  }
}
