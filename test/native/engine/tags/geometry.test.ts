import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { RESULT_FIELDS, type Result, rowsOf } from '../../../../machines/engine/result.ts'
import { rowDocuments } from '../../../../machines/engine/row-documents.ts'
import { type Pose, poseAt } from '../../../../machines/localization/pose.ts'
import { defaultGraph, type GraphDocument } from '../../../../machines/pipeline/graph.ts'
import type { StreamManifest } from '../../../../machines/stream/manifest.ts'
import { startEngine, takePicture } from '../../../support/engine/engine-task.ts'
import { oneTag } from '../../../support/engine/field-maps.ts'
import { rowObjects } from '../../../support/engine/row-objects.ts'

const DISTANCE_M = 2

/** A robot squarely in front of that tag, at its height. */
const squarely = (graph: GraphDocument = defaultGraph): StreamManifest => ({
  source: {
    backend: 'synthetic',
    width_px: 1280,
    height_px: 800,
    fps: 60,
    motion: 'still',
    noise: 0,
    exposure_us: 0,
    pose: { x_m: 1 + DISTANCE_M, y_m: 3, z_m: 1, roll_deg: 0, pitch_deg: 0, yaw_deg: 180 },
  },
  pipeline: graph,
})

const poseOf = (result: Result, port: string, kind: 'tag_poses' | 'field_pose', of: string): Pose => {
  const rows = rowsOf(result, port)
  assert.equal(rows?.count, 1, `one row at ${port}`)
  const fields: readonly string[] = RESULT_FIELDS[kind]
  return poseAt(result.data, (rows?.offset ?? 0) + fields.indexOf(`${of}_x_m`))
}

const turnDeg = ({ qw }: Pose): number => (2 * Math.acos(Math.min(1, Math.abs(qw))) * 180) / Math.PI

const isNear = (actual: number, expected: number, tolerance: number, what: string): void =>
  assert.ok(Math.abs(actual - expected) <= tolerance, `${what} is ${actual}, not ${expected} within ${tolerance}`)

test('a tag squarely in front is straight ahead, upright and not turned', async (t) => {
  const camera = await startEngine(t)
  await camera.open(squarely(), oneTag)
  const tag = poseOf(await camera.nextResult(), 'tag_poses', 'tag_poses', 'camera_tag')

  isNear(tag.x, 0, 0.005, 'x')
  isNear(tag.y, 0, 0.005, 'y')
  isNear(tag.z, DISTANCE_M, 0.02, 'z')
  isNear(turnDeg(tag), 0, 5, 'turn') // a square seen head on hardly shows how it is tilted
})

test('one tag tells where the robot is, and how uncertain that is', async (t) => {
  const camera = await startEngine(t)
  await camera.open(squarely(), oneTag)
  const result = await camera.nextResult()
  const robot = poseOf(result, 'pose', 'field_pose', 'field_robot')
  const [row] = rowObjects(result, 'pose') ?? []

  assert.equal(row?.tag_count, 1)
  isNear(row?.mean_distance_m ?? 0, DISTANCE_M, 0.02, 'the distance')
  isNear(Math.hypot(robot.x - 1, robot.y - 3, robot.z - 1), DISTANCE_M, 0.02, 'the distance of the robot')
  const deviationM = Math.hypot(row?.std_x_m ?? 0, row?.std_y_m ?? 0, row?.std_z_m ?? 0)
  const errorM = Math.hypot(robot.x - (1 + DISTANCE_M), robot.y - 3, robot.z - 1)
  assert.ok(errorM < 4 * deviationM, `${errorM} m off with a deviation of ${deviationM} m`)
})

test('detections are in pixels of the full picture, whatever was cropped and resized before', async (t) => {
  const graph: GraphDocument = {
    nodes: [
      { id: 'source', type: 'source' },
      { id: 'crop', type: 'crop', params: { x_px: 500, y_px: 300, width_px: 301, height_px: 250 } },
      { id: 'resize', type: 'resize', params: { width_px: 602, height_px: 750 } },
      { id: 'full', type: 'apriltag', params: { decimate: 1 } },
      { id: 'part', type: 'apriltag', params: { decimate: 1 } },
    ],
    edges: [
      { from: 'source.image', to: 'full.image' },
      { from: 'source.image', to: 'crop.image' },
      { from: 'crop.image', to: 'resize.image' },
      { from: 'resize.image', to: 'part.image' },
    ],
    outputs: [
      { port: 'full', from: 'full.detections' },
      { port: 'part', from: 'part.detections' },
    ],
  }
  const camera = await startEngine(t)
  await camera.open(squarely(graph), oneTag)
  const result = await camera.nextResult()
  const [full] = rowObjects(result, 'full') ?? []
  const [part] = rowObjects(result, 'part') ?? []

  assert.ok(full && part, 'both see the tag')
  // Half a pixel forgotten anywhere would move the centre by a quarter at least; single corners suffer from the
  // enlarging itself.
  for (const field of ['cx_px', 'cy_px']) isNear(part[field] ?? 0, full[field] ?? 0, 0.2, field)
  for (const field of RESULT_FIELDS.detections.slice(6)) isNear(part[field] ?? 0, full[field] ?? 0, 0.6, field)
})

test('a calibration for pictures of another size is said to be of no use, and gives no poses', async (t) => {
  const { picture } = await takePicture(t)
  const folder = mkdtempSync(join(tmpdir(), 'vedette-test-'))
  t.after(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, '1.jpg'), picture.jpeg)
  const lens = { width_px: 320, height_px: 200, fx_px: 200, fy_px: 200, cx_px: 160, cy_px: 100, distortion: [] }
  const camera = await startEngine(t)
  const warned = camera.nextEvent('warned')

  await camera.open({ source: { backend: 'images', path: folder }, intrinsics: lens })
  const result = await camera.nextResult()
  const event = await warned

  assert.ok((rowsOf(result, 'tags')?.count ?? 0) > 0)
  assert.deepEqual([rowDocuments(result, 'tag_poses', 'tag_poses'), rowsOf(result, 'pose')?.count], [[], 0])
  for (const tag of rowDocuments(result, 'tags', 'detections') ?? []) assert.equal(tag.no_pose, 'uncalibrated')
  assert.equal(event.type === 'warned' && event.fault.code, 'camera.intrinsics_mismatch')
  assert.match(event.type === 'warned' ? event.fault.detail : '', /320x200.*640x400/)
})
