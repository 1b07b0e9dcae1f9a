import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import * as Scope from 'effect/Scope'
import { RESULT_FIELDS, type Result, rowsOf } from '../../../../machines/engine/result.ts'
import type { Fault } from '../../../../machines/errors/fault.ts'
import { NO_LIVE_CONTROLS } from '../../../../machines/extcam/live.ts'
import { Latest } from '../../../../machines/latest.ts'
import { compose, invert, poseAt } from '../../../../machines/localization/pose.ts'
import type { Picture } from '../../../../machines/stream/picture.ts'
import { monotonicUs } from '../../../../native/clock/system.ts'
import { type FakeEngine, type FakeEngineOptions, fakeEngines } from '../../../../native/engine/fake/fake.ts'
import type { EngineEvent } from '../../../../native/engine/port.ts'
import { engineTask } from '../../../support/engine/engine-task.ts'
import { rowObjects } from '../../../support/engine/row-objects.ts'

const task = engineTask({ source: { backend: 'synthetic' } })

const startFake = async (t: TestContext, options: Partial<FakeEngineOptions> = {}) => {
  const scope = Scope.makeUnsafe()
  const close = () => Effect.runPromise(Scope.close(scope, Exit.void))
  t.after(close)
  const pictures: Picture[] = []
  const events: EngineEvent[] = []
  const results = new Latest<Result>()
  const engines = fakeEngines({ nowUs: monotonicUs, ...options })
  const sinks = { results, picture: (picture: Picture) => pictures.push(picture) }
  await Effect.runPromise(Scope.provide(engines.spawn('test', sinks), scope))
  const engine = engines.alive[0] as FakeEngine
  engine.subscribe((event) => events.push(event))
  return { engines, engine, results, pictures, events, close }
}

const faultOf = <Value>(program: Effect.Effect<Value, Fault>): Promise<Fault> => Effect.runPromise(Effect.flip(program))

test('a fake engine shows two tags, and poses that agree with them and with the truth', async (t) => {
  const { engine, results } = await startFake(t)

  await Effect.runPromise(engine.open(task))
  engine.showFrame()

  const result = results.value as Result
  assert.equal(rowsOf(result, 'tags')?.count, 2)
  assert.ok(rowObjects(result, 'tags')?.every(({ cx_px, cy_px }) => cx_px && cx_px > 0 && cx_px < 1280 && cy_px !== 0))
  const offsetOf = (port: string) => rowsOf(result, port)?.offset as number
  const robot = poseAt(result.data, offsetOf('pose') + RESULT_FIELDS.field_pose.indexOf('field_robot_x_m'))
  const truth = poseAt(result.data, offsetOf('truth'))
  const apart = compose(invert(truth), robot)
  assert.ok(Math.hypot(apart.x, apart.y, apart.z) < 1e-9)
  const [tag] = rowObjects(result, 'tag_poses') ?? []
  assert.ok(Math.abs((tag?.camera_tag_z_m ?? 0) - 3) < 0.01, 'the tags are 3 m ahead')
})

test('a fake engine makes pictures that are wished for, and none otherwise', async (t) => {
  const { engine, pictures } = await startFake(t)
  await Effect.runPromise(engine.open(task))

  engine.showFrame()
  engine.setPictureKinds([{ key: 'a', max_width_px: 0, quality: 0, overlay: false, fps: 0 }])
  engine.showFrame()

  assert.deepEqual(
    pictures.map(({ key, seq }) => [key, seq]),
    [['a', 1]],
  )
  assert.deepEqual([...(pictures[0]?.jpeg.subarray(0, 3) ?? [])], [0xff, 0xd8, 0xff])
})

test('a fake engine crashes, loses its camera and refuses to open when told to', async (t) => {
  const busy: Fault = { code: 'camera.unreadable', detail: 'Somebody else has it.' }
  let openFault: Fault | undefined = busy
  const { engine, events, engines, close } = await startFake(t, { openFault: () => openFault })

  const refused = await faultOf(engine.open(task))
  openFault = undefined
  await Effect.runPromise(engine.open(task))
  engine.showFrame()
  engine.loseCamera()
  engine.showFrame()
  engine.crash()
  const afterCrash = await faultOf(engine.ping)

  assert.deepEqual(refused, busy)
  assert.deepEqual(
    events.map(({ type }) => type),
    ['first-frame', 'lost', 'exited'],
  )
  assert.equal(afterCrash.code, 'engine.crashed')
  await close()
  assert.equal(engines.alive.length, 0)
})

test('a fake engine that hangs shows nothing and answers nothing', async (t) => {
  const { engine, results } = await startFake(t)
  await Effect.runPromise(engine.open(task))

  engine.hang()
  engine.showFrame()
  const fault = await faultOf(engine.ping)

  assert.equal(results.value, undefined)
  assert.equal(fault.code, 'engine.hung')
})

test('a fake engine knows what a robot has set, and the last headings that it was told', async (t) => {
  const { engine } = await startFake(t)
  assert.deepEqual(engine.live, NO_LIVE_CONTROLS)

  engine.setLive({ ...NO_LIVE_CONTROLS, skip: 2 })
  for (let at_us = 0; at_us < 1000; at_us++) engine.setHeading({ at_us, yaw_deg: 90, yaw_rate_dps: 0 })

  assert.equal(engine.live.skip, 2)
  assert.equal(engine.headings.length, 256)
  assert.deepEqual(engine.headings.at(-1), { at_us: 999, yaw_deg: 90, yaw_rate_dps: 0 })
})
