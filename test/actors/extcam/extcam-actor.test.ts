import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import { createActor } from 'xstate'
import { extcamActor } from '../../../actors/extcam/extcam-actor.ts'
import { WriteScheduler } from '../../../actors/nt4/write-scheduler.ts'
import { endEffects } from '../../../actors/run.ts'
import type { Result } from '../../../machines/engine/result.ts'
import type { ImuFigures } from '../../../machines/extcam/imu.ts'
import { type Hardware, Snapshot } from '../../../machines/extcam/snapshot.ts'
import { type ExtcamKey, TOPICS_WITHOUT_IMU } from '../../../machines/extcam/topics.ts'
import { Latest } from '../../../machines/latest.ts'
import { Listeners } from '../../../machines/listeners.ts'
import { demoMap } from '../../../machines/localization/field-map.ts'
import { poseFromDocument } from '../../../machines/localization/pose.ts'
import { DEFAULT_PUBLISHING } from '../../../machines/nt4/settings.ts'
import type { FakeBatch } from '../../../native/nt4/fake.ts'
import type { Nt4Session } from '../../../native/nt4/port.ts'
import { frame, intrinsics, seenFrom } from '../../machines/extcam/frames.ts'
import { readEstimate } from '../../machines/extcam/vendor-arrays.ts'
import { settle } from '../../support/clock/clock.ts'
import { HandClock, HandSession, SERVER_AHEAD_US } from '../../support/clock/hand-clock.ts'

const robot = poseFromDocument({ x_m: 12, y_m: 2.2, z_m: 0.5, roll_deg: 0, pitch_deg: 0, yaw_deg: 2 })
const tags = [seenFrom(robot, 5), seenFrom(robot, 6)]

/** An adapter that runs until the test ends. */
const adapter = async (
  t: TestContext,
  { table = 'limelight', clock = new HandClock(), linked = false, publishing = DEFAULT_PUBLISHING } = {},
) => {
  const link = new Latest<Nt4Session | undefined>()
  if (linked) link.set(new HandSession(clock))
  const results = new Latest<Result>()
  const snapshot = new Snapshot()
  let frames = 0
  results.subscribe(() => {
    frames += 1
  })
  const hardware = { now: undefined as Hardware | undefined, latest: () => hardware.now }
  const installation = { map: demoMap, intrinsics, mount: null }
  const moves = new Listeners<void>()
  const imu = { now: undefined as ImuFigures | undefined }
  let state = 'live'
  const logic = extcamActor({
    clock,
    later: clock.later,
    turns: new WriteScheduler(clock.monotonicUs, clock.later),
    startedUs: 0,
    hardware: hardware.latest,
    imu: () => imu.now,
    controls: { follow: () => () => {}, carryOut: Effect.never },
    link,
    results,
    snapshot,
    frames: () => frames,
    installation: () => installation,
    isLive: () => state === 'live',
    onMoved: (listener) => moves.add(listener),
    publishing,
  })
  const actor = createActor(logic, { input: { streamId: 'front', claim: { table } } })
  const crashes: unknown[] = []
  actor.subscribe({ error: (bug) => crashes.push(bug) })
  actor.start()
  await settle()
  t.after(() => Effect.runPromise(endEffects(actor)))
  const nowUs = clock.monotonicUs
  return {
    actor,
    clock,
    link,
    results,
    snapshot,
    hardware,
    imu,
    crashes,
    move: (to: string) => {
      state = to
      moves.notify()
    },
    connect: async () => {
      const session = new HandSession(clock)
      link.set(session)
      await settle()
      return session
    },
    show: (facts: Parameters<typeof frame>[0] = { tags, robot }) =>
      results.set(frame({ capturedUs: nowUs() - 9_000, startedUs: nowUs() - 5_000, ...facts })),
  }
}

