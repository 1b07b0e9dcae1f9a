// What an engine does about orders that nobody should have given: it refuses them, and lives on.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { encodeFrame, MAX_ORDER_BYTES } from '../../../../native/engine/protocol/frames.ts'
import { placesIn, withValueAt } from '../../../support/api/arbitrary.ts'
import { engineTask, smallCamera } from '../../../support/engine/engine-task.ts'
import { type RawEngine, startRawEngine } from '../../../support/engine/raw-engine.ts'

const SEED = 5_011
const task = engineTask(smallCamera)
const kind = { key: 'a', max_width_px: 160, quality: 60, overlay: false, fps: 0 }
const camera = {
  backend: 'v4l2',
  device: '/nowhere/video0',
  pixel_format: 'mjpeg',
  width_px: 640,
  height_px: 480,
  fps: 30,
  controls: [],
}
const live = {
  priority_id: 3,
  aim_m: [0, 0.1, 0],
  localization_ids: [3, 4],
  skip: 1,
  decimate: 2,
  window: { x0: 0, y0: 0, x1: 0.5, y1: 1 },
}
const heading = { at_us: 1_000_000, yaw_deg: 725.5, yaw_rate_dps: -90 }
const clock = { offset_us: -70_000_000, within_us: 6_000 }
const mount = { x_m: 0, y_m: 0, z_m: 0.4, roll_deg: 0, pitch_deg: 0, yaw_deg: 0 }

const ODD: readonly unknown[] = [
  ...[null, true, 0, -1, 0.5, 1e9, -1e9, 2 ** 31, 2 ** 53, 1e300, -1e300, 5e-324, Number.NaN, Number.POSITIVE_INFINITY],
  ...['', 'x', '\0', 'é'.repeat(10_000), 'images', 'apriltag', new Uint8Array(60_000)],
  ...[[], [null], [[]], Array.from({ length: 60_000 }, () => 0), ['x', 1], {}, { '': 1 }, { length: 1e9 }],
]

/** That it answers, has taken no memory to speak of, and still does its work. */
const assertWell = async (engine: RawEngine): Promise<void> => {
  assert.equal(engine.exited(), false)
  assert.equal((await engine.ask({ type: 'ping' })).type, 'answer')
  assert.equal((await engine.ask({ type: 'open', task })).type, 'opened')
  assert.ok(engine.residentMb() < 600, `${engine.residentMb()} MB`)
}

/** That an order is refused, by an answer. */
const assertRefused = async (engine: RawEngine, order: object): Promise<void> => {
  const answer = await engine.ask(order)
  assert.ok(answer.type === 'answer' && answer.fault, JSON.stringify(order).slice(0, 300))
  assert.match(answer.fault.code, /^(engine|camera|control|picture|media)\./)
  assert.ok(answer.fault.detail.length < 1000)
}

test('messages that are no orders are reported and nothing else', async (t) => {
  const engine = await startRawEngine(t)
  const messages = [{ type: 'nonsense' }, { type: '__proto__' }, { type: 'open' }, { type: 'ping', ask: null }]

  for (const message of messages) engine.send(message)
  await assertWell(engine)

  assert.deepEqual(
    engine.warned,
    messages.map(() => 'engine.bad_order'),
  )
})

test('kinds and mounts that make no sense are reported, and those before stay', async (t) => {
  const engine = await startRawEngine(t)
  const orders = [
    ...ODD.filter((odd) => !(Array.isArray(odd) && odd.length === 0)).map((kinds) => ({
      type: 'picture-kinds',
      kinds,
    })),
    { type: 'picture-kinds' },
    ...[
      { max_width_px: -5 },
      { max_width_px: 1e9 },
      { quality: 101 },
      { quality: -1 },
      { fps: -1 },
      { fps: 1e-300 },
      { fps: 1e300 },
    ].map((change) => ({ type: 'picture-kinds', kinds: [{ ...kind, ...change }] })),
    { type: 'picture-kinds', kinds: Array.from({ length: 1000 }, (_, n) => ({ ...kind, key: `${n}` })) },
    ...ODD.filter((odd) => odd !== null).map((odd) => ({ type: 'mount', mount: odd })),
    ...[Number.NaN, 1e300, '1'].map((odd) => ({ type: 'mount', mount: { ...mount, x_m: odd } })),
  ]
  assert.equal((await engine.ask({ type: 'open', task })).type, 'opened')

  for (const order of orders) engine.send(order)
  await assertWell(engine)

  assert.equal(engine.warned.length, orders.length)
})

/** What is no value of a field by itself, and so none of a live control at all. */
const NONSENSE: readonly unknown[] = [
  true,
  0.5,
  -1,
  1e300,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  'x',
  [null],
  { '': 1 },
]

