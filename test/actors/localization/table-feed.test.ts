import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import { createActor } from 'xstate'
import { LocalizationRuntime } from '../../../actors/localization/localization-runtime.ts'
import { TableFeed } from '../../../actors/localization/table-feed.ts'
import { tableActor } from '../../../actors/own-table/own-table-actor.ts'
import { endEffects } from '../../../actors/run.ts'
import { Latest } from '../../../machines/latest.ts'
import { identityPose } from '../../../machines/localization/pose.ts'
import type { Solved } from '../../../machines/localization/solution.ts'
import { LOCALIZATION_TOPICS } from '../../../machines/own-table/localization-topics.ts'
import type { Nt4Session } from '../../../native/nt4/port.ts'
import { settle } from '../../support/clock/clock.ts'
import { HandClock, HandSession, SERVER_AHEAD_US } from '../../support/clock/hand-clock.ts'
import { countedTag, solvedRound } from '../../support/localization/solved.ts'

class AheadSession extends HandSession {
  override serverOffsetUs(): number {
    return SERVER_AHEAD_US
  }
}

/** The table of a localization that is what a test says, until the test ends. */
const table = async (t: TestContext) => {
  const clock = new HandClock()
  const runtime = new LocalizationRuntime(clock.monotonicUs)
  const link = new Latest<Nt4Session | undefined>()
  const sources = { localization: runtime, nowUs: clock.monotonicUs, later: clock.later }
  const logic = tableActor({ link }, (session, talk) => new TableFeed(sources, session, talk))
  const actor = createActor(logic, { input: { of: 'localization' } })
  const crashes: unknown[] = []
  actor.subscribe({ error: (bug) => crashes.push(bug) })
  actor.start()
  t.after(() => {
    assert.deepEqual(crashes, [])
    return Effect.runPromise(endEffects(actor))
  })
  await settle()
  const connect = async () => {
    const session = new AheadSession(clock)
    link.set(session)
    await settle()
    return session
  }
  /** A round whose newest exposure was so long ago. */
  const solve = (agoMs: number, more: Partial<Solved> = {}) =>
    runtime.solved.set(solvedRound({ capturedUs: clock.monotonicUs() - 1000 * agoMs, ...more }))
  return { actor, clock, runtime, link, connect, solve }
}

/** What the newest write has brought, by key, and its time in the past of the server. */
const newest = (session: HandSession, clock: HandClock) => {
  const { values, timestampUs } = session.batches.at(-1) ?? assert.fail('nothing was written')
  const keys = Object.fromEntries(
    [...values].map(([name, value]) => [name.replace('/vedette/localization/', ''), value]),
  )
  return { keys, agoMs: (clock.monotonicUs() + SERVER_AHEAD_US - timestampUs) / 1000 }
}

/** What was said of tags that were left out, each time. */
const rejectedIn = (session: HandSession) =>
  session.batches.map(({ values }) => values.get('/vedette/localization/rejected')).filter((each) => each !== undefined)

const numbersIn = (bytes: unknown) => [...new Float64Array(Uint8Array.from(bytes as Uint8Array).buffer)]

test('a round is one write with the time of its exposure, and says all that is known of the pose', async (t) => {
  const { clock, connect, solve } = await table(t)
  const session = await connect()
  const tags = [countedTag, { ...countedTag, streamId: 'rear' }, { ...countedTag, id: 8 }]
  const before = session.batches.length

  solve(30, { tags: [...tags, { ...countedTag, id: 9, used: false, reason: 'mirror' }] })

  assert.equal(session.batches.length, before + 1)
  const { keys, agoMs } = newest(session, clock)
  assert.equal(agoMs, 30)
  const { robot_pose, std_devs, captured_us, ...rest } = keys
  assert.deepEqual(numbersIn(robot_pose), [4, 3, 0, Math.SQRT1_2, 0, 0, Math.SQRT1_2])
  assert.deepEqual(
    [...(std_devs as Float64Array)].map((each) => Number(each.toFixed(9))),
    [0.01, 0.02, 0.03, 1, 2, 3],
  )
  assert.equal(captured_us, clock.monotonicUs() - 30_000 + SERVER_AHEAD_US)
  assert.equal(Math.round(Number(rest.heading_offset_deg) * 1e9) / 1e9, 2)
  assert.deepEqual(
    { ...rest, heading_offset_deg: 2 },
    { std_xy_m: 0.016, tag_ids: [5, 8], streams: ['front'], map: 'demo@abc', heading_offset_deg: 2 },
  )
  const types = [...session.published.values()].filter(({ name }) => name.startsWith('/vedette/localization/'))
  assert.deepEqual(
    Object.fromEntries(types.map(({ name, type }) => [name.replace('/vedette/localization/', ''), type])),
    LOCALIZATION_TOPICS,
  )
})