const keysOf = (batch: FakeBatch | undefined) => [...(batch?.values.keys() ?? [])].map((name) => name.split('/').at(-1))
const atMs = (batch: FakeBatch) => (batch.timestampUs - SERVER_AHEAD_US) / 1_000
const gaps = (batches: readonly FakeBatch[]) =>
  batches.slice(1).map((batch, n) => atMs(batch) - atMs(batches[n] as FakeBatch))
const said = (batch: FakeBatch | undefined, key: ExtcamKey) => batch?.values.get(`/limelight/${key}`)
const estimateOf = (batch: FakeBatch | undefined) => readEstimate(said(batch, 'botpose_wpiblue') as Float64Array)
const documentOf = (batch: FakeBatch | undefined) => JSON.parse(said(batch, 'json') as string)

test('every topic is published once, with its type, and says "no target" until the first frame', async (t) => {
  const { connect, actor } = await adapter(t)

  const session = await connect()

  assert.equal(actor.getSnapshot().value, 'publishing')
  const published = [...session.published.values()].map(({ name, type }) => ({ name, type }))
  assert.deepEqual(
    published,
    TOPICS_WITHOUT_IMU.map(({ key, type }) => ({ name: `/limelight/${key}`, type })),
  )
  const [none] = session.batches
  assert.equal(session.batches.length, 1)
  assert.equal(none?.values.size, TOPICS_WITHOUT_IMU.length)
  assert.deepEqual([said(none, 'tv'), said(none, 'tid'), said(none, 'hb')], [0, -1, 0])
  assert.deepEqual(said(none, 'botpose_wpiblue'), new Float64Array(11))
  assert.equal(documentOf(none).v, 0)
})

test('what an IMU says is published from its first reading on, and is empty when it is gone', async (t) => {
  const { connect, show, clock, imu, actor, link } = await adapter(t)
  const session = await connect()
  const frameAfter = (data: number[] | undefined) => {
    imu.now = data && { data: Float64Array.from(data), quat: Float64Array.of(1, 0, 0, 0) }
    clock.advance(50)
    show()
    return session.batches.at(-1)
  }
  const ten = [90, 1, -12, 90, 0, 0, 5, -0.2, 0, 0.98]

  const before = frameAfter(undefined)
  const first = frameAfter(ten)
  const second = frameAfter(ten)
  const gone = [frameAfter(undefined), frameAfter(undefined)]

  assert.equal(said(before, 'imu'), undefined)
  assert.deepEqual([said(first, 'imu'), said(second, 'imu')], [Float64Array.from(ten), Float64Array.from(ten)])
  assert.deepEqual(documentOf(second).imu.data, ten)
  assert.deepEqual(
    gone.map((batch) => said(batch, 'imu')),
    [new Float64Array(0), undefined],
  )
  assert.deepEqual([actor.getSnapshot().value, link.value], ['publishing', session])
})

test('a link that was there before the adapter is published on at once', async (t) => {
  const { link, actor } = await adapter(t, { linked: true })

  assert.equal(actor.getSnapshot().value, 'publishing')
  assert.equal((link.value as HandSession).batches.length, 1)
})

test('a frame is written as it comes, in one batch with the server time of that times', async (t) => {
  const { connect, show, clock } = await adapter(t)
  const session = await connect()
  clock.advance(33)

  show()

  const batch = session.batches.at(-1)
  assert.equal(batch?.timestampUs, 1_033_000 + SERVER_AHEAD_US)
  assert.deepEqual(
    estimateOf(batch)?.tags.map(({ id }) => id),
    [6, 5],
  )
  assert.deepEqual([said(batch, 'tl'), said(batch, 'cl'), estimateOf(batch)?.latencyMs], [5, 4, 9])
  assert.equal(documentOf(batch).ts_nt, batch?.timestampUs)
})

