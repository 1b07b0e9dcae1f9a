// What an engine process makes of its frames for the robot's table, and how it keeps the time between them.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import * as Scope from 'effect/Scope'
import type { Result } from '../../../machines/engine/result.ts'
import { NO_LIVE_CONTROLS } from '../../../machines/extcam/live.ts'
import { TableFrames } from '../../../machines/extcam/table-frame.ts'
import { Latest } from '../../../machines/latest.ts'
import { demoMap } from '../../../machines/localization/field-map.ts'
import type { PoseDocument } from '../../../machines/localization/pose.ts'
import type { StreamManifest } from '../../../machines/stream/manifest.ts'
import { engineProcesses } from '../../../native/engine/service/engines.ts'
import { engineTask } from '../../support/engine/engine-task.ts'
import { until } from '../../support/until.ts'

const mount: PoseDocument = { x_m: 0.2, y_m: 0.1, z_m: 0.5, roll_deg: 0, pitch_deg: -10, yaw_deg: 5 }
const camera = (fps: number): StreamManifest => ({
  source: { backend: 'synthetic', width_px: 640, height_px: 400, fps, motion: 'still' },
  pose: mount,
})

/** An engine on a camera, its results, and how often it said that it has none. */
const running = async (t: TestContext, manifest: StreamManifest, sightings: boolean) => {
  const scope = Scope.makeUnsafe()
  t.after(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  const heard: (Result | 'no-result')[] = []
  const results = new Latest<Result>()
  results.subscribe((result) => heard.push(result))
  const sinks = { results, picture: () => {}, noResult: () => heard.push('no-result') }
  const engine = await Effect.runPromise(Scope.provide(engineProcesses().spawn('sightings', sinks), scope))
  const open = () => Effect.runPromise(engine.open({ ...engineTask(manifest), sightings }))
  const { intrinsics } = await open()
  const frames = () => heard.filter((one) => one !== 'no-result')
  return { engine, heard, frames, open, installation: { map: demoMap, intrinsics, mount } }
}

test('each result comes with the sighting that would be made of it here, by the mount of that time', async (t) => {
  const { engine, frames, installation } = await running(t, camera(30), true)
  await until(
    'frames',
    () => frames().length,
    (count) => count >= 5,
  )
  const before = frames().slice(0, 5)
  const moved = { ...mount, y_m: -0.3 }

  engine.setMount(moved)

  const here = new TableFrames()
  for (const result of before) assert.deepEqual(result.sighting, here.of(result, installation))
  const after = () => new TableFrames().of(frames().at(-1) as Result, { ...installation, mount: moved })
  await until('a frame of the moved camera', () => `${frames().at(-1)?.sighting}` === `${after()}`)
})

test('what a robot has set counts in the sightings of this opening and the next', async (t) => {
  const { engine, frames, installation, open } = await running(t, camera(30), true)
  const live = { priority_id: null, aim_m: null, localization_ids: [] }
  const here = new TableFrames()
  const isAsSet = () => {
    const newest = frames().at(-1) as Result
    return newest && `${newest.sighting}` === `${here.of(newest, { ...installation, live })}`
  }
  await until('a frame', () => frames().at(-1))
  assert.ok(!isAsSet())

  engine.setLive({ ...NO_LIVE_CONTROLS, ...live })

  await until('a frame of a robot that is found from no tag', isAsSet)
  await open()
  const count = frames().length
  await until(
    'frames of the next opening',
    () => frames().length,
    (now) => now >= count + 2,
  )
  assert.ok(isAsSet())
})

test('between the frames of a slow camera the engine says that there are none', async (t) => {
  const { heard } = await running(t, camera(4), true)

  const told = () => heard.map((one) => (one === 'no-result' ? 'none' : 'frame')).join(' ')
  await until('a time without results between two frames', told, (all) => /frame (none )+frame/.test(all))
})

test('an engine whose stream no robot sees makes no sightings and keeps no time', async (t) => {
  const { heard } = await running(t, camera(4), false)

  await until(
    'frames',
    () => heard.length,
    (count) => count >= 3,
  )

  assert.ok(heard.every((one) => one !== 'no-result' && one.sighting === undefined))
})

test('an engine that is opened anew for a stream that no robot sees keeps no time any more', async (t) => {
  const { engine, heard } = await running(t, camera(4), true)
  await until('a time without results', () => heard.includes('no-result'))

  await Effect.runPromise(engine.open({ ...engineTask(camera(4)), sightings: false }))
  const before = heard.length
  await until(
    'frames',
    () => heard.length - before,
    (count) => count >= 3,
  )

  assert.ok(heard.slice(before).every((one) => one !== 'no-result'))
})
