// That the clock is the one by which the engine stamps its frames.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { monotonicUs } from '../../../native/clock/system.ts'

const trueUs = (): number => Number(process.hrtime.bigint()) / 1000

test('the monotonic clock is CLOCK_MONOTONIC, to a twentieth of a millisecond', () => {
  const readings = Array.from({ length: 1_000 }, () => {
    const beforeUs = trueUs()
    const us = monotonicUs()
    const afterUs = trueUs()
    return { withinUs: afterUs - beforeUs, offUs: us - (beforeUs + afterUs) / 2 }
  })

  const [closest] = readings.toSorted((a, b) => a.withinUs - b.withinUs) // of the others the system took a part of the time

  assert.ok(closest && Math.abs(closest.offUs) < 50, `it is ${closest?.offUs} µs off`)
})
