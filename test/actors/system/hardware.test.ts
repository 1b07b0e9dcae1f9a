// What the robot's tables have of how the device does.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hardwareOf } from '../../../actors/system/hardware.ts'
import { MetricsSource } from '../../../actors/system/metrics-source.ts'
import { systemMetricsExample } from '../../../machines/system/metrics.ts'
import { FakeClock } from '../../../native/clock/fake.ts'

const sampled = () => {
  const source = new MetricsSource({ clock: new FakeClock() })
  return { source, hardware: hardwareOf(source) }
}

test('asking for it has the device sampled, and tells the newest sample in percent and megabytes', () => {
  const { source, hardware } = sampled()
  assert.equal(hardware.latest(), undefined)
  assert.equal(source.isNeeded.value, true)

  source.take({
    ...systemMetricsExample,
    memory: { total_bytes: 4e9, available_bytes: 3e9, swap_used_bytes: 0 },
    disk: { ...systemMetricsExample.disk, total_bytes: 32e9, free_bytes: 8e9 },
  })

  assert.deepEqual(hardware.latest(), { temp: 58.4, cpu: 41, ram: 25, dfree: 8_000, dtot: 32_000 })
  assert.equal(hardware.latest(), hardware.latest(), 'the same object until there is something new')
})

test('what the device does not tell is left out', () => {
  const { source, hardware } = sampled()

  source.take({
    ...systemMetricsExample,
    cpu: { ...systemMetricsExample.cpu, load: null },
    temperature: { celsius: null, limit_celsius: null, sensors: [] },
    memory: { total_bytes: null, available_bytes: null, swap_used_bytes: null },
    disk: { total_bytes: null, free_bytes: null, read_only: null, wear_percent: null, errors: null },
  })

  assert.deepEqual(hardware.latest(), {})
})