test('a pose is not written that is not sure, or no newer than the last, and no number that is none', async (t) => {
  const { clock, connect, solve } = await table(t)
  const session = await connect()
  solve(30, { heading: { said: Number.NaN, seen: Number.NaN, offset: Number.NaN, used: false } })
  assert.equal(newest(session, clock).keys.heading_offset_deg, undefined)
  const { length } = session.batches

  solve(20, { isSure: false })
  solve(20, { solved: undefined })
  solve(30)
  solve(31)
  assert.equal(session.batches.length, length)

  solve(29)
  assert.equal(session.batches.length, length + 1)
})

test('with odometry the pose that is carried on comes with each round, also where the tags give none', async (t) => {
  const { clock, connect, solve } = await table(t)
  const session = await connect()
  const fused = { pose: { ...identityPose, x: 7 }, stdDevs: [0.1, 0.1, 0.01] as const }

  solve(30, { solved: undefined, isSure: false, fused })

  const { keys, agoMs } = newest(session, clock)
  assert.deepEqual([Object.keys(keys), agoMs], [['fused_pose', 'captured_us'], 30])
  assert.equal(numbersIn(keys.fused_pose)[0], 7)
})

test('the state is said at once and when it changes, and tags that are left out once a second', async (t) => {
  const { clock, connect, solve, runtime } = await table(t)
  const session = await connect()
  assert.deepEqual(newest(session, clock), { keys: { state: 'off' }, agoMs: 0 })

  runtime.setState('tracking')
  runtime.setUses([{ streamId: 'front', used: true, reason: null }], null)
  assert.deepEqual(newest(session, clock), { keys: { state: 'tracking' }, agoMs: 0 })

  for (let ms = 0; ms < 3_000; ms += 100) {
    if (ms < 1_500) runtime.rejectedTags.add('unknown_tag', clock.monotonicUs(), 2)
    solve(5, { isSure: false })
    clock.advance(100)
  }
  assert.deepEqual(rejectedIn(session), [['unknown_tag 2'], ['unknown_tag 18'], ['unknown_tag 8'], []])
})

test('when all cameras are lost it is said that no tags are left out any more', async (t) => {
  const { actor, clock, connect, solve, runtime, link } = await table(t)
  const session = await connect()
  runtime.rejectedTags.add('unknown_tag', clock.monotonicUs(), 2)
  solve(5, { isSure: false })
  clock.advance(500)
  runtime.rejectedTags.add('mirror', clock.monotonicUs())

  clock.advance(10_000)

  assert.deepEqual(rejectedIn(session), [['unknown_tag 2'], ['mirror 1'], []])
  assert.equal(clock.timers, 0)
  runtime.rejectedTags.add('mirror', clock.monotonicUs())
  solve(5, { isSure: false })
  link.set(undefined)
  await settle()
  assert.deepEqual([actor.getSnapshot().value, clock.timers], ['waiting', 0])
})

test('what a robot did not read of the state and of tags that are left out is said again', async (t) => {
  const { clock, connect, solve, runtime } = await table(t)
  const session = await connect()
  runtime.rejectedTags.add('unknown_tag', clock.monotonicUs(), 2)
  solve(5, { isSure: false })

  session.congested = true
  runtime.setState('tracking')
  runtime.setUses([{ streamId: 'front', used: true, reason: null }], null)
  clock.advance(20_000)
  session.congested = false
  clock.advance(2_000)

  assert.equal(session.newest('/vedette/localization/state'), 'tracking')
  assert.deepEqual(rejectedIn(session), [['unknown_tag 2'], []])
  assert.equal(clock.timers, 0)
})

test('another session has the table again, and nothing is written when the link is down', async (t) => {
  const { actor, connect, solve, link } = await table(t)
  const first = await connect()
  link.set(undefined)
  await settle()
  assert.deepEqual([actor.getSnapshot().value, first.published.size], ['waiting', 4]) // the schemas stay
  const { length } = first.batches
  solve(30)

  const second = await connect()
  solve(20)

  assert.equal(first.batches.length, length)
  assert.ok(second.newest('/vedette/localization/robot_pose'))
})

test('who else publishes the table is told, with what to do about it', async (t) => {
  const { actor, connect } = await table(t)
  const session = await connect()

  session.contest('/vedette/localization/', { rivals: [{ name: 'vedette@2', address: null }], conflicts: [] })

  const { fault } = actor.getSnapshot().context
  assert.deepEqual([fault?.code, fault?.resource], ['nt4.table_shared', 'localization'])
  assert.match(fault?.detail ?? '', /^\/vedette\/localization is published by vedette@2 as well.*streams of peers/)
})
