// When a wall clock counts as set.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WallClock } from '../../../machines/clock/wall-clock.ts'

const neverSlept = () => assert.fail('nobody has to ask whether it slept')
const YEARS_MS = 56 * 365 * 86_400_000

test('a clock that runs, or is led a little faster, is not set', () => {
  const clock = new WallClock({ wallMs: 5_000, steadyMs: 0 })

  for (let second = 1; second <= 1_000; second++)
    assert.equal(clock.look({ wallMs: 5_000 + second * 1_005, steadyMs: second * 1_000 }, neverSlept), 0)
})

test('a clock that is set forward or back says by how much, once', () => {
  const clock = new WallClock({ wallMs: 5_000, steadyMs: 0 })

  assert.equal(
    clock.look({ wallMs: YEARS_MS + 6_000, steadyMs: 1_000 }, () => 0),
    YEARS_MS,
  )
  assert.equal(clock.look({ wallMs: YEARS_MS + 7_000, steadyMs: 2_000 }, neverSlept), 0)
  assert.equal(
    clock.look({ wallMs: 8_000, steadyMs: 3_000 }, () => 0),
    -YEARS_MS,
  )
})

test('a machine that slept has the right time still; one that was set after its sleep has not', () => {
  const clock = new WallClock({ wallMs: 5_000, steadyMs: 0 })

  assert.equal(
    clock.look({ wallMs: 3_606_000, steadyMs: 1_000 }, () => 3_600_010),
    0,
  )
  assert.equal(
    clock.look({ wallMs: 7_215_000, steadyMs: 2_000 }, () => 3_600_000),
    8_000,
  )
})
