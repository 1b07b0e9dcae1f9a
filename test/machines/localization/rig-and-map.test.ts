import assert from 'node:assert/strict'
import { test } from 'node:test'
import { JointSolver } from '../../../machines/localization/joint-solve.ts'
import { EXACT_STEP } from '../../../machines/localization/own-speed.ts'
import { compose, identityPose, invert, type Pose, poseFromDocument } from '../../../machines/localization/pose.ts'
import { mapWith, Proposal } from '../../../machines/localization/rig-and-map/proposal.ts'
import { Survey } from '../../../machines/localization/rig-and-map/survey.ts'
import { solveMapOf } from '../../../machines/localization/solve-map.ts'
import { validatorOf } from '../../../machines/schema/errors.ts'
import { quantile } from '../../bench/lab/row.ts'
import { proposalFor, SURVEY_FAULTS, surveyOf } from '../../support/localization/surveys.ts'
import { DEFAULT_CONFIG, errorOf, turnOf, World } from '../../support/localization/worlds.ts'

const HIDDEN = 26
const world = new World({ seed: 700, faults: SURVEY_FAULTS, displaced: { [HIDDEN]: [0.03, 0.03, -0.027] } })
const survey = surveyOf(world, 200)
const proposal = proposalFor(world, survey)

test('the tag that hangs 5 cm elsewhere is found, and no other one', () => {
  const wrong = proposal.tags.filter(({ is_wrong }) => is_wrong)

  assert.deepEqual(
    wrong.map(({ id }) => id),
    [HIDDEN],
  )
  assert.ok(Math.abs((wrong[0]?.moved_m ?? 0) - 0.05) < 0.015)
  assert.ok(proposal.misfit > 0.9 && proposal.misfit < 1.1, `${proposal.misfit}`)
})

test('a proposal is a document of its schema', () => {
  assert.deepEqual(validatorOf(Proposal)(JSON.parse(JSON.stringify(proposal))), [])
})

test('how the cameras are turned is found but for what all have in common', () => {
  const before = world.cameras.map(({ nominal, mount }) => angleBetween(nominal, mount))
  const after = world.cameras.map(({ streamId, mount }) => {
    const proposed = proposal.cameras.find(({ stream_id }) => stream_id === streamId)
    return angleBetween(poseFromDocument(proposed?.after ?? assert.fail()), mount)
  })

  assert.ok(mean(after) < 0.6 * mean(before), `${mean(before)} to ${mean(after)}`)
})

test('with all of it accepted, fresh poses are twice as good', () => {
  const map = mapWith(world.map, proposal.tags, { id: 'surveyed', name: 'Surveyed' })
  const errors = { ...DEFAULT_CONFIG.errors, ...proposal.errors }
  const mounts = new Map(proposal.cameras.map(({ stream_id, after }) => [stream_id, poseFromDocument(after)]))
  const off = (solver: JointSolver, mountOf: (streamId: string, nominal: Pose) => Pose) =>
    quantile(
      Array.from({ length: 150 }, () => {
        const truth = world.anyPose()
        const frames = world.cameras.map((camera) =>
          world.frame({ ...camera, nominal: mountOf(camera.streamId, camera.nominal) }, truth),
        )
        const { solved } = solver.solve(world.problem(truth, { frames }))
        return solved ? errorOf(solved.pose, truth).distance : Number.NaN
      }),
      0.5,
    )

  const before = off(new JointSolver({ map: solveMapOf(world.map), config: DEFAULT_CONFIG }), (_, nominal) => nominal)
  const after = off(
    new JointSolver({ map: solveMapOf(map), config: { ...DEFAULT_CONFIG, errors } }),
    (streamId) => mounts.get(streamId) ?? assert.fail(),
  )

  assert.ok(after < 0.6 * before, `${before} to ${after}`)
  assert.ok(after < 0.008, `${after}`)
})

test('a survey keeps a round only where none is near, and none of a robot that moves or stands on a ramp', () => {
  const [round] = survey.rounds
  assert.ok(round)
  const there: Pose = { ...identityPose, x: 3, y: 3 }
  const added = (pose: Pose, { motion = identityPose, motionStd = EXACT_STEP, std = 0.01 } = {}) => {
    const one = new Survey(10)
    const { frames, motions } = round
    one.add({ frames, motions, motionStds: frames.map(() => EXACT_STEP) }, there, 0.01)
    return one.add({ frames, motions: frames.map(() => motion), motionStds: frames.map(() => motionStd) }, pose, std)
  }

  assert.equal(added(there), false)
  assert.equal(added({ ...there, x: 3.1 }), false)
  assert.equal(added({ ...there, x: 3.5 }), true)
  assert.equal(added(compose(there, turnOf(0, 0, 0.5))), true)
  assert.equal(added({ ...there, x: 3.5 }, { motion: { ...identityPose, x: 0.1 } }), false)
  assert.equal(added({ ...there, x: 3.5 }, { motionStd: { m: 0.5, rad: 0.001 } }), false)
  assert.equal(added({ ...there, x: 3.5 }, { motionStd: { m: 0.001, rad: 0.1 } }), false)
  assert.equal(added({ ...there, x: 3.5 }, { std: 0.5 }), false)
  assert.equal(added({ ...compose(there, turnOf(0.15, 0, 0)), x: 3.5 }), false)
})

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

function angleBetween(a: Pose, b: Pose): number {
  const { qx, qy, qz } = compose(invert(a), b)
  return (360 / Math.PI) * Math.asin(Math.min(1, Math.hypot(qx, qy, qz)))
}
