// Which reading of the server's clock is believed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ClockSync } from '../../../machines/clock/clock-sync.ts'

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
