// Which reading of the server's clock is believed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ClockSync } from '../../../machines/clock/clock-sync.ts'
import { seeded } from '../../support/engine/random-graphs.ts'

test('the answer with the shortest way decides', () => {
  const clock = new ClockSync()
  clock.startBurst()

  clock.answered(1_000, 501_000, 11_000)
  clock.answered(20_000, 520_500, 21_000)
  clock.answered(30_000, 540_000, 38_000)

  assert.deepEqual(clock.estimate, { roundTripUs: 1_000, offsetUs: 500_000 })
})

test('an old burst is forgotten, so that a drifting clock is followed', () => {
  const clock = new ClockSync()
  clock.startBurst()
  clock.answered(0, 1_000, 10)

  for (let burst = 1; burst <= 3; burst++) {
    clock.startBurst()
    clock.answered(0, 2_000, 100)
  }

  assert.deepEqual(clock.estimate, { roundTripUs: 100, offsetUs: 1_950 })
})

test('an answer to a question from the future is ignored', () => {
  const clock = new ClockSync()
  clock.startBurst()

  clock.answered(200, 5_000, 100)
  clock.answered(Number.NaN, 5_000, 100)

  assert.equal(clock.estimate, undefined)
})

test('a way that takes longer in one direction costs half of what it is longer, and is no jump', () => {
  const clock = new ClockSync()
  clock.startBurst()

  const jumps = [
    clock.answered(0, 500_000 + 1_000, 2_000),
    clock.answered(10_000, 510_000 + 1_000, 10_000 + 81_000),
    clock.answered(100_000, 600_000 + 80_000, 100_000 + 81_000),
  ]

  assert.deepEqual(jumps, [false, false, false])
  assert.deepEqual(clock.estimate, { roundTripUs: 2_000, offsetUs: 500_000 })
})

test('a clock that has jumped is known by the first reading after it, however good those before were', () => {
  const clock = new ClockSync()
  clock.startBurst()
  clock.answered(0, 500_050, 100)
  clock.startBurst()

  const hasJumped = clock.answered(5_000_000, 5_200_000 + 4_000, 5_008_000)
  const isSteady = clock.answered(5_010_000, 5_210_000 + 100, 5_010_200)

  assert.deepEqual([hasJumped, isSteady], [true, false])
  assert.deepEqual(clock.estimate, { roundTripUs: 200, offsetUs: 200_000 })
})

test('whatever the ways take, what is known is right within half of its round trip', () => {
  const random = seeded(11)
  const clock = new ClockSync()
  let [nowUs, offsetUs] = [0, 1e9]
  for (let reading = 0; reading < 2_000; reading++) {
    nowUs += 1e6
    if (reading % 5 === 0) clock.startBurst()
    const isSet = random(40) < 1
    if (isSet) offsetUs += 1e6 + random(1e9)
    const [there, back] = [random(60_000), random(20_000)]
    const hasJumped = clock.answered(nowUs, nowUs + there + offsetUs, nowUs + there + back)
    const { roundTripUs, offsetUs: known } = clock.estimate ?? { roundTripUs: 0, offsetUs: 0 }

    assert.equal(hasJumped, isSet && reading > 0, `at ${reading}`)
    assert.ok(Math.abs(known - offsetUs) <= roundTripUs / 2 + 1, `${known - offsetUs} µs off at ${reading}`)
  }
})
