// What is wrong with how a device does, in words.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type SystemMetrics, systemMetricsExample } from '../../../machines/system/metrics.ts'
import { troublesOf } from '../../../machines/system/troubles.ts'

const withDevice = (over: Partial<SystemMetrics>) =>
  troublesOf({ ...systemMetricsExample, ...over }).map(({ what }) => what)

const { disk, memory, pressure } = systemMetricsExample

test('a device that is well has none, and one that tells nothing neither', () => {
  assert.deepEqual(withDevice({}), [])
  assert.deepEqual(
    withDevice({
      throttling: { now: null, reasons: [], since_start: [] },
      memory: { total_bytes: null, available_bytes: null, swap_used_bytes: null },
      pressure: null,
      disk: { total_bytes: null, free_bytes: null, read_only: null, wear_percent: null, errors: null },
    }),
    [],
  )
})

test('the worst stands first: the supply, heat, the disk, memory', () => {
  assert.deepEqual(
    withDevice({
      throttling: { now: true, reasons: ['temperature-limit', 'under-voltage'], since_start: [] },
      memory: { ...memory, available_bytes: 90e6 },
      disk: { ...disk, read_only: true, free_bytes: 0, wear_percent: 100, errors: 3 },
      pressure: pressure && { ...pressure, cpu: { some_avg10: 97 }, io: { some_avg10: 60, full_avg10: 40 } },
    }),
    [
      ...['under-voltage', 'too-hot', 'read-only-disk', 'full-disk', 'low-memory', 'busy-processor', 'busy-disk'],
      ...['worn-disk', 'disk-errors'],
    ],
  )
})

test('a processor that is only held below its highest clock is no trouble', () => {
  assert.deepEqual(
    withDevice({ throttling: { now: true, reasons: ['frequency-capped'], since_start: ['frequency-capped'] } }),
    [],
  )
})
