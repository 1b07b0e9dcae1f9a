// That the clock is the one by which the engine stamps its frames, and notices when somebody sets the other one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { monotonicUs, systemClock } from '../../../native/clock/system.ts'
import { arrival } from '../../support/until.ts'

const trueUs = (): number => Number(process.hrtime.bigint()) / 1000

test('the monotonic clock is CLOCK_MONOTONIC, to a twentieth of a millisecond', () => {
  const readings = Array.from({ length: 1_000 }, () => {
    const beforeUs = trueUs()
    const us = monotonicUs()
    const afterUs = trueUs()
    return { withinUs: afterUs - beforeUs, offUs: us - (beforeUs + afterUs) / 2 }
  })

  // of the others the system took a part of the time
  const [closest] = readings.toSorted((a, b) => a.withinUs - b.withinUs)

  assert.ok(closest && Math.abs(closest.offUs) < 50, `it is ${closest?.offUs} µs off`)
})

test('who listens is told that the wall clock was set before anybody gets a time of the new one', (t) => {
  const told: number[] = []
  const { now } = Date
  let setMs = 0
  t.mock.method(Date, 'now', () => now() + setMs)
  t.after(systemClock.onSet((byMs) => told.push(byMs)))

  const before = systemClock.nowMs()
  assert.deepEqual(told, [])
  setMs = 1_000_000_000
  const after = systemClock.nowMs()
  const toldAtOnce = [...told]
  setMs = 0
  systemClock.nowMs()

  assert.ok(after - before >= setMs, `${after - before} ms later`)
  assert.equal(toldAtOnce.length, 1)
  for (const [n, byMs] of told.entries())
    assert.ok(Math.abs(Math.abs(byMs) - 1_000_000_000) < 1_000, `${n}: ${byMs} ms`)
  assert.deepEqual(told.map(Math.sign), [1, -1])
})

test('who listens is told that the wall clock was set though nobody asks for the time', async (t) => {
  const { now } = Date
  const told = Promise.withResolvers<number>()
  t.after(systemClock.onSet(told.resolve))
  t.mock.method(Date, 'now', () => now() - 60_000)

  const byMs = await arrival('the word', told.promise)

  assert.ok(Math.abs(byMs + 60_000) < 1_000, `${byMs} ms`)
})
