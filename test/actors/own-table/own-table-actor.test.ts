import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import { createActor } from 'xstate'
import { extcamActor } from '../../../actors/extcam/extcam-actor.ts'
import { WriteScheduler } from '../../../actors/nt4/write-scheduler.ts'
import { ownTableActor } from '../../../actors/own-table/own-table-actor.ts'
import { endEffects } from '../../../actors/run.ts'
import type { Result } from '../../../machines/engine/result.ts'
import { Snapshot } from '../../../machines/extcam/snapshot.ts'
import { Latest } from '../../../machines/latest.ts'
import { Listeners } from '../../../machines/listeners.ts'
import { demoMap } from '../../../machines/localization/field-map.ts'
import { poseFromDocument } from '../../../machines/localization/pose.ts'
import { OWN_TOPICS } from '../../../machines/own-table/topics.ts'
import type { FakeBatch } from '../../../native/nt4/fake.ts'
import type { Nt4Session } from '../../../native/nt4/port.ts'
import { frame, intrinsics, STD, seenFrom } from '../../machines/extcam/frames.ts'
import { posesIn } from '../../machines/own-table/pose-structs.ts'
import { settle } from '../../support/clock/clock.ts'
import { HandClock, HandSession, SERVER_AHEAD_US } from '../../support/clock/hand-clock.ts'

const robot = poseFromDocument({ x_m: 12, y_m: 2.2, z_m: 0.5, roll_deg: 0, pitch_deg: 0, yaw_deg: 2 })
const tags = [seenFrom(robot, 5), seenFrom(robot, 6)]

class AheadSession extends HandSession {
  override serverOffsetUs(): number {
    return SERVER_AHEAD_US
  }
}

/** A table that runs until the test ends, of a stream that is what it is told to be. */
const table = async (
  t: TestContext,
  {
    name = 'front',
    map = () => demoMap,
    results = new Latest<Result>(),
    link = new Latest<Nt4Session | undefined>(),
    clock = new HandClock(),
  } = {},
) => {
  const moved = new Listeners<void>()
  const stream = { state: 'live', fps: 30 }
  const logic = ownTableActor({
    name,
    link,
    results,
    map,
    nowUs: clock.monotonicUs,
    turns: new WriteScheduler(clock.monotonicUs, clock.later),
    state: () => stream.state,
    onMoved: (listener) => moved.add(listener),
    fps: () => stream.fps,
  })
  const actor = createActor(logic, { input: { of: 'stream', streamId: name } })
  const crashes: unknown[] = []
  actor.subscribe({ error: (bug) => crashes.push(bug) })
  actor.start()
  await settle()
  t.after(() => Effect.runPromise(endEffects(actor)))
  return {
    actor,
    clock,
    link,
    results,
    stream,
    crashes,
    connect: async () => {
      const session = new AheadSession(clock)
      link.set(session)
      await settle()
      return session
    },
    moveTo: (state: string) => {
      stream.state = state
      moved.notify()
    },
    show: (facts: Parameters<typeof frame>[0] = { tags, robot }) => {
      clock.advance(33)
      results.set(frame({ capturedUs: clock.monotonicUs() - 9_000, ...facts }))
    },
  }
}

const keysOf = (batch: FakeBatch | undefined) => [...(batch?.values.keys() ?? [])]
const said = (batch: FakeBatch | undefined, key: string) => batch?.values.get(`/vedette/front/${key}`)

test('the topics and their schemas are published, with the state of the stream before any frame', async (t) => {
  const { connect } = await table(t)

  const session = await connect()

  const published = [...session.published.values()]
  const own = published.filter(({ name }) => name.startsWith('/vedette/'))
  assert.deepEqual(
    own.map(({ name, type }) => [name, type]),
    Object.entries(OWN_TOPICS).map(([key, type]) => [`/vedette/front/${key}`, type]),
  )
  const schemas = published.filter(({ type }) => type === 'structschema')
  assert.deepEqual(
    schemas.map(({ name, properties }) => [name, properties]),
    ['Pose3d', 'Translation3d', 'Rotation3d', 'Quaternion'].map((name) => [
      `/.schema/struct:${name}`,
      { retained: true },
    ]),
  )
  const text = session.newest('/.schema/struct:Pose3d') as Uint8Array
  assert.equal(new TextDecoder().decode(text), 'Translation3d translation;Rotation3d rotation')
  const first = session.batches.find((batch) => said(batch, 'state') !== undefined)
  assert.deepEqual([said(first, 'state'), said(first, 'connected'), said(first, 'fps')], ['live', true, 0])
  assert.deepEqual([said(first, 'tag_ids'), said(first, 'robot_pose')], [[], undefined])
})

