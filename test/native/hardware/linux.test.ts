// What is told of a device, from files as Linux writes them.
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { LinuxHardware } from '../../../native/hardware/linux.ts'

const device = async (t: TestContext) => {
  const folder = await mkdtemp(join(tmpdir(), 'hardware-'))
  t.after(() => rm(folder, { recursive: true }))
  const write = async (path: string, text: string) => {
    await mkdir(join(folder, path, '..'), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  const clock = { ms: 0 }
  const hardware = new LinuxHardware({
    disk: folder,
    proc: join(folder, 'proc'),
    sys: join(folder, 'sys'),
    nowMs: () => clock.ms,
  })
  /** What is told after another reading. */
  const after = async (ms: number) => {
    clock.ms += ms
    hardware.latest()
    await hardware.settled()
    return hardware.latest()
  }
  return { write, clock, hardware, after }
}

test('the hottest place on the processor, and the use of processor, memory and disk are told', async (t) => {
  const { write, after } = await device(t)
  const zone = async (n: number, type: string, temp: string) => {
    await write(`sys/class/thermal/thermal_zone${n}/type`, `${type}\n`)
    await write(`sys/class/thermal/thermal_zone${n}/temp`, `${temp}\n`)
  }
  await zone(0, 'cpu-thermal', '51250')
  await zone(1, 'bigcore0-thermal', '57125')
  await zone(2, 'battery', '90000')
  await write('proc/meminfo', 'MemTotal:        4000000 kB\nMemFree:  100000 kB\nMemAvailable:    3000000 kB\n')
  await write('proc/stat', 'cpu  100 0 100 700 100 0 0 0 50 0\ncpu0 1 2 3\n')
  const first = await after(0)
  await write('proc/stat', 'cpu  130 10 110 730 120 0 0 0 90 0\ncpu0 1 2 3\n')

  const second = await after(2_000)

  assert.equal(first?.cpu, undefined, 'not before there is something to compare with')
  assert.deepEqual([second?.temp, second?.cpu, second?.ram], [57.125, 50, 25])
  assert.ok((second?.dtot ?? 0) >= (second?.dfree ?? Number.NaN))
})

test('what the device does not know is left out', async (t) => {
  const { write, after } = await device(t)
  await write('sys/class/thermal/thermal_zone0/type', 'acpitz\n')
  await write('sys/class/thermal/thermal_zone0/temp', '27800\n')
  await write('proc/meminfo', 'nonsense')

  assert.deepEqual(Object.keys((await after(0)) ?? {}).toSorted(), ['dfree', 'dtot'])
})

test('it is read at most every 2 s however often it is asked, and what is old is not told', async (t) => {
  const { write, clock, hardware, after } = await device(t)
  await write('proc/meminfo', 'MemTotal: 100 kB\nMemAvailable: 50 kB\n')
  const first = await after(0)
  await write('proc/meminfo', 'MemTotal: 100 kB\nMemAvailable: 75 kB\n')

  assert.equal(await after(1_900), first)
  assert.deepEqual((await after(200))?.ram, 25)
  clock.ms += 60_000
  assert.equal(hardware.latest(), undefined)
  await hardware.settled()
  assert.deepEqual(hardware.latest()?.ram, 25)
})

test('this machine tells something', async () => {
  const hardware = new LinuxHardware({ disk: tmpdir() })
  hardware.latest()
  await hardware.settled()

  const told = hardware.latest()
  assert.ok((told?.ram ?? -1) >= 0 && (told?.ram ?? 101) <= 100)
  assert.ok((told?.dtot ?? 0) > 0)
})
