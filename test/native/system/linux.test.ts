// How a device does, from files as Linux writes them.
import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { type TestContext, test } from 'node:test'
import { systemClock } from '../../../native/clock/system.ts'
import { linuxSystem } from '../../../native/system/linux.ts'

const { monotonicUs } = systemClock

const opened = (t: TestContext) => {
  const reader = linuxSystem({ disk: tmpdir(), nowUs: monotonicUs }).open()
  t.after(() => reader.close())
  return reader
}

test('this machine tells something, and of this process', async (t) => {
  const reader = opened(t)

  const reading = await reader.read([{ part: 'control', stream_id: null, pid: process.pid }])

  assert.ok((reading.cpu.ticks?.all ?? 0) > 0 && reading.cpu.cores.length > 0)
  assert.ok((reading.memory.available_bytes ?? 0) > 0)
  assert.ok((reading.disk.total_bytes ?? 0) >= (reading.disk.free_bytes ?? Number.NaN))
  assert.equal(reading.disk.read_only, false)
  const [self] = reading.processes
  assert.ok((self?.cpu_ms ?? 0) > 0)
  assert.ok((self?.rss_bytes ?? 0) >= (self?.pss_bytes ?? Number.NaN) && (self?.pss_bytes ?? 0) > 1e6)
})

test('a process that has ended tells nothing', async (t) => {
  const reader = opened(t)

  const { processes } = await reader.read([{ part: 'engine', stream_id: 'front', pid: 4_194_305 }])

  assert.deepEqual(processes, [
    { part: 'engine', stream_id: 'front', pid: 4_194_305, cpu_ms: null, pss_bytes: null, rss_bytes: null },
  ])
})