test('live controls, headings and clocks that make no sense are reported, and those before stay', async (t) => {
  const engine = await startRawEngine(t)
  const orders = [
    ...ODD.map((odd) => ({ type: 'live', live: odd })),
    ...Object.keys(live).flatMap((field) => NONSENSE.map((odd) => ({ type: 'live', live: { ...live, [field]: odd } }))),
    ...Object.keys(live).map((field) => ({ type: 'live', live: { ...live, [field]: undefined } })),
    ...[{ x0: 0.6 }, { x1: 1.1 }, { y0: -0.1 }, { y1: Number.NaN }, { y0: '0' }].map((change) => ({
      type: 'live',
      live: { ...live, window: { ...live.window, ...change } },
    })),
    ...[
      [0, 0],
      [0, 0, 0, 0],
      [0, 0, 1e9],
    ].map((aim_m) => ({ type: 'live', live: { ...live, aim_m } })),
    ...ODD.map((odd) => ({ type: 'heading', heading: odd })),
    ...ODD.flatMap((odd) => (odd === null ? [] : [{ type: 'source-clock', clock: odd }])),
    ...Object.keys(heading).flatMap((field) =>
      [null, '1', Number.NaN, 1e300].map((odd) => ({ type: 'heading', heading: { ...heading, [field]: odd } })),
    ),
    ...Object.keys(clock).flatMap((field) =>
      [null, '1', Number.NaN, 0.5, 1e300, undefined].map((odd) => ({
        type: 'source-clock',
        clock: { ...clock, [field]: odd },
      })),
    ),
  ]
  assert.equal((await engine.ask({ type: 'open', task })).type, 'opened')

  for (const order of orders) engine.send(order)
  await assertWell(engine)

  assert.deepEqual(
    engine.warned,
    orders.map(() => 'engine.bad_order'),
  )
})

test('live controls, headings and clocks that make sense are taken, whether a camera is open or not', async (t) => {
  const engine = await startRawEngine(t)
  const none = { priority_id: null, aim_m: null, localization_ids: null, skip: 0, decimate: null, window: null }
  const orders = [
    ...[live, none, { ...live, localization_ids: [] }].map((each) => ({ type: 'live', live: each })),
    ...[heading, { ...heading, at_us: 0 }, { ...heading, yaw_deg: -1e6 }].map((each) => ({
      type: 'heading',
      heading: each,
    })),
    ...[clock, { ...clock, offset_us: 9e15 }, null].map((each) => ({ type: 'source-clock', clock: each })),
  ]

  for (const order of orders) engine.send(order)
  assert.equal((await engine.ask({ type: 'open', task })).type, 'opened')
  for (const order of orders) engine.send(order)
  await assertWell(engine)

  assert.deepEqual(engine.warned, [])
})

test('tasks beyond all measure are refused before anything is taken for them', async (t) => {
  const engine = await startRawEngine(t)
  const source = (change: object) => ({ ...task, source: { ...task.source, ...change } })
  const lens = { width_px: 640, height_px: 400, fx_px: 500, fy_px: 500, cx_px: 320, cy_px: 200, distortion: [] }
  const steps = (params: object) => ({
    ...task,
    plan: { ...task.plan, steps: task.plan.steps.map((step) => ({ ...step, params: { ...step.params, ...params } })) },
  })

  for (const odd of [
    ...[
      { width_px: 1_000_000_000 },
      { width_px: -640 },
      { height_px: 0 },
      { width_px: 100_000, height_px: 100_000 },
    ].map(source),
    ...[{ fps: 0 }, { fps: -30 }, { fps: 1e-300 }, { fps: 1e300 }, { seed: -1 }, { seed: 1e300 }, { noise: 1e300 }].map(
      source,
    ),
    ...[{ width_px: 0 }, { fx_px: 0 }, { fx_px: -1 }, { cx_px: 1e300 }, { distortion: [1] }].map((change) => ({
      ...task,
      intrinsics: { ...lens, ...change },
    })),
    { ...task, map: { ...task.map, length_m: 1e300 } },
    { ...task, map: { ...task.map, tags: Array.from({ length: 50_000 }, (_, id) => ({ id, pose: mount })) } },
    { ...task, mount: { ...mount, z_m: 1e300 } },
    { ...task, true_mount: { ...mount, z_m: 1e300 } },
    { ...task, plan: { ...task.plan, slots: 1e9 } },
    { ...task, plan: { ...task.plan, slots: -1 } },
    { ...task, plan: { ...task.plan, outputs: [{ port: 'x', slot: -1, kind: 'detections' }] } },
    { ...task, plan: { ...task.plan, outputs: [{ port: 'x', slot: 2, kind: 'nonsense' }] } },
    {
      ...task,
      plan: {
        slots: 100,
        steps: [
          ...task.plan.steps.slice(0, 2),
          ...Array.from({ length: 50 }, (_, n) => ({
            ...task.plan.steps[2],
            id: `t${n}`,
            inputs: [1],
            outputs: [n + 2],
          })),
        ],
        outputs: [],
      },
    },
    steps({ families: 'tag36h11' }),
    steps({ threads: 1e300 }),
    steps(Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`k${n}`, n]))),
    { ...task, source: { backend: 'images', path: [], fps: 30, loop: true } },
    { ...task, source: { backend: 'images', path: '\0', fps: 30, loop: true } },
    { ...task, source: { backend: 'images', path: 'x'.repeat(1_000_000), fps: 30, loop: true } },
    { ...task, source: camera },
    { ...task, source: { ...camera, device: '\0' } },
    { ...task, source: { ...camera, device: '/dev/null' } },
    { ...task, source: { ...camera, controls: [{ id: -1, value: 0 }] } },
    { ...task, source: { ...camera, controls: [{ id: 1, value: 0.5 }] } },
    { ...task, source: { ...camera, controls: Array.from({ length: 1000 }, () => ({ id: 1, value: 0 })) } },
  ]) {
    await assertRefused(engine, { type: 'open', task: odd })
  }
  await assertWell(engine)
})

