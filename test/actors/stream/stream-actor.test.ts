// A stream at work on an engine that does as it is told.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import { createActor } from 'xstate'
import { Cameras } from '../../../actors/cameras/cameras.ts'
import { endEffects } from '../../../actors/run.ts'
import { streamActor } from '../../../actors/stream/stream-actor.ts'
import type { StreamRuntime } from '../../../actors/stream/stream-runtime.ts'
import type { Fault } from '../../../machines/errors/fault.ts'
import { NO_LIVE_CONTROLS } from '../../../machines/extcam/live.ts'
import { NO_WANTS } from '../../../machines/extcam/robot-wants.ts'
import { Listeners } from '../../../machines/listeners.ts'
import { demoMap, type FieldMap } from '../../../machines/localization/field-map.ts'
import type { GraphDraft, Plan } from '../../../machines/pipeline/graph.ts'
import { createSettingsStore } from '../../../machines/settings/store.ts'
import type { StreamManifest } from '../../../machines/stream/manifest.ts'
import type { Command } from '../../../machines/supervision/actors.ts'
import { FakeCameras } from '../../../native/cameras/fake.ts'
import { monotonicUs } from '../../../native/clock/system.ts'
import { FakeEngine } from '../../../native/engine/fake/fake.ts'
import type { MediaNews } from '../../../native/media/port.ts'
import { fakeMediaRoots } from '../../../native/media-roots/fake.ts'
import { settle, simulatedClock, untilState } from '../../support/clock/clock.ts'
import { tagsAs } from '../../support/engine/graphs.ts'
import { storedStream, streamRuntime } from '../../support/engine/stream-runtime.ts'

const pose = { x_m: 0.3, y_m: 0, z_m: 0.5, roll_deg: 0, pitch_deg: 0, yaw_deg: 0 }

const camera = { id: 'front', source: { backend: 'images', path: '/pictures' } } as const

const unplugged: Fault = { code: 'camera.lost', detail: 'the camera was unplugged' }

const stored = (revision: number, more: Partial<StreamManifest> = {}) => storedStream(revision, { ...camera, ...more })

const noPeers: Fault = { code: 'camera.missing', detail: 'there are no peers here' }

/** `opening.first-frame`, or `live`. */
const stateOf = ({ value }: { readonly value: unknown }): string =>
  typeof value === 'string' ? value : (Object.entries(value as object)[0] as [string, string]).join('.')

/**
 * A stream that has just been started. openFault, planFault, writeFault: how an opening, a plan, or a write fails for
 * as long as it is set. plans: that the engine made, or was to make, while the camera was open. before: what is done to
 * the stream before it is started.
 */
const started = (t: TestContext, more: Partial<StreamManifest> = {}, before = (_: StreamRuntime) => {}) => {
  const stream = streamRuntime({ ...camera, ...more })
  before(stream)
  const sinks = { results: stream.results, picture: stream.viewers.pictures.deliver.bind(stream.viewers.pictures) }
  const world: { openFault?: Fault; planFault?: Fault; writeFault?: Fault; map: FieldMap } = { map: demoMap }
  const mapNews = new Listeners<void>()
  const news = new Listeners<MediaNews>()
  const plans: Plan[] = []
  const planFault = (plan: Plan) => {
    plans.push(plan)
    return world.planFault
  }
  const options = { nowUs: monotonicUs, openFault: () => world.openFault, planFault }
  const engine = new FakeEngine('front', sinks, options, 4_000_000)
  const recorded: Fault[] = []
  const orders: Command<'settings'>[] = []
  const cameras = new Cameras(createSettingsStore(), 4)
  const clock = simulatedClock()
  const record = (fault: Fault) => recorded.push(fault)
  const device = {
    maps: () => new Map([[world.map.id, world.map]]),
    mapNews,
    media: fakeMediaRoots(),
    store: { pathOf: async (name: string) => `/media/${name}`, news },
    cameras,
    remote: { sourceOf: () => noPeers, explained: (_: unknown, fault: Fault) => fault },
    cameraPort: new FakeCameras(),
    cameraPower: { cycle: () => Effect.void },
    clock: { monotonicUs: () => 1000 * clock.now(), nowMs: () => clock.now() },
    others: () => [],
    write: (order: Command<'settings'>) =>
      world.writeFault ? Effect.fail(world.writeFault) : Effect.sync(() => void orders.push(order)),
  }
  const actor = createActor(streamActor({ engine, stream, device, record }), { input: stored(1, more), clock })
  t.after(() => Effect.runPromise(endEffects(actor)))
  const state = (name: string) =>
    untilState(actor, (snapshot) => stateOf(snapshot) === name, `a stream that is ${name}`)
  const live = async () => {
    await state('opening.first-frame')
    engine.showFrame()
    await state('live.steady')
  }
  actor.start()
  return { actor, engine, stream, recorded, orders, world, clock, news, mapNews, plans, state, live }
}