test('the document tells of the hardware what is known at that time', async (t) => {
  const { connect, show, clock, hardware } = await adapter(t)
  const session = await connect()
  const told = (now: typeof hardware.now) => {
    hardware.now = now
    clock.advance(33)
    show()
    return documentOf(session.batches.at(-1)).hw.temp
  }

  assert.deepEqual([undefined, { temp: 40 }, { temp: 41 }, undefined].map(told), [0, 40, 41, 0])
})

test('for an equal frame the arrays that describe it are written again, single numbers are not', async (t) => {
  const { connect, show, clock } = await adapter(t)
  const session = await connect()
  clock.advance(33)
  show()
  clock.advance(33)

  show()

  const [before, after] = session.batches.slice(-2)
  const arrays = TOPICS_WITHOUT_IMU.filter(({ type }) => type === 'double[]').map(({ key }) => key)
  // Empty and stayed so; the camera's place on the robot and in the picture; and what is told once a second.
  const rare = ['rawdetections', 'rawtargets', 'camerapose_robotspace', 'crosshairs', 'hw']
  assert.deepEqual(
    keysOf(after).toSorted(),
    [...arrays.filter((key) => !rare.includes(key)), 'json', 'hb', 'tl', 'cl'].toSorted(),
  )
  for (const key of ['tcornxy', 'rawfiducials', 'botpose'] as const) {
    assert.ok((said(after, key) as Float64Array).length > 0)
    assert.deepEqual(said(after, key), said(before, key))
  }
  assert.deepEqual([said(before, 'hb'), said(after, 'hb')], [1, 2])
})

test('an array that becomes empty is written once so, and each time again when it is not', async (t) => {
  const { connect, show, clock } = await adapter(t)
  const session = await connect()
  const frames = [{ tags, robot }, { tags, robot }, {}, {}, { tags, robot }].map((facts) => {
    clock.advance(33)
    show(facts)
    return (['tcornxy', 'rawfiducials'] as const).map(
      (key) => (said(session.batches.at(-1), key) as Float64Array | undefined)?.length,
    )
  })

  assert.deepEqual(frames, [
    [8, 14],
    [8, 14],
    [0, 0],
    [undefined, undefined],
    [8, 14],
  ])
})

test('between frames only the heartbeat and the latencies are written, at most 50 ms apart', async (t) => {
  const { connect, show, clock } = await adapter(t)
  const session = await connect()
  clock.advance(33)
  show()
  const before = session.batches.length

  clock.advance(1_000)

  const signs = session.batches.slice(before)
  assert.ok(signs.length >= 20)
  for (const sign of signs) {
    assert.deepEqual(keysOf(sign), ['tl', 'cl', 'hb'])
    assert.deepEqual([...sign.values.values()], [5, 4, 1])
  }
  assert.ok(Math.max(...gaps(session.batches)) <= 50)
})

test('of a fast camera the newest frame is written every 20 ms, and the heartbeat counts all frames', async (t) => {
  const { connect, show, clock } = await adapter(t)
  const session = await connect()

  for (let n = 0; n < 200; n++) {
    clock.advance(4)
    show({ tags, robot, seq: n })
  }

  clock.advance(20)
  const written = session.batches.slice(1)
  assert.ok(Math.min(...gaps(session.batches)) >= 20)
  assert.ok(Math.max(...gaps(session.batches)) <= 21, 'each 20 ms one')
  assert.equal(said(written.at(-1), 'hb'), 200)
  assert.deepEqual(
    written.slice(0, 3).map((batch) => documentOf(batch).fidx),
    [3, 8, 13],
  )
})

