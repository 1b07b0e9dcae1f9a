// What an engine process brings of tags beside its results, for those who solve all cameras together.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import * as Scope from 'effect/Scope'
import { header, type Result, rowsOf } from '../../../machines/engine/result.ts'
import { NO_LIVE_CONTROLS } from '../../../machines/extcam/live.ts'
import { Latest } from '../../../machines/latest.ts'
import {
  mountOf,
  OBSERVATION_HEAD,
  OBSERVATION_TAG,
  tagAt,
  tagCountOf,
} from '../../../machines/localization/observation.ts'
import { type PoseDocument, poseFromDocument } from '../../../machines/localization/pose.ts'
import { defaultGraph, type GraphDocument } from '../../../machines/pipeline/graph.ts'
import type { StreamManifest } from '../../../machines/stream/manifest.ts'
import { fakeEngines } from '../../../native/engine/fake/fake.ts'
import type { EnginePort, EngineTask } from '../../../native/engine/port.ts'
import { engineProcesses } from '../../../native/engine/service/engines.ts'
import { engineTask } from '../../support/engine/engine-task.ts'
import { until } from '../../support/until.ts'

const mount: PoseDocument = { x_m: 0.2, y_m: 0.1, z_m: 0.5, roll_deg: 0, pitch_deg: -10, yaw_deg: 5 }

/** The default graph, with the corners of its tags among the outputs. */
const withPoints: GraphDocument = {
  ...defaultGraph,
  outputs: [...defaultGraph.outputs, { port: 'points', from: 'points.points' }],
}

/** Its robot is found from tag 1 alone; the corners that are made last are those of all others. */
const twoKinds: GraphDocument = {
  nodes: [
    ...defaultGraph.nodes.filter(({ type }) => type !== 'tag-pose'),
    { id: 'one', type: 'id-filter', params: { mode: 'keep', ids: [1] } },
    { id: 'others', type: 'id-filter', params: { mode: 'drop', ids: [1] } },
    { id: 'other_points', type: 'undistort-points' },
  ],
  edges: [
    { from: 'source.image', to: 'gray.image' },
    { from: 'gray.image', to: 'tags.image' },
    { from: 'tags.detections', to: 'one.detections' },
    { from: 'tags.detections', to: 'others.detections' },
    { from: 'one.detections', to: 'points.detections' },
    { from: 'others.detections', to: 'other_points.detections' },
    { from: 'points.points', to: 'field_pose.points' },
  ],
  outputs: [
    { port: 'points', from: 'points.points' },
    { port: 'others', from: 'other_points.points' },
    { port: 'pose', from: 'field_pose.pose' },
  ],
}

const noTags: GraphDocument = {
  nodes: [
    { id: 'source', type: 'source' },
    { id: 'gray', type: 'gray' },
    { id: 'measure', type: 'exposure-stats' },
  ],
  edges: [
    { from: 'source.image', to: 'gray.image' },
    { from: 'gray.image', to: 'measure.image' },
  ],
  outputs: [{ port: 'exposure', from: 'measure.exposure' }],
}

const camera = (pipeline: GraphDocument, more: Partial<StreamManifest> = {}): StreamManifest => ({
  source: {
    backend: 'synthetic',
    width_px: 640,
    height_px: 400,
    fps: 30,
    motion: 'still',
    noise: 2,
    exposure_us: 1500,
  },
  pose: mount,
  pipeline,
  ...more,
})