test('the engine gets its whole task, and with the first frame the stream is live', async (t) => {
  const { actor, engine, stream, live } = started(t, { pose })

  await live()

  assert.deepEqual([engine.task?.mount, engine.task?.map], [pose, demoMap])
  assert.equal(stream.engine.opened.value?.fps, 30)
  assert.equal(stream.engine.pid, engine.pid)
  assert.equal(actor.getSnapshot().context.applied?.revision, 1)
})

test('the first frames have the mount that the robot set; a synthetic camera stays where it is', async (t) => {
  const { actor, engine, stream, live, state } = started(t, { pose })
  const mount = { ...pose, x_m: -0.2 }
  await live()
  stream.robot.wants.set({ ...NO_WANTS, mount })

  const source = { backend: 'images', path: '/others' } as const
  actor.send({ type: 'manifest.changed', stored: stored(2, { source, pose }) })
  await state('opening.first-frame')

  assert.deepEqual([engine.task?.mount, engine.task?.true_mount], [mount, pose])
})

test('what viewers want reaches the engine at once, and again when the camera is opened again', async (t) => {
  const { actor, engine, stream, live, state } = started(t)
  await live()
  const watch = stream.viewers.pictures.watch({ max_width_px: 320, quality: 50, overlay: false, fps: 10 })
  assert.deepEqual(engine.kinds, stream.viewers.pictures.wanted())

  engine.setPictureKinds([])
  actor.send({ type: 'manifest.changed', stored: stored(2, { source: { backend: 'images', path: '/others' } }) })
  await state('opening.first-frame')
  assert.equal(engine.kinds.length, 1)

  watch?.release()
  assert.deepEqual(engine.kinds, [])
})

test('a field map that is replaced has the camera opened with it, and one that is the same has not', async (t) => {
  const { engine, world, mapNews, state, live } = started(t)
  await live()

  world.map = structuredClone(demoMap)
  mapNews.notify()
  world.map = { ...demoMap, id: 'other' } // its own is gone
  mapNews.notify()
  await state('live.steady')
  assert.equal(engine.task?.map, demoMap)
  world.map = { ...demoMap, length_m: 17 }
  mapNews.notify()

  await live()
  assert.equal(engine.task?.map.length_m, 17)
})

test('a field map that comes ends the wait of a stream that lacks it', async (t) => {
  const { engine, world, mapNews, state, live } = started(t, { map_id: 'gym' })
  await state('backing-off')

  world.map = { ...demoMap, id: 'gym' }
  mapNews.notify()

  await live()
  assert.equal(engine.task?.map.id, 'gym')
})

test('the engine gets the clock of the device with the camera, and the status says what times rest on', async (t) => {
  const { actor, engine, stream, live, state } = started(t, { source: { backend: 'url', url: 'http://10.2.54.12/' } })
  const by = () => stream.engine.stamped.value
  await live()
  const seen = [by()]

  stream.sourceClock.set({ offset_us: -7_000_000, within_us: 6_000 })
  engine.showFrame()
  seen.push(by())
  actor.send({ type: 'manifest.changed', stored: stored(2, { source: { backend: 'url', url: 'http://10.2.54.13/' } }) })
  await state('opening.first-frame')
  seen.push(by())
  engine.showFrame()
  seen.push(by())
  stream.sourceClock.set(null)
  engine.showFrame()
  seen.push(by())

  assert.deepEqual(seen, [undefined, 'peer', undefined, 'peer', 'arrival'])
})

test('an engine is told at its start where that clock stands', async (t) => {
  const { engine } = started(t, {}, (stream) => stream.sourceClock.set({ offset_us: 5, within_us: 6_000 }))

  assert.deepEqual(engine.sourceClock, { offset_us: 5, within_us: 6_000 })
})

test('a camera that fails is opened again and again, and told of once', async (t) => {
  const { engine, recorded, world, clock, live, state } = started(t)
  await live()

  world.openFault = { code: 'camera.missing', detail: 'there is no camera' }
  engine.loseCamera(unplugged)
  for (let attempt = 0; attempt < 4; attempt++) {
    await state('backing-off')
    clock.increment(8_000)
  }
  await state('backing-off')
  assert.deepEqual(recorded, [unplugged])

  delete world.openFault
  clock.increment(8_000)
  await live()
  engine.loseCamera(unplugged)
  assert.deepEqual(recorded, [unplugged, unplugged])
})