test('all of a frame is written at once, with the server time at which it was captured', async (t) => {
  const { connect, show, clock } = await table(t)
  const session = await connect()

  show()

  const batch = session.batches.at(-1)
  const capturedUs = clock.monotonicUs() - 9_000 + SERVER_AHEAD_US
  assert.equal(batch?.timestampUs, capturedUs)
  assert.deepEqual(
    keysOf(batch).toSorted(),
    Object.keys(OWN_TOPICS)
      .map((key) => `/vedette/front/${key}`)
      .toSorted(),
  )
  assert.equal(said(batch, 'captured_us'), capturedUs)
  const [pose] = posesIn(said(batch, 'robot_pose') as Uint8Array)
  assert.deepEqual(pose, [robot.x, robot.y, robot.z, robot.qw, robot.qx, robot.qy, robot.qz])
  assert.deepEqual([...(said(batch, 'std_devs') as Float64Array)], STD)
  assert.deepEqual(said(batch, 'tag_ids'), [5, 6])
  assert.equal((said(batch, 'tags') as Uint8Array).length, 2 * 56)
  assert.deepEqual([said(batch, 'state'), said(batch, 'connected'), said(batch, 'fps')], ['live', true, 30])
})

test('a frame without a pose leaves the newest pose as it is, and says that no tags are behind it', async (t) => {
  const { connect, show } = await table(t)
  const session = await connect()
  show()

  show({ tags })

  const batch = session.batches.at(-1)
  assert.deepEqual([said(batch, 'robot_pose'), said(batch, 'std_devs')], [undefined, undefined])
  assert.deepEqual([said(batch, 'tag_ids'), (said(batch, 'tags') as Uint8Array).length], [[], 0])
  assert.equal(said(batch, 'captured_us'), batch?.timestampUs)
})

test('a camera above 50 fps has its newest frame written every 20 ms, a slower one each frame at once', async (t) => {
  for (const [periodMs, farthestMs] of [
    [8, 20],
    [16.667, 20],
    [33, 0],
  ] as const) {
    const { connect, show, clock, results } = await table(t, { name: `camera-${periodMs}` })
    const session = await connect()
    const writtenMs: number[] = []
    const agesMs: number[] = []
    const { length: before } = session.batches
    const write = session.write.bind(session)
    session.write = (values, stampUs) => {
      writtenMs.push(clock.monotonicUs() / 1_000)
      agesMs.push((clock.monotonicUs() + SERVER_AHEAD_US - (stampUs as number)) / 1_000 - 9)
      return write(values, stampUs)
    }

    for (let n = 0; n < 100; n++) {
      clock.advance(periodMs)
      results.set(frame({ tags, robot, capturedUs: clock.monotonicUs() - 9_000 }))
    }

    const gaps = writtenMs.slice(1).map((at, n) => at - (writtenMs[n] as number))
    assert.ok(Math.min(...gaps) >= Math.max(20, Math.floor(periodMs)), `closest ${Math.min(...gaps)} ms`)
    assert.ok(Math.max(...gaps) <= Math.max(21, periodMs + 0.01), `farthest ${Math.max(...gaps)} ms`)
    assert.ok(Math.max(...agesMs) <= farthestMs + 0.01, `a frame waited ${Math.max(...agesMs)} ms`)
    assert.equal(session.batches.length - before, writtenMs.length)
    show()
  }
})

