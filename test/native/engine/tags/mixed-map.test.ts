// A field whose tags are of different families and sizes: each is printed, found and reckoned with as the map says.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Result, rowsOf } from '../../../../machines/engine/result.ts'
import type { FieldMap } from '../../../../machines/localization/field-map.ts'
import type { GraphDocument } from '../../../../machines/pipeline/graph.ts'
import type { StreamManifest } from '../../../../machines/stream/manifest.ts'
import { startEngine } from '../../../support/engine/engine-task.ts'
import { oneTag } from '../../../support/engine/field-maps.ts'
import { rowObjects } from '../../../support/engine/row-objects.ts'
import { stepped } from '../../../support/engine/stepped.ts'

const [small = assert.fail()] = oneTag.tags
const at = (y_m: number, z_m: number) => ({ ...small.pose, y_m, z_m })

/** One of the map's family and size, one that is larger, and one of another family with the number of the first. */
const mixed: FieldMap = {
  ...oneTag,
  tags: [
    { id: 5, pose: at(2.6, 1) },
    { id: 6, size_m: 0.3, pose: at(3.4, 0.9) },
    { id: 5, family: 'tag16h5', size_m: 0.25, pose: at(3, 1.4) },
  ],
}

const graph: GraphDocument = {
  nodes: [
    { id: 'source', type: 'source' },
    {
      id: 'tags',
      type: 'apriltag',
      params: { families: ['tag36h11', 'tag16h5'], decimate: 1 },
    },
    { id: 'points', type: 'undistort-points' },
    { id: 'poses', type: 'tag-pose' },
    { id: 'field', type: 'field-pose' },
  ],
  edges: [
    { from: 'source.image', to: 'tags.image' },
    { from: 'tags.detections', to: 'points.detections' },
    { from: 'points.points', to: 'poses.points' },
    { from: 'points.points', to: 'field.points' },
  ],
  outputs: [
    { port: 'tags', from: 'tags.detections' },
    { port: 'poses', from: 'poses.poses' },
    { port: 'pose', from: 'field.pose' },
  ],
}

const manifest: StreamManifest = {
  source: {
    backend: 'synthetic',
    width_px: 1280,
    height_px: 800,
    fps: 60,
    motion: 'still',
    noise: 0,
    exposure_us: 0,
    pose: { x_m: 3, y_m: 3, z_m: 1, roll_deg: 0, pitch_deg: 0, yaw_deg: 180 },
  },
  pipeline: graph,
}

const checkFrame = (result: Result | undefined) => {
  assert.ok(result)
  const seen = rowObjects(result, 'tags')?.map(({ family, id }) => `${family}/${id}`)
  const distances = rowObjects(result, 'poses')?.map((row) => Math.hypot(row.camera_tag_z_m ?? 0))
  const [pose] = rowObjects(result, 'pose') ?? []

  assert.deepEqual(seen?.sort(), ['0/5', '0/6', '2/5'])
  for (const distance of distances ?? []) assert.ok(Math.abs(distance - 2) < 0.03, `${distance} m away`)
  assert.equal(pose?.tag_count, 3)
  assert.ok((pose?.error_px ?? 1) < 0.2, `${pose?.error_px} px`)
  const off = Math.hypot((pose?.field_robot_x_m ?? 0) - 3, (pose?.field_robot_y_m ?? 0) - 3)
  assert.ok(off < 0.01, `${off} m off`)
}

test('tags of two families and three sizes place the robot together', async () => {
  const [result] = await stepped({ manifest, map: mixed, frames: 1 })

  checkFrame(result)
})

test('the engine is told of families and sizes', async (t) => {
  const camera = await startEngine(t)
  await camera.open(manifest, mixed)

  checkFrame(await camera.nextResult())
})

test('one tag of its own size is taken for as large as it is', async () => {
  const larger = { ...oneTag, tags: [{ ...small, size_m: 0.3 }] }
  const withPoses = { ...graph, edges: [...graph.edges, { from: 'poses.poses', to: 'field.tag_poses' }] }

  for (const pipeline of [graph, withPoses]) {
    const [result] = await stepped({ manifest: { ...manifest, pipeline }, map: larger, frames: 1 })

    const [pose] = (result && rowObjects(result, 'pose')) ?? []
    assert.ok(Math.abs((pose?.mean_distance_m ?? 0) - 2) < 0.02, `${pose?.mean_distance_m} m away`)
  }
})

test('a map that says of each tag what it says of all gives the same numbers, bit for bit', async () => {
  const { family, tag_size_m } = oneTag
  const said = { ...oneTag, tags: oneTag.tags.map((tag) => ({ ...tag, family, size_m: tag_size_m })) }
  const numbers = async (map: FieldMap) => {
    const results = await stepped({ manifest, map, frames: 3 })
    return results.map((result) =>
      ['tags', 'poses', 'pose', 'truth', 'visible'].map((port) => rowNumbers(result, port)),
    )
  }

  assert.deepEqual(await numbers(said), await numbers(oneTag))
})

const rowNumbers = (result: Result, port: string) => {
  const rows = rowsOf(result, port)
  assert.ok(rows)
  return [...result.data.subarray(rows.offset, rows.offset + rows.count * rows.stride)]
}