test('the document is written while somebody reads it, and the newest at once to one who comes', async (t) => {
  const { connect, show, clock } = await adapter(t)
  const session = await connect()
  const tick = () => {
    clock.advance(33)
    show()
  }
  tick()

  session.tellReaders('/limelight/json', false)
  const afterTheLast = session.batches.at(-1)
  tick()
  const unread = session.batches.at(-1)
  session.tellReaders('/limelight/json', true)
  const atOnce = session.batches.at(-1)
  tick()

  assert.deepEqual(keysOf(afterTheLast), ['json'])
  assert.equal(documentOf(afterTheLast).v, 0, 'no old measurement stays behind')
  assert.ok(!keysOf(unread).includes('json') && keysOf(unread).includes('botpose'))
  assert.deepEqual(keysOf(atOnce), ['json'])
  assert.equal(atOnce?.timestampUs, unread?.timestampUs, 'it is of that frame')
  assert.equal(documentOf(atOnce).ts_nt, unread?.timestampUs)
  assert.ok(keysOf(session.batches.at(-1)).includes('json'))
})

test('the document is written with each frame where it is always wanted, whatever the server tells', async (t) => {
  const { connect, show, clock } = await adapter(t, { publishing: { publish_period_ms: 20, json: 'always' } })
  const session = await connect()

  session.tellReaders('/limelight/json', false)
  for (let n = 0; n < 3; n++) {
    clock.advance(25)
    show()
    assert.equal(documentOf(session.batches.at(-1)).v, 1)
  }
})

test('where the document is never wanted there is no such topic, and all else is as ever', async (t) => {
  const { connect, show, clock } = await adapter(t, { publishing: { publish_period_ms: 20, json: 'never' } })

  const session = await connect()
  clock.advance(25)
  show()

  const names = [...session.published.values()].map(({ name }) => name)
  assert.equal(names.length, TOPICS_WITHOUT_IMU.length - 1)
  assert.ok(!names.includes('/limelight/json'))
  assert.ok(session.batches.every((batch) => !keysOf(batch).includes('json')))
  assert.ok(keysOf(session.batches.at(-1)).includes('botpose'))
})

test('frames keep the pace that is set, and a sign of life comes every 50 ms all the same', async (t) => {
  const { connect, show, clock } = await adapter(t, { publishing: { publish_period_ms: 40, json: 'never' } })
  const session = await connect()
  session.batches = []

  for (let n = 0; n < 50; n++) {
    clock.advance(10)
    show()
  }
  clock.advance(500)

  const frames = session.batches.filter((batch) => keysOf(batch).includes('botpose'))
  assert.ok(frames.length >= 12 && Math.min(...gaps(frames)) >= 40, `${gaps(frames)}`)
  assert.ok(Math.max(...gaps(session.batches)) <= 50, `${gaps(session.batches)}`)
})

test('a link that drops and returns gets each topic once more, and no frame twice', async (t) => {
  const { connect, show, clock, link, actor, results } = await adapter(t)
  const first = await connect()
  clock.advance(33)
  show()

  link.set(undefined)
  await settle()
  const writtenAtDrop = first.batches.length
  assert.equal(actor.getSnapshot().value, 'waiting')
  assert.equal(first.published.size, 0)
  assert.equal(clock.timers, 0)
  show()
  clock.advance(500)
  const second = await connect()

  assert.equal(first.batches.length, writtenAtDrop)
  assert.equal(second.publishes, TOPICS_WITHOUT_IMU.length)
  assert.equal(second.batches.length, 1)
  assert.deepEqual(
    (['tv', 'tl', 'cl', 'hb'] as const).map((key) => said(second.batches[0], key)),
    [0, 0, 0, 2],
    'the frame that came without a link is counted',
  )
  assert.equal(estimateOf(second.batches[0])?.tagCount, 0)
  assert.ok(results.value, 'the old frame is still there, but not new')
  clock.advance(33)
  show()
  assert.equal(estimateOf(second.batches.at(-1))?.tagCount, 2)
  assert.equal(said(second.batches.at(-1), 'hb'), 3)
})

test('another session in the place of the first is published on at once', async (t) => {
  const { connect } = await adapter(t)
  const first = await connect()

  const second = await connect()

  assert.equal(first.published.size, 0)
  assert.equal(second.batches.length, 1)
})

