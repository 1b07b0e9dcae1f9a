// What is told of a frame that was begun before something else was set.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NO_LIVE_CONTROLS } from '../../../../machines/extcam/live.ts'
import { MAX_TABLE_FRAME_LENGTH, TableFrameViews } from '../../../../machines/extcam/table-frame.ts'
import { demoMap } from '../../../../machines/localization/field-map.ts'
import { identityPose } from '../../../../machines/localization/pose.ts'
import { TableFrameMaker } from '../../../../native/engine/process/table-frames.ts'
import { Layouts } from '../../../../native/engine/protocol/results.ts'
import { frame, intrinsics, layout, seenFrom } from '../../../machines/extcam/frames.ts'
import { engineTask } from '../../../support/engine/engine-task.ts'

const robot = { ...identityPose, x: 2, y: 2 }
const ids = demoMap.tags.slice(0, 2).map(({ id }) => id)
const mount = { x_m: 0.5, y_m: 0, z_m: 0, roll_deg: 0, pitch_deg: 0, yaw_deg: 0 }

/** The sightings of a camera that sees two tags, at a time that is set by hand. */
const seeing = () => {
  const layouts = new Layouts()
  const world = { nowUs: 0 }
  const maker = new TableFrameMaker(
    layouts,
    (fault) => assert.fail(fault.detail),
    () => world.nowUs,
  )
  layouts.set(1, layout)
  const task = { ...engineTask({ source: { backend: 'synthetic' } }), sightings: true, mount: null }
  maker.opened({ ...task, map: demoMap }, { intrinsics, crop: null })
  const at = (startedUs: number) => {
    const { data } = frame({ robot, startedUs, tags: ids.map((id) => seenFrom(robot, id)) })
    const sighting = maker.of(new Uint8Array(data.buffer)) as Float64Array
    const numbers = new Float64Array(MAX_TABLE_FRAME_LENGTH)
    numbers.set(sighting)
    return new TableFrameViews(numbers).get()
  }
  return { world, maker, at }
}

test('the tags behind a pose are those it was solved from, though others are chosen meanwhile', () => {
  const { world, maker, at } = seeing()
  const tagsIn = (startedUs: number) => at(startedUs).botpose[7]
  const all = tagsIn(5_000)

  world.nowUs = 10_000
  maker.setLive({ ...NO_LIVE_CONTROLS, localization_ids: ids.slice(0, 1) })
  world.nowUs = 20_000
  maker.setLive(NO_LIVE_CONTROLS)

  assert.equal(all, 2)
  assert.deepEqual([9_999, 10_000, 19_999, 20_000].map(tagsIn), [2, 1, 1, 2])
})

test('a frame is told of with the mount by which it was computed', () => {
  const { world, maker, at } = seeing()
  const forwardIn = (startedUs: number) => at(startedUs).camerapose_robotspace[0]

  for (let n = 1; n <= 20; n++) {
    world.nowUs = n * 1_000
    maker.setMount({ ...mount, x_m: n / 10 })
  }

  assert.deepEqual([19_999, 20_000, 19_000].map(forwardIn), [1.9, 2, 1.9])
  assert.equal(forwardIn(1_000), 1.2, 'one that is older than all that is kept')
})
