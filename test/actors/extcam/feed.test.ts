// The pace of a table over hours of frames: which of them the robot gets, and when.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Feed } from '../../../actors/extcam/feed.ts'
import { WriteScheduler } from '../../../actors/nt4/write-scheduler.ts'
import type { StartTimer } from '../../../actors/timer.ts'
import type { NoResultCause } from '../../../machines/engine/no-result.ts'
import { RESULT_HEADER, type Result } from '../../../machines/engine/result.ts'
import { Snapshot } from '../../../machines/extcam/snapshot.ts'
import { TableFrames } from '../../../machines/extcam/table-frame.ts'
import { EXTCAM_TOPICS } from '../../../machines/extcam/topics.ts'
import { Latest } from '../../../machines/latest.ts'
import { Listeners } from '../../../machines/listeners.ts'
import { demoMap } from '../../../machines/localization/field-map.ts'
import type { Nt4Value } from '../../../native/nt4/port.ts'
import { frame, intrinsics } from '../../machines/extcam/frames.ts'
import { HandClock, HandSession } from '../../support/clock/hand-clock.ts'

const handleOf = (key: string) => 1 + EXTCAM_TOPICS.findIndex((topic) => topic.key === key)
const [JSON_HANDLE, HB_HANDLE, BOTPOSE_HANDLE] = ['json', 'hb', 'botpose'].map(handleOf)

/**
 * Notes of each write when it was stamped, which frame it was, and its heartbeat. frame: undefined for a sign of life.
 */
interface Write {
  readonly atMs: number
  readonly frame: number | undefined
  readonly hb: number
}

class NotingSession extends HandSession {
  readonly writes: Write[] = []
  override write(values: readonly (readonly [number, Nt4Value])[], timestampUs = 0): boolean {
    const of = (handle: number | undefined) => values.find(([one]) => one === handle)?.[1]
    const document = of(JSON_HANDLE)
    if (document !== undefined) assert.ok(of(BOTPOSE_HANDLE))
    const seq = document === undefined ? undefined : Number(/"fidx":(\d+)/.exec(document as string)?.[1])
    this.writes.push({ atMs: timestampUs / 1_000, frame: seq, hb: of(HB_HANDLE) as number })
    return true
  }
}

/** Random numbers that are the same in each run, 0 to 1. */
const chance = (seed: number) => {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
}

const ALWAYS_LIVE = { isLive: () => true, onMoved: () => () => {} }

const template = frame({})
const SEQ = RESULT_HEADER.indexOf('seq')
const CAPTURED = RESULT_HEADER.indexOf('captured_us')
const STARTED = RESULT_HEADER.indexOf('started_us')

const numbered = (seq: number, capturedUs: number): Result => {
  const data = template.data.slice()
  data[SEQ] = seq
  data[CAPTURED] = capturedUs
  data[STARTED] = capturedUs + 1_000
  return { layout: template.layout, data }
}

interface Play {
  readonly periodMs: number
  readonly count: number
  /** How late the nth frame comes. */
  readonly lateMs: (n: number) => number
  /** How late a timer goes off. */
  readonly timerLateMs?: () => number
  /** How long it takes to make ready what is written. */
  readonly computeMs?: () => number
}

/**
 * A camera's frames, each captured on time and delivered late, through a feed. The first write says "no target" and is
 * left out.
 */
const play = ({ periodMs, count, lateMs, timerLateMs = () => 0, computeMs = () => 0 }: Play): readonly Write[] => {
  const clock = new HandClock()
  const session = new NotingSession(clock)
  const results = new Latest<Result>()
  const installation = { map: demoMap, intrinsics, mount: null }
  const later: StartTimer = (delayMs, callback) => clock.later(delayMs + timerLateMs(), callback)
  const feed = new Feed(
    {
      clock,
      later,
      turns: new WriteScheduler(clock.monotonicUs, later),
      startedUs: 0,
      results,
      hardware: () => undefined,
      snapshot: new Snapshot(),
      frames: () => 0,
      ...ALWAYS_LIVE,
      installation: () => {
        clock.compute(computeMs())
        return installation
      },
    },
    session,
    'limelight',
    { guard: (callback) => callback, send: () => {}, isCurrent: () => true },
  )
  const firstMs = clock.monotonicUs() / 1_000 + 100
  for (let n = 0; n < count; n++) {
    const capturedMs = firstMs + n * periodMs
    clock.advance(Math.max(0, capturedMs + lateMs(n) - clock.monotonicUs() / 1_000))
    results.set(numbered(n, capturedMs * 1_000))
  }
  clock.advance(1_000)
  feed.stop()
  return session.writes.slice(1)
}