test('a task with anything else at any place is opened or refused', async (t) => {
  const engine = await startRawEngine(t)
  const small = { ...task, map: { ...task.map, tags: task.map.tags.slice(0, 2) } }
  const places = placesIn(small)
  const tasks = fc
    .array(fc.tuple(fc.nat(places.length - 1), fc.constantFrom(...ODD)), { minLength: 1, maxLength: 2 })
    .map((changes) =>
      changes.reduce<unknown>((changed, [place, odd]) => changeAt(changed, places[place] ?? [], odd), small),
    )

  const property = fc.asyncProperty(tasks, async (odd) => {
    const answer = await engine.ask({ type: 'open', task: odd })
    assert.ok(answer.type === 'opened' || 'fault' in answer, JSON.stringify(answer))
  })

  await fc.assert(property, { seed: SEED, numRuns: 400 })
  await assertWell(engine)
})

/** A place may be gone when another change came first. */
const changeAt = (value: unknown, path: readonly (string | number)[], odd: unknown): unknown => {
  try {
    return withValueAt(value, path, () => odd)
  } catch {
    return odd
  }
}

const framed = (payload: readonly number[]): Buffer => {
  const frame = Buffer.alloc(4 + payload.length)
  frame.writeUInt32LE(payload.length, 0)
  frame.set(payload, 4)
  return frame
}

test('frames that cannot be read are reported and skipped', async (t) => {
  const engine = await startRawEngine(t)
  const hugeList = [0xdd, 0x01, 0xff, 0xff, 0xff]
  const frames = [
    framed([]),
    framed([0xc1]),
    framed([0x92]),
    framed([0xdb, 0xff, 0xff, 0xff, 0xff]),
    framed(Array.from({ length: 100 }, () => hugeList).flat()),
    framed([0x91, 0xc7, 0x01, 0x78, 0x00]),
    framed([0x91, 0xc0]),
    framed([0x90, 0x90]),
    framed(Array.from({ length: 200_000 }, () => 0x91)),
    Buffer.concat(encodeFrame(JSON.parse('["no object"]'))),
  ]
  const tooLong = Buffer.alloc(4 + MAX_ORDER_BYTES + 1)
  tooLong.writeUInt32LE(MAX_ORDER_BYTES + 1, 0)

  for (const frame of [...frames, tooLong]) engine.write(frame)
  await assertWell(engine)

  assert.equal(engine.warned.length, frames.length + 1)
})

test('random bytes in a frame are reported or refused, whatever they say', async (t) => {
  const engine = await startRawEngine(t)
  const good = encodeFrame({ type: 'open', ask: 0, task }).flatMap((chunk) => [...chunk.subarray(4)])
  const garbled = fc.tuple(fc.nat(good.length - 1), fc.uint8Array({ minLength: 1, maxLength: 4 }))

  const property = fc.property(fc.array(garbled, { minLength: 1, maxLength: 3 }), (changes) => {
    const bytes = Uint8Array.from(good)
    for (const [at, change] of changes) bytes.set(change.subarray(0, bytes.length - at), at)
    engine.write(framed([...bytes]))
  })

  fc.assert(property, { seed: SEED, numRuns: 300 })
  await assertWell(engine)
})

test('controls that make no sense are refused, and so are those of what is no camera', async (t) => {
  const engine = await startRawEngine(t)
  await engine.ask({ type: 'open', task })

  for (const odd of ODD) {
    await assertRefused(engine, { type: 'set-control', id: odd, value: 1 })
    await assertRefused(engine, { type: 'set-control', id: 9_963_776, value: odd })
  }
  const controls = await engine.ask({ type: 'controls' })
  await assertWell(engine)

  assert.deepEqual(controls.type === 'answer' && controls.value, [])
})

test('an order that is not answered is carried out though it has a number', async (t) => {
  const engine = await startRawEngine(t)
  await engine.ask({ type: 'open', task })

  engine.send({ type: 'heading', heading, ask: 1_000_000 })
  await engine.ask({ type: 'ping' })

  assert.deepEqual(engine.warned, [])
})