test('a map that is missing is a fault that names those there are', async (t) => {
  const { actor, recorded, state } = started(t, { map_id: 'moon' })

  await state('backing-off')

  assert.equal(actor.getSnapshot().context.fault?.code, 'map.not_found')
  assert.match(recorded[0]?.detail ?? '', /no field map moon; .* one of: demo\.$/)
})

test('a broken picture is recorded and stops nothing; the end of the source is shown', async (t) => {
  const { engine, recorded, live, state } = started(t)
  await live()

  const corrupt: Fault = { code: 'picture.corrupt', detail: '2.jpg is empty' }
  engine.warn(corrupt)
  assert.deepEqual(recorded, [corrupt])
  await state('live.steady')

  engine.endSource()
  await state('ended')
})

test('what goes wrong without stopping the stream is counted in its status until the next opening', async (t) => {
  const { actor, engine, stream, recorded, clock, live, state } = started(t)
  await live()

  engine.warn({ code: 'picture.corrupt', detail: '2.jpg is empty' }, 3)
  engine.warn({ code: 'picture.other_size', detail: '3.jpg is small' })
  engine.warn({ code: 'picture.corrupt', detail: '2.jpg is empty again' }, 2)

  assert.deepEqual(stream.status().warnings, [
    { code: 'picture.corrupt', detail: '2.jpg is empty again', count: 5, last_at_ms: clock.now() },
    { code: 'picture.other_size', detail: '3.jpg is small', count: 1, last_at_ms: clock.now() },
  ])
  assert.equal(recorded.length, 3)

  actor.send({ type: 'manifest.changed', stored: stored(2, { source: { backend: 'images', path: '/others' } }) })
  await state('opening.first-frame')
  assert.deepEqual(stream.status().warnings, [])
})

test('an engine that dies ends the stream with its fault, and no number of a dead process stays behind', async (t) => {
  const { actor, engine, stream, live } = started(t)
  await live()

  engine.crash()
  await untilState(actor, ({ status }) => status === 'done')
  await settle()

  const { outcome, fault } = actor.getSnapshot().output ?? {}
  assert.deepEqual([outcome, fault?.code], ['crashed', 'engine.crashed'])
  assert.equal(stream.engine.pid, undefined)
})

test('a camera that shows nothing for 3 s is asked about, and live again when it shows something', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 250) {
      t.mock.timers.tick(250)
      await settle()
    }
  }
  const { actor, engine, live } = started(t)
  await settle()
  await live()

  await pass(2_500)
  assert.ok(actor.getSnapshot().matches('live'))
  await pass(1_000)
  assert.equal(stateOf(actor.getSnapshot()), 'stalled.waiting')

  engine.showFrame()
  await pass(500)
  assert.ok(actor.getSnapshot().matches('live'))
})

test('a slow camera has the time of three of its frames', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  const { actor, engine, live } = started(t, { source: { backend: 'images', path: '/pictures', fps: 0.5 } })
  await settle()
  await live()
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 250) {
      t.mock.timers.tick(250)
      await settle()
    }
  }

  for (let frames = 0; frames < 3; frames++) {
    await pass(5_000)
    assert.ok(actor.getSnapshot().matches('live'))
    engine.showFrame()
  }
  await pass(6_500)
  assert.equal(stateOf(actor.getSnapshot()), 'stalled.waiting')
})

test('an engine that does not answer when it is asked is given up', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  const { actor, engine, live } = started(t)
  await settle()
  await live()

  engine.hang()
  for (let passed = 0; passed < 5_000; passed += 250) {
    t.mock.timers.tick(250)
    await settle()
  }

  assert.equal(actor.getSnapshot().output?.fault.code, 'engine.hung')
})

test('a running engine gets another pipeline; a refusal is told, and the next change is given to it', async (t) => {
  const { actor, engine, stream, world, recorded, state, live } = started(t)
  await live()
  const openedBefore = stream.engine.opened.value

  actor.send({ type: 'manifest.changed', stored: stored(2, { pipeline: tagsAs('only') }) })
  await state('live.steady')
  const taken = engine.task?.plan.outputs.map(({ port }) => port)
  world.planFault = { code: 'engine.bad_task', detail: 'it has no room for that' }
  actor.send({ type: 'manifest.changed', stored: stored(3) })
  await state('live.standing-in')
  const afterRefusal = engine.task?.plan.outputs.map(({ port }) => port)
  delete world.planFault
  actor.send({ type: 'manifest.changed', stored: stored(4) })
  await state('live.steady')

  assert.deepEqual([taken, afterRefusal], [['only'], ['only']])
  assert.deepEqual(
    engine.task?.plan.outputs.map(({ port }) => port),
    ['tags', 'tag_poses', 'pose'],
  )
  assert.deepEqual(
    recorded.map(({ detail }) => detail),
    ['The pipeline of before goes on: it has no room for that'],
  )
  assert.equal(stream.engine.opened.value, openedBefore, 'the camera stays open')
  assert.equal(actor.getSnapshot().context.applied?.revision, 4)
})

