// Where the clock of a peer is said to stand, over a wire in simulated time.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PeerClock } from '../../../actors/peers/peer-clock.ts'
import type { ClockEstimate } from '../../../machines/clock/clock-sync.ts'
import { seeded } from '../../support/engine/random-graphs.ts'

const HEARTBEAT_US = 5_000_000
const AHEAD_US = 40_000_000

/**
 * A peer on a wire. ways: what each question takes there and back; null: it is not answered. asked, answers: how many
 * there were.
 */
const wired = () => {
  const wire = {
    nowUs: 1_000_000_000,
    aheadUs: AHEAD_US,
    ways: (): readonly [there: number, back: number] | null => [1_000, 1_000],
    asked: 0,
    answers: 0,
  }
  const due: { readonly atUs: number; readonly call: () => void }[] = []
  const later = (us: number, call: () => void) => {
    due.push({ atUs: wire.nowUs + us, call })
    due.sort((one, other) => one.atUs - other.atUs)
  }
  const clock = new PeerClock(() => wire.nowUs)
  const ask = (number: number) => {
    wire.asked += 1
    const ways = wire.ways()
    if (!ways) return
    const [there, back] = ways
    later(there, () => {
      const theirs = wire.nowUs + wire.aheadUs
      later(back, () => {
        wire.answers += 1
        clock.answered(number, theirs)
      })
    })
  }
  const pass = (us: number) => {
    const untilUs = wire.nowUs + us
    for (let next = due[0]; next && next.atUs <= untilUs; next = due[0]) {
      due.shift()
      wire.nowUs = next.atUs
      next.call()
    }
    wire.nowUs = untilUs
  }
  const told: (ClockEstimate | null)[] = []
  return {
    wire,
    clock,
    told,
    pass,
    open: () => clock.open(ask),
    follow: () => clock.follow((estimate) => told.push(estimate)),
    heartbeats: (count = 1) => {
      for (let heartbeat = 0; heartbeat < count; heartbeat++) {
        clock.askAgain()
        pass(HEARTBEAT_US)
      }
    },
    offsets: () => told.map((estimate) => estimate?.offsetUs ?? null),
  }
}

test('nobody is asked until somebody wants to know, and then some times at once and a few at each heartbeat', () => {
  const { wire, open, follow, pass, heartbeats, clock, offsets } = wired()
  open()
  heartbeats(3)
  const before = wire.asked

  const stop = follow()
  pass(HEARTBEAT_US)
  const first = wire.asked
  heartbeats(2)
  const later = wire.asked
  stop()
  heartbeats(2)

  assert.deepEqual([before, first, later, wire.asked], [0, 6, 12, 12])
  assert.deepEqual([offsets()[0], clock.estimate], [AHEAD_US, null])
})

test('the shortest way of many decides, however the others are divided', () => {
  const { wire, open, follow, pass, offsets } = wired()
  const ways = [
    [90_000, 2_000],
    [3_000, 60_000],
    [2_000, 2_400],
    [50_000, 50_000],
    [1_000, 30_000],
    [80_000, 1_000],
  ] as const
  wire.ways = () => ways[wire.asked - 1] ?? [0, 0]
  follow()

  open()
  pass(HEARTBEAT_US)

  assert.deepEqual(offsets(), [AHEAD_US - 200])
})

test('a clock that jumps is not known until it was asked again, and then as it is', () => {
  const { wire, open, follow, pass, heartbeats, offsets } = wired()
  follow()
  open()
  pass(HEARTBEAT_US)

  wire.aheadUs -= 300_000
  heartbeats()

  assert.deepEqual(offsets(), [AHEAD_US, null, AHEAD_US - 300_000])
})

test('with its session what was known is gone: a device that was started anew has another clock', () => {
  const { wire, open, follow, pass, offsets, clock } = wired()
  follow()
  const close = open()
  pass(1_000)

  close()
  pass(HEARTBEAT_US)
  const late = clock.estimate
  wire.aheadUs = -700_000_000
  const closeNext = open()
  pass(HEARTBEAT_US)
  closeNext()

  assert.deepEqual([late, offsets()], [null, [-700_000_000, null]])
})

test('a device that stops answering is unknown after three heartbeats, and known again when it answers', () => {
  const { wire, open, follow, pass, heartbeats, offsets } = wired()
  follow()
  open()
  pass(HEARTBEAT_US)
  wire.ways = () => null

  heartbeats(3)
  const still = offsets().length
  heartbeats(1)
  const silent = [...offsets()]
  wire.aheadUs += 9_000_000
  wire.ways = () => [1_000, 1_000]
  heartbeats()

  assert.equal(still, 1)
  assert.deepEqual(silent, [AHEAD_US, null])
  assert.deepEqual(offsets(), [AHEAD_US, null, AHEAD_US + 9_000_000])
})

test('what was not asked, or was answered before, is worth nothing', () => {
  const { clock, told, open, follow, pass, wire } = wired()
  wire.ways = () => null
  follow()
  open()

  for (const number of [0, 2, 3, 1e9]) clock.answered(number, 5)
  pass(HEARTBEAT_US)

  assert.deepEqual(told, [])
})

test('whatever happens to delays and clock, the offset after an answer is within half its round trip', () => {
  let judged = 0
  for (let seed = 1; seed <= 200; seed++) {
    const random = seeded(seed)
    const { wire, clock, open, follow, pass, heartbeats } = wired()
    wire.ways = () => (random(10) === 0 ? null : [500 + random(60_000), 500 + random(60_000)])
    follow()
    let close = open()
    pass(HEARTBEAT_US)
    for (let turn = 0; turn < 20; turn++) {
      const chance = random(10)
      if (chance === 0) wire.aheadUs += (random(2) === 0 ? -1 : 1) * (200_000 + random(1e9))
      if (chance === 1) {
        close()
        wire.aheadUs = random(1e9)
        close = open()
      }
      const { answers } = wire
      heartbeats()
      const known = clock.estimate
      if (!known || wire.answers === answers) continue
      judged += 1
      assert.ok(Math.abs(known.offsetUs - wire.aheadUs) <= known.roundTripUs / 2 + 1, `seed ${seed}, turn ${turn}`)
    }
  }
  assert.ok(judged > 2_000, `${judged}`)
})