test('a stream that loses its camera says so at once, and sees nothing', async (t) => {
  const { connect, show, moveTo, clock } = await table(t)
  const session = await connect()
  show()

  moveTo('backing-off')

  const batch = session.batches.at(-1)
  assert.deepEqual([said(batch, 'state'), said(batch, 'connected'), said(batch, 'fps')], ['backing-off', false, 0])
  assert.deepEqual(said(batch, 'tag_ids'), [])
  assert.equal(batch?.timestampUs, clock.monotonicUs() + SERVER_AHEAD_US)
})

test('a peer that does not read gets the schemas when it reads again', async (t) => {
  const { link, clock, show } = await table(t)
  const session = new AheadSession(clock)
  session.congested = true
  link.set(session)
  await settle()

  session.congested = false
  show()

  assert.ok(session.newest('/.schema/struct:Quaternion'))
})

test('a peer that did not read when the camera was lost hears of it when it reads again, once', async (t) => {
  const { connect, show, moveTo, clock } = await table(t)
  const session = await connect()
  show()

  session.congested = true
  moveTo('backing-off')
  clock.advance(500)
  session.congested = false
  clock.advance(100)

  const batch = session.batches.at(-1)
  assert.deepEqual([said(batch, 'state'), said(batch, 'connected'), said(batch, 'tag_ids')], ['backing-off', false, []])
  const { length } = session.batches
  clock.advance(1_000)
  assert.deepEqual([session.batches.length, clock.timers], [length, 0])
})

test('each session has the schemas once, whatever the number of streams', async (t) => {
  const front = await table(t)
  const rear = await table(t, { name: 'rear', link: front.link })

  const session = await rear.connect()

  assert.equal([...session.published.values()].filter(({ type }) => type === 'structschema').length, 4)
})

test('the topics are given back when the link goes, and published anew on the next', async (t) => {
  const { connect, link, actor, show } = await table(t)
  const first = await connect()

  link.set(undefined)
  await settle()
  assert.equal(actor.getSnapshot().value, 'waiting')
  assert.ok([...first.published.values()].every(({ type }) => type === 'structschema'))

  const second = await connect()
  show()
  assert.ok(second.newest('/vedette/front/robot_pose'))
})

test("a bug in one stream's own table is not noticed by the emulated camera, nor the other way round", async (t) => {
  const ownBreaks = await table(t, {
    map: () => {
      throw new Error('a bug')
    },
  })
  const vendorBreaks = await table(t, {
    link: ownBreaks.link,
    results: ownBreaks.results,
    clock: ownBreaks.clock,
    name: 'rear',
  })
  const { clock, link, results } = ownBreaks
  const adapter = (installation: () => never | { map: typeof demoMap; intrinsics: typeof intrinsics; mount: null }) => {
    const parts = {
      clock,
      later: clock.later,
      turns: new WriteScheduler(clock.monotonicUs, clock.later),
      startedUs: 0,
      hardware: () => undefined,
      link,
      results,
      snapshot: new Snapshot(),
      frames: () => 0,
      isLive: () => true,
      onMoved: () => () => {},
      controls: { follow: () => () => {}, carryOut: Effect.never },
    }
    const actor = createActor(extcamActor({ ...parts, installation }), {
      input: { streamId: 'front', claim: { table: 'limelight' } },
    })
    const crashes: unknown[] = []
    actor.subscribe({ error: (bug) => crashes.push(bug) })
    actor.start()
    t.after(() => Effect.runPromise(endEffects(actor)))
    return crashes
  }
  let calls = 0
  const sound = adapter(() => ({ map: demoMap, intrinsics, mount: null }))
  const broken = adapter(() => {
    if (calls++ > 0) throw new Error('a bug')
    return { map: demoMap, intrinsics, mount: null }
  })
  await settle()
  const session = await ownBreaks.connect()

  ownBreaks.show()
  await settle()

  assert.deepEqual([ownBreaks.crashes.length, broken.length, sound.length, vendorBreaks.crashes.length], [1, 1, 0, 0])
  assert.equal((session.newest('/limelight/botpose_wpiblue') as Float64Array).length, 11 + 14)
  assert.ok(session.newest('/vedette/rear/robot_pose'))
})