/** An engine on a camera, and its results. */
const running = async (
  t: TestContext,
  manifest: StreamManifest,
  changes: Partial<EngineTask> = { observations: true },
  engines: EnginePort = engineProcesses(),
) => {
  const scope = Scope.makeUnsafe()
  t.after(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  const frames: Result[] = []
  const results = new Latest<Result>()
  results.subscribe((result) => frames.push(result))
  const engine = await Effect.runPromise(
    Scope.provide(engines.spawn('observations', { results, picture: () => {} }), scope),
  )
  const open = (more: Partial<EngineTask>) => Effect.runPromise(engine.open({ ...engineTask(manifest), ...more }))
  const opened = await open(changes)
  const some = (from = frames.length, count = 3) =>
    until(
      'frames',
      () => frames.slice(from),
      (came) => came.length >= count,
    )
  return { engine, frames, open, opened, some }
}

const CORNERS = OBSERVATION_TAG.indexOf('x0')
const EXPOSURE = OBSERVATION_HEAD.indexOf('exposure_us')
const SIGMA = OBSERVATION_TAG.indexOf('sigma_px')

/** The rows of an output, each whole. */
const rows = (result: Result, port: string): number[][] => {
  const { count, offset, stride } = rowsOf(result, port) ?? assert.fail(`there is no ${port}`)
  return Array.from({ length: count }, (_, row) => [
    ...result.data.subarray(offset + row * stride, offset + (row + 1) * stride),
  ])
}

/** Family, id and corners of each tag that was observed. */
const observed = ({ observation }: Result): number[][] => {
  assert.ok(observation)
  assert.equal(observation.length, tagAt(tagCountOf(observation)))
  return Array.from({ length: tagCountOf(observation) }, (_, n) => [
    ...observation.subarray(tagAt(n), tagAt(n) + CORNERS + 8),
  ])
}

test('an observation has the corners of the points to the bit, a deviation of each, lens and mount', async (t) => {
  const { some, opened } = await running(t, camera(withPoints))

  for (const result of await some()) {
    const { observation } = result
    assert.ok(observation)
    assert.ok(rows(result, 'points').length >= 2)
    assert.deepEqual(observed(result), rows(result, 'points'))
    const sigmas = Array.from({ length: tagCountOf(observation) }, (_, n) => observation[tagAt(n) + SIGMA] as number)
    for (const sigma of sigmas) assert.ok(sigma > 0 && sigma < 2, `${sigma}`)
    assert.equal(observation[OBSERVATION_HEAD.indexOf('fx_px')], opened.intrinsics?.fx_px)
    assert.equal(observation[OBSERVATION_HEAD.indexOf('fy_px')], opened.intrinsics?.fy_px)
    assert.equal(observation[EXPOSURE], 1500)
    const said = poseFromDocument(mount)
    for (const [field, value] of Object.entries(mountOf(observation) ?? assert.fail('there is no mount')))
      assert.ok(Math.abs(value - said[field as keyof typeof said]) < 1e-12)
  }
})

test('all tags are observed, though the robot is to be found from none, by the mount that it has set', async (t) => {
  const { engine, some, frames } = await running(t, camera(withPoints))
  const moved = { ...mount, y_m: -0.3 }

  engine.setLive({ ...NO_LIVE_CONTROLS, localization_ids: [] })
  engine.setMount(moved)

  const isMoved = ({ observation }: Result) =>
    observation && Math.abs((mountOf(observation)?.y ?? 0) - moved.y_m) < 1e-12
  await until('a frame of the moved camera', () => frames.some(isMoved))
  await until(
    'a frame of a robot that is not found',
    () => frames.at(-1) && rows(frames.at(-1) as Result, 'pose').length === 0,
  )
  for (const result of await some()) assert.deepEqual(observed(result), rows(result, 'points'))
})

test('of several kinds of corners those count that the robot is found from', async (t) => {
  const { some } = await running(t, camera(twoKinds))

  for (const result of await some()) {
    assert.ok(rows(result, 'others').length > 0)
    assert.deepEqual(observed(result), rows(result, 'points'))
  }
})

test('a camera whose place nobody has said says so, and one that looks for no tags brings nothing', async (t) => {
  const { some, open, frames } = await running(t, camera(withPoints), { observations: true, mount: null })
  for (const { observation } of await some()) assert.equal(observation && mountOf(observation), undefined)

  await open({ ...engineTask(camera(noTags)), observations: true })

  for (const result of (await some(frames.length)).slice(-2)) assert.deepEqual(Object.keys(result), ['layout', 'data'])
})

test('a result is the same with an observation and without, bit for bit', async (t) => {
  const observing = (observations: boolean) => running(t, camera(withPoints), { observations, sightings: true })
  const [{ frames: seen }, { frames: alone }] = [await observing(true), await observing(false)]
  const pairs = await until(
    'frames that both have seen',
    () => {
      const bySeq = new Map(alone.map((result) => [header(result, 'seq'), result]))
      return seen.flatMap((result) => {
        const same = bySeq.get(header(result, 'seq'))
        return same ? [[result, same] as const] : []
      })
    },
    ({ length }) => length >= 3,
  )
  assert.ok(alone.every(({ observation }) => observation === undefined))
  for (const [one, other] of pairs) {
    assert.equal(one.data.length, other.data.length)
    for (const port of ['tags', 'points', 'tag_poses']) assert.deepEqual(rows(one, port), rows(other, port))
    assert.equal(one.sighting?.length, other.sighting?.length)
  }
})

test('a fake engine observes what it shows, where it is asked to', async (t) => {
  const engines = fakeEngines({ nowUs: () => 5 })
  const { some, open, frames } = await running(t, camera(withPoints), { observations: true }, engines)
  for (const result of await some()) assert.deepEqual(observed(result), rows(result, 'points'))

  await open({ observations: false })

  for (const result of await some(frames.length)) assert.equal(result.observation, undefined)
})
