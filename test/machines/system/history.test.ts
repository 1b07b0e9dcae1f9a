// The last ten minutes in columns.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Check } from 'typebox/schema'
import { MAX_WINDOW_S, MetricsHistory, MetricsRing } from '../../../machines/system/history.ts'
import { type SystemMetrics, systemMetricsExample } from '../../../machines/system/metrics.ts'

const sampleAt = (second: number): SystemMetrics => ({
  ...systemMetricsExample,
  at_us: second * 1e6,
  cpu: { ...systemMetricsExample.cpu, load: second % 2 === 0 ? 0.5 : null },
})

test('the samples of the window are told, the oldest first, with their times by the clock as it is now', () => {
  const ring = new MetricsRing()
  for (let second = 1; second <= 10; second += 1) ring.add(sampleAt(second))

  const history = ring.since(3, 10e6, 1_000_000)

  assert.deepEqual(history.at_ms, [997_000, 998_000, 999_000, 1_000_000])
  assert.deepEqual(history.cpu_load, [null, 0.5, null, 0.5])
  assert.deepEqual(history.service_cpu_load, [0.76, 0.76, 0.76, 0.76])
  assert.ok(Check(MetricsHistory, history))
})

test('what is older than ten minutes is forgotten, and what was not sampled is not there', () => {
  const ring = new MetricsRing()
  for (let second = 1; second <= 1_500; second += 1) if (second < 1_000 || second > 1_100) ring.add(sampleAt(second))

  const history = ring.since(MAX_WINDOW_S, 1_500e6, 1_500_000)

  assert.equal(history.at_ms.length, 500)
  assert.deepEqual([history.at_ms[0], history.at_ms[99], history.at_ms[100]], [900_000, 999_000, 1_101_000])
  assert.deepEqual(new MetricsRing().since(60, 0, 0).at_ms, [])
})