const gapsOf = (writes: readonly Write[]) => writes.slice(1).map(({ atMs }, n) => atMs - (writes[n] as Write).atMs)

const least = (values: readonly number[]) => values.reduce((a, b) => Math.min(a, b))
const most = (values: readonly number[]) => values.reduce((a, b) => Math.max(a, b))

const framesOf = (writes: readonly Write[]) => writes.filter((write) => write.frame !== undefined)

test('of 100,000 frames at 30 fps that come up to 30 ms late none is missing, and each has its heartbeat', () => {
  const random = chance(7)
  const late = Array.from({ length: 100_000 }, () => 30 * random())

  const writes = play({
    periodMs: 1000 / 30,
    count: late.length,
    lateMs: (n) => late[n] as number,
    timerLateMs: () => 3 * random(),
  })

  const frames = framesOf(writes)
  assert.deepEqual(
    frames.map(({ frame }) => frame),
    late.map((_, n) => n),
  )
  assert.deepEqual(
    frames.map(({ hb }) => hb),
    late.map((_, n) => n + 1),
  )
  assert.ok(least(gapsOf(frames)) >= 20)
  assert.ok(most(gapsOf(writes)) <= 51, 'a timer that is 3 ms late included')
  assert.ok(writes.length > frames.length, 'there were signs of life between them')
})

for (const lateMs of [2, 14, 16, 19, 25, 30])
  test(`a frame that comes ${lateMs} ms late after a sign of life is written at once`, () => {
    const writes = play({ periodMs: 1000 / 30, count: 400, lateMs: (n) => (n % 4 === 3 ? lateMs : 0) })

    const late = framesOf(writes).filter(({ frame }) => (frame as number) % 4 === 3)
    const nominalMs = (frame: number) => 3_601_100 + (frame * 1000) / 30
    for (const { frame, atMs } of late) assert.ok(Math.abs(atMs - nominalMs(frame as number) - lateMs) < 0.01)
    assert.equal(framesOf(writes).length, 400)
  })

test('a program that is held up for a tenth of a second now and then loses no frame at 30 fps', () => {
  const late = (n: number) => (n % 50 < 3 ? 100 - (n % 50) * (1000 / 30) : 0) // three come at once

  const frames = framesOf(play({ periodMs: 1000 / 30, count: 3_000, lateMs: late }))

  assert.equal(frames.length, 3_000)
  assert.ok(least(gapsOf(frames)) >= 20)
})

test('time stamps are 20 ms apart even when making the frame ready took half of that', () => {
  let n = 0
  const computeMs = () => (n++ % 2 === 0 ? 11.3 : 0)

  const frames = framesOf(play({ periodMs: 10, count: 2_000, lateMs: () => 0, computeMs }))

  assert.ok(least(gapsOf(frames)) >= 20)
})

for (const fps of [50, 60, 90, 120])
  test(`of ${fps} frames a second the newest is written each 20 ms, and the heartbeat counts them all`, () => {
    const random = chance(fps)
    const count = 20 * fps
    const periodMs = 1000 / fps

    const writes = play({ periodMs, count, lateMs: () => 3 * random() })

    const frames = framesOf(writes)
    assert.ok(least(gapsOf(frames)) >= 20)
    assert.ok(frames.length > 0.75 * Math.min(count, 20 * 50), `${frames.length} frames`)
    for (const { frame, atMs } of frames) {
      const ageMs = atMs - 3_601_100 - (frame as number) * periodMs
      assert.ok(ageMs < 20 + 3, `frame ${frame} was ${ageMs} ms old`)
    }
    assert.equal(frames.at(-1)?.frame, count - 1)
    assert.equal(frames.at(-1)?.hb, count)
  })

