import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RESULT_FIELDS, type Result, rowsOf } from '../../../../machines/engine/result.ts'
import { compose, invert, type Pose, poseAt } from '../../../../machines/localization/pose.ts'
import { startEngine } from '../../../support/engine/engine-task.ts'

const FRAMES = 150

interface Miss {
  readonly metres: number
  readonly degrees: number
  /** Error of x over its standard deviation. */
  readonly deviations: number
}

const missOf = (estimate: Pose, truth: Pose, deviationM: number): Miss => {
  const between = compose(invert(truth), estimate)
  return {
    metres: Math.hypot(between.x, between.y, between.z),
    degrees: (2 * Math.acos(Math.min(1, Math.abs(between.qw))) * 180) / Math.PI,
    deviations: Math.abs(estimate.x - truth.x) / deviationM,
  }
}

/** undefined for a frame in which fewer than two tags were seen. */
const measure = (result: Result): Miss | undefined => {
  const pose = rowsOf(result, 'pose')
  const truth = rowsOf(result, 'truth')
  if (!pose || !truth || pose.count === 0) return undefined
  const at = (field: (typeof RESULT_FIELDS.field_pose)[number]) => pose.offset + RESULT_FIELDS.field_pose.indexOf(field)
  if ((result.data[at('tag_count')] as number) < 2) return undefined
  const deviationM = result.data[at('std_x_m')] as number
  return missOf(poseAt(result.data, at('field_robot_x_m')), poseAt(result.data, truth.offset), deviationM)
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number

test('a robot that circles before its tags is placed within half a centimetre and 0.1 degrees', async (t) => {
  const camera = await startEngine(t)
  await camera.open({ source: { backend: 'synthetic', motion: 'orbit', fps: 60 } })
  while (camera.results.length < FRAMES) await camera.nextResult()

  const misses = camera.results.map(measure).filter((miss) => miss !== undefined)

  const metres = median(misses.map((miss) => miss.metres))
  const degrees = median(misses.map((miss) => miss.degrees))
  const deviations = median(misses.map((miss) => miss.deviations))
  t.diagnostic(`${misses.length} frames: median ${(metres * 100).toFixed(2)} cm, ${degrees.toFixed(3)} degrees`)
  assert.ok(misses.length > FRAMES * 0.9, `two tags or more in ${misses.length} of ${FRAMES} frames`)
  assert.ok(metres <= 0.005, `${metres} m`)
  assert.ok(degrees <= 0.1, `${degrees} degrees`)
  assert.ok(deviations > 0.1 && deviations < 2, `half of the errors are within ${deviations} standard deviations`)
})
