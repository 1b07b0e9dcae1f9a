// What is shown of a stream to those who ask over HTTP, whether or not a robot is there.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CurrentSnapshot } from '../../../actors/extcam/current-snapshot.ts'
import type { Result } from '../../../machines/engine/result.ts'
import { resultsJson } from '../../../machines/extcam/results-json.ts'
import { type Hardware, Snapshot } from '../../../machines/extcam/snapshot.ts'
import { statusDocument } from '../../../machines/extcam/status-json.ts'
import { Latest } from '../../../machines/latest.ts'
import { Listeners } from '../../../machines/listeners.ts'
import { demoMap } from '../../../machines/localization/field-map.ts'
import { poseFromDocument } from '../../../machines/localization/pose.ts'
import type { Nt4Session } from '../../../native/nt4/port.ts'
import { frame, intrinsics, seenFrom } from '../../machines/extcam/frames.ts'
import { HandClock, HandSession, SERVER_AHEAD_US } from '../../support/clock/hand-clock.ts'

const robot = poseFromDocument({ x_m: 12, y_m: 2.2, z_m: 0.5, roll_deg: 0, pitch_deg: 0, yaw_deg: 2 })
const tags = [seenFrom(robot, 5), seenFrom(robot, 6)]

const shown = () => {
  const clock = new HandClock()
  const results = new Latest<Result>()
  const link = new Latest<Nt4Session | undefined>()
  const hardware = { now: undefined as Hardware | undefined, latest: () => hardware.now }
  const installation = { map: demoMap, intrinsics, mount: null }
  const world = { pipeline: (_startedUs: number) => 0 }
  const moves = new Listeners<void>()
  let state = 'live'
  const current = new CurrentSnapshot({
    clock,
    results,
    link,
    startedUs: 400_000,
    hardware: hardware.latest,
    newSnapshot: () => new Snapshot({ pipeline: (startedUs) => world.pipeline(startedUs), hardware: hardware.latest }),
    installation: () => installation,
    isLive: () => state === 'live',
    onMoved: (listener) => moves.add(listener),
  })
  return {
    move: (to: string) => {
      state = to
      moves.notify()
    },
    clock,
    link,
    hardware,
    world,
    status: () => statusDocument(current.get(), { table: 'limelight', fps: 0 }),
    document: () => JSON.parse(resultsJson(current.get())),
    show: (facts: Parameters<typeof frame>[0] = { tags, robot }) => results.set(frame(facts)),
  }
}

test('before the first frame it is what a camera says now that sees nothing', () => {
  const { document, clock } = shown()
  clock.advance(500)

  const { v, ts, ts_us, Fiducial } = document()

  assert.deepEqual({ v, ts, ts_us, Fiducial }, { v: 0, ts: 1_500, ts_us: 1_100_000, Fiducial: [] })
})

test('without a link a frame is shown with its own times, whenever it is asked for', () => {
  const { document, clock, show } = shown()
  clock.advance(1_000)
  show({ tags, robot, capturedUs: 1_900_000, startedUs: 1_904_000 })
  clock.advance(700)

  const { v, tl, cl, ts, ts_us, ts_sys, ts_nt, ntconnected, Fiducial } = document()

  assert.deepEqual([v, Fiducial.length], [1, 2])
  assert.deepEqual({ tl, cl, ts, ts_us }, { tl: 5, cl: 4, ts: 1_909, ts_us: 1_509_000 })
  assert.equal(ts_sys, (1_760_000_000_000 + 1_909) * 1_000)
  assert.deepEqual([ts_nt, ntconnected], [0, 0])
})

test('with a link it says when that was by the clock of the robot', () => {
  const { document, clock, show, link } = shown()
  link.set(new HandSession(clock))
  clock.advance(1_000)
  show({ startedUs: 1_904_000 })
  clock.advance(50)

  const { ts_nt, ntconnected } = document()

  assert.deepEqual([ts_nt, ntconnected], [1_909_000 + SERVER_AHEAD_US, 1])
})

test('each frame is shown in the place of the one before, and so are another link and other hardware', () => {
  const { document, clock, show, link, hardware } = shown()
  show({ tags, robot, seq: 1 })
  const first = document()
  show({ tags: tags.slice(1), seq: 2 })

  const second = document()
  link.set(new HandSession(clock))
  hardware.now = { temp: 40 }
  const linked = document()
  link.set(undefined)

  assert.deepEqual([first.fidx, first.Fiducial.length, first.botpose_tagcount], [1, 2, 2])
  assert.deepEqual([second.fidx, second.Fiducial.length, second.botpose_tagcount], [2, 1, 0])
  assert.deepEqual([linked.ntconnected, linked.hw.temp, second.hw.temp], [1, 40, 0])
  assert.equal(document().ntconnected, 0)
})

test('after a switch without frames the status has the new number, and the last frame keeps its own', () => {
  const { document, status, show, world } = shown()
  world.pipeline = () => 1
  show({ startedUs: 1_904_000 })
  const before = [document().pID, status().pipelineIndex]

  world.pipeline = (startedUs) => (startedUs === -1 ? 2 : 1)

  assert.deepEqual(before, [1, 1])
  assert.deepEqual([document().pID, status().pipelineIndex], [1, 2])
})

test('a frame that has overtaken the answer to the opening gets its number when that is known', () => {
  const { document, show, world } = shown()
  world.pipeline = () => -1
  show({ startedUs: 1_904_000 })
  const before = document().pID

  world.pipeline = () => 2

  assert.deepEqual([before, document().pID], [-1, 2])
})

test('a stream that is not live any more shows no target, now, until its next frame', () => {
  const { document, clock, show, move } = shown()
  show({ tags, robot, seq: 1 })
  const live = document()
  clock.advance(2_000)

  move('stalled')
  const stalled = document()
  move('resetting')
  clock.advance(1_000)
  const later = document()
  move('live')
  const before = document()
  show({ tags, robot, seq: 2 })
  const again = document()

  const told = [live, stalled, later, before, again].map(({ v, Fiducial }) => [v, Fiducial.length])
  assert.deepEqual(told, [
    [1, 2],
    [0, 0],
    [0, 0],
    [0, 0],
    [1, 2],
  ])
  assert.deepEqual([stalled.ts, later.ts], [3_000, 4_000])
  assert.deepEqual(stalled.botpose, [0, 0, 0, 0, 0, 0])
})