test('what a robot that does not read has missed is written again', async (t) => {
  const { connect, show, clock } = await adapter(t)
  const session = await connect()
  clock.advance(33)
  session.congested = true
  show()
  clock.advance(33)

  session.congested = false
  show()

  assert.equal(keysOf(session.batches.at(-1)).length, TOPICS_WITHOUT_IMU.length)
})

test('a robot that did not read when the camera was lost is told of no target as soon as it reads', async (t) => {
  const { connect, show, move, clock } = await adapter(t)
  const session = await connect()
  clock.advance(33)
  show()
  assert.equal(session.newest('/limelight/tv'), 1)

  session.congested = true
  move('backing-off')
  clock.advance(500)
  session.congested = false
  clock.advance(100)

  assert.equal(session.newest('/limelight/tv'), 0)
  const { length } = session.batches.filter((batch) => said(batch, 'tv') !== undefined)
  clock.advance(1_000)
  assert.equal(session.batches.filter((batch) => said(batch, 'tv') !== undefined).length, length, 'and once')
})

test('a document that nobody reads any more is emptied as soon as the robot reads again, once', async (t) => {
  const { connect, show, clock } = await adapter(t)
  const session = await connect()
  const tick = () => {
    clock.advance(33)
    show()
    return session.batches.at(-1)
  }
  tick()

  session.congested = true
  session.tellReaders('/limelight/json', false)
  session.congested = false
  const readOn = tick()
  const later = tick()

  assert.equal(keysOf(readOn).length, TOPICS_WITHOUT_IMU.length)
  assert.equal(documentOf(readOn).v, 0, 'no old measurement stays behind')
  assert.equal(documentOf(readOn).ts_nt, readOn?.timestampUs)
  assert.ok(!keysOf(later).includes('json'))
})

test('a stopped adapter writes no more and gives its topics back', async (t) => {
  const { connect, show, clock, actor } = await adapter(t)
  const session = await connect()

  actor.stop()
  await Effect.runPromise(endEffects(actor))
  await settle()
  show()
  clock.advance(500)

  assert.equal(session.batches.length, 1)
  assert.equal(session.published.size, 0)
  assert.equal(clock.timers, 0)
})

test('an adapter that fails is on its own: others publish on and the frame reaches them', async (t) => {
  const clock = new HandClock()
  const broken = await adapter(t, { clock })
  const sound = await adapter(t, { table: 'limelight-rear', clock })
  const brokenSession = await broken.connect()
  const soundSession = await sound.connect()
  brokenSession.write = () => {
    throw new Error('the wire is broken')
  }
  clock.advance(33)

  broken.show()
  sound.show()
  await settle()

  assert.equal(broken.crashes.length, 1)
  assert.equal(sound.crashes.length, 0)
  assert.equal(soundSession.newest('/limelight-rear/tv'), 1)
})

test('a stream that leaves live is published once as no target, at the current time, without heartbeats', async (t) => {
  const { clock, connect, show, move, crashes } = await adapter(t)
  const session = await connect()
  clock.advance(100)
  show()
  clock.advance(1)
  show() // waits for its time
  clock.advance(1)
  const before = session.batches.length

  move('stalled')
  const nowUs = session.serverTimeUs()
  move('backing-off')
  const [told, ...others] = session.batches.slice(before)
  clock.advance(200)
  const signs = session.batches.slice(before + 1)
  move('live')
  show()

  assert.deepEqual([told?.timestampUs, others, crashes], [nowUs, [], []])
  assert.deepEqual([said(told, 'tv'), said(told, 'hb'), documentOf(told).v, estimateOf(told)?.tagCount], [0, 2, 0, 0])
  for (const sign of signs) assert.deepEqual([said(sign, 'hb'), keysOf(sign).includes('botpose')], [2, false])
  assert.ok(signs.length > 2)
  assert.deepEqual([said(session.batches.at(-1), 'tv'), said(session.batches.at(-1), 'hb')], [1, 3])
})