/** An engine that keeps the time, like the real one, beside a feed. timersSet: how many timers the feed has set. */
const timed = () => {
  const clock = new HandClock()
  const session = new NotingSession(clock)
  const results = new Latest<Result>()
  const noResult = new Listeners<NoResultCause>()
  const installation = { map: demoMap, intrinsics, mount: null }
  const sightings = new TableFrames()
  let timersSet = 0
  let seq = 0
  const later: StartTimer = (delayMs, callback) => {
    timersSet++
    return clock.later(delayMs, callback)
  }
  const feed = new Feed(
    {
      clock,
      later,
      turns: new WriteScheduler(clock.monotonicUs, later),
      startedUs: 0,
      results,
      noResult,
      snapshot: new Snapshot(),
      hardware: () => undefined,
      frames: () => 0,
      ...ALWAYS_LIVE,
      installation: () => installation,
    },
    session,
    'limelight',
    { guard: (callback) => callback, send: () => {}, isCurrent: () => true },
  )
  return {
    clock,
    feed,
    noResult,
    writes: session.writes,
    timersSet: () => timersSet,
    /** A frame after so many ms; the engine says before that when it has none. */
    frameAfter: (ms: number) => {
      let leftMs = ms
      for (; leftMs > 45; leftMs -= 45) {
        clock.advance(45)
        noResult.notify('no-result')
      }
      clock.advance(leftMs)
      const result = numbered(seq++, clock.monotonicUs() - 10_000)
      results.set({ ...result, sighting: sightings.of(result, installation).slice() })
    },
  }
}

test('between the frames of an engine that keeps the time no timer is set, and the robot hears as often', () => {
  const { frameAfter, writes, timersSet, feed, clock } = timed()
  for (let n = 0; n < 20; n++) frameAfter(33)
  const before = { timers: timersSet(), writes: writes.length, ms: clock.monotonicUs() / 1_000 }

  for (let n = 0; n < 300; n++) frameAfter(33)
  for (let n = 0; n < 30; n++) frameAfter(200)

  const guards = (clock.monotonicUs() / 1_000 - before.ms) / 500
  assert.ok(timersSet() - before.timers <= guards + 2, `${timersSet() - before.timers} timers were set`)
  assert.ok(most(gapsOf(writes.slice(before.writes))) <= 50)
  assert.equal(writes.filter(({ frame: seq }) => seq !== undefined).length, 1 + 20 + 300 + 30)
  feed.stop()
  assert.equal(clock.timers, 0)
})

test('when an engine ends the robot hears as often as before', () => {
  const { frameAfter, writes, clock, feed, noResult } = timed()
  for (let n = 0; n < 30; n++) frameAfter(33)
  const before = writes.length

  noResult.notify('ended')
  clock.advance(2_000)

  assert.ok(most(gapsOf(writes.slice(before - 1))) <= 50)
  feed.stop()
})

test('an engine that falls silent is noticed, and the robot hears as often again', () => {
  const { frameAfter, writes, clock, feed } = timed()
  for (let n = 0; n < 30; n++) frameAfter(33)
  const before = writes.length

  clock.advance(2_000)

  const [first, ...others] = gapsOf(writes.slice(before - 1))
  assert.ok((first as number) <= 550, `${first} ms`)
  assert.ok(most(others) <= 50)
  frameAfter(33)
  assert.equal(writes.at(-1)?.frame, 30)
  feed.stop()
})

test('a sighting that the engine made is published like one that is made here', () => {
  const { frameAfter, writes } = timed()

  for (let n = 0; n < 5; n++) frameAfter(33)

  assert.deepEqual(
    writes.slice(1).map(({ frame: seq }) => seq),
    [0, 1, 2, 3, 4],
  )
})