test('a changed stored pipeline is tried by the engine and stored with the stream, or its refusal told', async (t) => {
  const slots = { slots: [{ slot: 2, graph_id: 'near' }], active_slot: 2 }
  const { actor, stream, world, orders, recorded, state, live } = started(t, slots)
  const change = (revision: number, value: GraphDraft) =>
    stream.graph.set({ graph_id: 'near', stored: { revision, value } })
  const refusal = () => actor.getSnapshot().context.refusal
  await live()

  world.planFault = { code: 'engine.bad_task', detail: 'it has no room for that' }
  change(1, tagsAs('only'))
  await untilState(actor, () => refusal() !== null, 'a refusal')
  const refused = refusal()
  change(2, { nodes: [], edges: [], outputs: [] })
  await untilState(actor, () => refusal() !== null && refusal() !== refused, 'another refusal')
  const unplanned = refusal()
  delete world.planFault
  assert.deepEqual(orders, [])
  change(3, tagsAs('only'))
  await state('live.following')
  await state('live.steady')

  assert.deepEqual([refused?.code, unplanned?.code, refusal()], ['pipeline.refused', 'pipeline.invalid', null])
  assert.match(refused?.detail ?? '', /near: it has no room for that/)
  assert.deepEqual([recorded.length, stream.status().warnings.length], [2, 2])
  assert.deepEqual(
    orders.map(({ type, id }) => `${type} ${id}`),
    ['document.change front'],
  )
})

test('a stored pipeline that could not be stored with the stream is stored when there is room again', async (t) => {
  const slots = { slots: [{ slot: 2, graph_id: 'near' }], active_slot: 2 }
  const { actor, stream, world, orders, clock, state, live } = started(t, slots)
  const refusal = () => actor.getSnapshot().context.refusal
  await live()

  world.writeFault = { code: 'storage.full', detail: 'no room is left' }
  stream.graph.set({ graph_id: 'near', stored: { revision: 1, value: tagsAs('only') } })
  await untilState(actor, () => refusal() !== null, 'a refusal')
  const refused = refusal()
  delete world.writeFault
  clock.increment(15_000)
  await state('live.steady')

  assert.match(refused?.detail ?? '', /pipeline of before goes on: .* near cannot be stored .*: no room is left/)
  assert.deepEqual(
    orders.map((order) => `${order.type} ${'id' in order && order.id}`),
    ['document.change front'],
  )
})

/** It runs a model. */
const looking: GraphDraft = {
  nodes: [
    { id: 'source', type: 'source' },
    { id: 'look', type: 'classifier', params: { model: 'notes.onnx' } },
  ],
  edges: [{ from: 'source.colour', to: 'look.image' }],
  outputs: [{ port: 'seen', from: 'look.classes' }],
}

test('a model with new class names is given to the engine again, unless the pipeline does not run it', async (t) => {
  const { engine, news, plans, state, live } = started(t, { pipeline: looking })
  await live()

  news.notify({ name: 'others.onnx', item: null })
  news.notify({ name: 'notes.onnx', item: null })
  await state('live.steady')

  assert.deepEqual(plans, [engine.task?.plan])
})

test('a stored pipeline that lacked a model is tried again when the model is there', async (t) => {
  const { actor, stream, world, orders, news, live } = started(t, {
    slots: [{ slot: 2, graph_id: 'near' }],
    active_slot: 2,
  })
  const refusal = () => actor.getSnapshot().context.refusal
  await live()
  world.planFault = { code: 'engine.bad_task', detail: 'there is no model notes.onnx' }
  stream.graph.set({ graph_id: 'near', stored: { revision: 1, value: looking } })
  await untilState(actor, () => refusal() !== null, 'a refusal')

  delete world.planFault
  news.notify({ name: 'notes.onnx', item: null })
  await untilState(actor, () => orders.length > 0, 'the pipeline stored with the stream')

  assert.equal(refusal(), null)
})

test('a camera is opened by an engine that knows what the robot has set', async (t) => {
  const { engine, stream, live } = started(t)
  stream.robot.live.set({ ...NO_LIVE_CONTROLS, skip: 4 })

  await live()
  assert.equal(engine.live.skip, 4)

  stream.robot.live.set({ ...NO_LIVE_CONTROLS, priority_id: 7 })
  stream.robot.heading.set({ at_us: 1, yaw_deg: 2, yaw_rate_dps: 3 })
  assert.deepEqual([engine.live.skip, engine.live.priority_id], [0, 7])
  assert.deepEqual(engine.headings, [{ at_us: 1, yaw_deg: 2, yaw_rate_dps: 3 }])
})
