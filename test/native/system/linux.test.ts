// How a device does, from files as Linux writes them.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { open, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { systemClock } from '../../../native/clock/system.ts'
import { linuxSystem } from '../../../native/system/linux.ts'
import { plant, treeOf } from '../../support/device/plant.ts'
import { until } from '../../support/until.ts'

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

test('a sensor that hangs holds nobody up, and what others tell is there', async (t) => {
  const root = plant(t, treeOf('raspberry-pi-5', 'system'))
  const path = join(root, 'sys/class/hwmon/hwmon2/temp1_input')
  await rm(path)
  execFileSync('mkfifo', [path]) // whoever opens it waits for a writer
  const reader = linuxSystem({ disk: tmpdir(), root, nowUs: monotonicUs, maxWaitMs: 5_000 }).open()

  const readings = []
  for (let n = 0; n < 3; n += 1) readings.push(await reader.read([]))

  for (const { temperature, cpu } of readings) {
    assert.deepEqual(temperature.sensors, [
      { name: 'cpu-thermal', celsius: 58.4 },
      { name: 'rp1_adc', celsius: null },
    ])
    assert.equal(cpu.cores[0]?.frequency_mhz, 2_400)
  }
  await using writer = await open(path, 'w') // ends the waiting
  await writer.write('51000\n')
  reader.close()
})

test('a reader that is closed leaves no file open', async (t) => {
  const reader = linuxSystem({ disk: tmpdir(), root: plant(t, treeOf('mini-pc', 'system')), nowUs: monotonicUs }).open()
  const before = await openFiles()
  await reader.read([{ part: 'control', stream_id: null, pid: process.pid }])
  assert.ok((await openFiles()) > before)

  reader.close()

  await until('all files are closed', async () => (await openFiles()) <= before)
})

const openFiles = async () => (await readdir('/proc/self/fd')).length
