// What follows from two readings of a device.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Check } from 'typebox/schema'
import { SystemMetrics, systemMetricsExample } from '../../../machines/system/metrics.ts'
import { metricsOf, type SystemReading } from '../../../machines/system/reading.ts'

const { temperature, throttling, memory, pressure, disk } = systemMetricsExample
const reading = (at_us: number, over: Partial<SystemReading> = {}): SystemReading => ({
  at_us,
  cpu: {
    ticks: { busy: 100, all: 1_000 },
    cores: [{ ticks: { busy: 100, all: 1_000 }, frequency_mhz: 1_500, max_frequency_mhz: 2_400 }],
    load_averages: [1, 2, 3],
  },
  network: [{ interface: 'eth0', rx_bytes: 1_000, tx_bytes: 2_000 }],
  processes: [{ part: 'engine', stream_id: 'front', pid: 7, cpu_ms: 500, pss_bytes: 10, rss_bytes: 20 }],
  temperature,
  throttling,
  memory,
  pressure,
  disk,
  ...over,
})

const after = (over: Partial<SystemReading> = {}) =>
  metricsOf(
    reading(0),
    reading(2_000_000, {
      cpu: {
        ticks: { busy: 150, all: 1_200 },
        cores: [{ ticks: { busy: 300, all: 1_200 }, frequency_mhz: 1_500, max_frequency_mhz: 2_400 }],
        load_averages: null,
      },
      network: [{ interface: 'eth0', rx_bytes: 3_000, tx_bytes: 2_000 }],
      processes: [{ part: 'engine', stream_id: 'front', pid: 7, cpu_ms: 1_500, pss_bytes: 10, rss_bytes: 20 }],
      ...over,
    }),
    1_767_225_600_000,
  )

test('load and rates are what happened between two readings', () => {
  const metrics = after()

  assert.deepEqual([metrics.cpu.load, metrics.cpu.cores[0]?.load], [0.25, 1])
  assert.deepEqual([metrics.network[0]?.rx_bytes_per_s, metrics.network[0]?.tx_bytes_per_s], [1_000, 0])
  assert.equal(metrics.processes[0]?.cpu_load, 0.5)
  assert.ok(Check(SystemMetrics, metrics))
})

test('the first reading tells no load and no rates', () => {
  const metrics = metricsOf(undefined, reading(0), 0)

  assert.deepEqual([metrics.cpu.load, metrics.cpu.cores[0]?.load, metrics.processes[0]?.cpu_load], [null, null, null])
  assert.equal(metrics.network[0]?.rx_bytes_per_s, null)
  assert.ok(Check(SystemMetrics, metrics))
})

test('what began again (a process of the same number, an interface, a core) has no rate, and none below zero', () => {
  const metrics = after({
    cpu: {
      ticks: { busy: 90, all: 1_100 },
      cores: [{ ticks: { busy: 1, all: 4 }, frequency_mhz: null, max_frequency_mhz: null }],
      load_averages: null,
    },
    network: [{ interface: 'eth0', rx_bytes: 10, tx_bytes: null }],
    processes: [{ part: 'engine', stream_id: 'rear', pid: 7, cpu_ms: 900, pss_bytes: null, rss_bytes: null }],
  })

  assert.deepEqual([metrics.cpu.load, metrics.cpu.cores[0]?.load], [0, null])
  assert.deepEqual([metrics.network[0]?.rx_bytes_per_s, metrics.network[0]?.tx_bytes_per_s], [null, null])
  assert.equal(metrics.processes[0]?.cpu_load, null)
})
