// What is read of recorded devices, also while any one of their files fails.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { linkSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Check } from 'typebox/schema'
import { SystemMetrics } from '../../../machines/system/metrics.ts'
import { Fan, Peripheral } from '../../../machines/system/peripherals.ts'
import { PowerRail } from '../../../machines/system/power.ts'
import { metricsOf } from '../../../machines/system/reading.ts'
import { SystemRelease } from '../../../machines/system/release.ts'
import { systemClock } from '../../../native/clock/system.ts'
import { linuxSystem } from '../../../native/system/linux.ts'
import { type Planted, plant, TREES, type TreeName, treeOf } from '../../support/device/plant.ts'
import { shortOrLong } from '../../support/long.ts'

/** All that is read of a device. The disk is that of this machine, and is left out, with the times. */
const readAll = async (root: string) => {
  const system = linuxSystem({ disk: tmpdir(), root, nowUs: systemClock.monotonicUs, maxWaitMs: 60_000 })
  const reader = system.open()
  const reading = await reader.read([])
  reader.close()
  const [throttling, release, boot_id, rails, fans, peripherals] = await Promise.all([
    system.throttling(),
    system.release(),
    system.bootId(),
    system.rails(),
    system.fans(),
    system.peripherals(),
  ])
  return { reading, throttling, release, boot_id, rails, fans, peripherals }
}
type All = Awaited<ReturnType<typeof readAll>>

const readTree = (t: TestContext, name: TreeName) => readAll(plant(t, treeOf(name, 'system')))

const figuresOf = ({ reading: { cpu, temperature, throttling, disk } }: All) => ({
  cores: cpu.cores.length,
  mhz: cpu.cores.map(({ frequency_mhz }) => frequency_mhz),
  celsius: temperature.celsius,
  limit: temperature.limit_celsius,
  sensors: temperature.sensors.map(({ name, celsius }) => `${name} ${celsius}`),
  throttling,
  wear: disk.wear_percent,
  errors: disk.errors,
})

test('a Raspberry Pi 4', async (t) => {
  const all = await readTree(t, 'raspberry-pi-4')

  assert.deepEqual(figuresOf(all), {
    cores: 4,
    mhz: [1_500, 1_500, 1_500, 1_500],
    celsius: 52.582,
    limit: 80,
    sensors: ['cpu-thermal 52.582'],
    throttling: { now: false, reasons: [], since_start: ['under-voltage', 'throttled'] },
    wear: null,
    errors: 0,
  })
  assert.equal(all.reading.pressure, null)
  assert.deepEqual([all.fans, all.rails], [[], []])
  assert.deepEqual([all.release?.model, all.release?.id], ['Raspberry Pi 4 Model B Rev 1.4', 'debian'])
})

test('a Raspberry Pi 5 with a fan and a meter of its battery', async (t) => {
  const all = await readTree(t, 'raspberry-pi-5')

  assert.deepEqual(figuresOf(all), {
    cores: 4,
    mhz: [2_400, 2_400, 2_400, 2_400],
    celsius: 58.4,
    limit: 80,
    sensors: ['cpu-thermal 58.4', 'rp1_adc 54.31'],
    throttling: { now: false, reasons: [], since_start: [] },
    wear: null,
    errors: 0,
  })
  assert.deepEqual(all.reading.pressure?.io, { some_avg10: 0.4, full_avg10: 0.21 })
  assert.deepEqual(all.rails.at(-1), { name: 'ina226 1', volts: 11.96, amperes: 1.21, watts: null })
  assert.deepEqual(all.fans, [
    { name: 'pwmfan', rpm: 3_120, duty: 0.49, mode: 'automatic', level: 2, max_level: 4, trouble: null },
  ])
})

test('an Orange Pi 5, with a core that is off, and hot', async (t) => {
  const all = await readTree(t, 'orange-pi-5')

  assert.deepEqual(figuresOf(all), {
    cores: 8,
    mhz: [1_800, 1_800, 1_800, 1_800, 2_016, 2_016, 1_200, 1_200],
    celsius: 63.923,
    limit: 85,
    sensors: [
      'soc-thermal 61.077',
      'bigcore0-thermal 63.923',
      'bigcore1-thermal 62',
      'gpu-thermal 59.23',
      'npu-thermal null',
    ],
    throttling: { now: true, reasons: ['temperature-limit'], since_start: ['temperature-limit'] },
    wear: 30,
    errors: 2,
  })
  assert.equal(all.reading.cpu.cores[7]?.ticks, null)
  assert.deepEqual(all.rails, [
    { name: 'ina3221 BATTERY', volts: 12.21, amperes: 0.905, watts: null },
    { name: 'ina3221 5V', volts: 5.012, amperes: null, watts: null },
  ])
  assert.equal(all.release?.name, 'Debian GNU/Linux 12 (bookworm)')
})

test('a mini PC', async (t) => {
  const all = await readTree(t, 'mini-pc')

  assert.deepEqual(figuresOf(all), {
    cores: 4,
    mhz: [800, 801, 802, 803],
    celsius: 63,
    limit: 105,
    sensors: [
      'acpitz 27.8',
      'iwlwifi_1 null',
      'nvme Composite 40.85',
      'coretemp Package id 0 63',
      'coretemp Core 0 61',
    ],
    throttling: { now: false, reasons: [], since_start: ['throttled'] },
    wear: null,
    errors: 0,
  })
  assert.equal(all.reading.memory.swap_used_bytes, 250_000 * 1_024)
  assert.deepEqual(
    all.reading.network.map((each) => each.interface),
    ['enp1s0', 'wlx00c0ca123456'],
  )
  assert.equal(all.release?.model, 'Example Computers Small Box 3')
})

/** What of all may be another when a file fails: of each sort of file the parts that it tells. */
const TOLD_BY: readonly (readonly [RegExp, RegExp])[] = [
  [/^\/proc\/stat$/, /^reading\.cpu\.(ticks|cores)/],
  [/^\/proc\/loadavg$/, /^reading\.cpu\.load_averages/],
  [/^\/proc\/meminfo$/, /^reading\.memory/],
  [/^\/proc\/pressure\/(cpu|memory|io)$/, /^reading\.pressure/],
  [/^\/proc\/net\/dev$/, /^reading\.network/],
  [/^\/proc\/self\/mountinfo$/, /^reading\.disk\.(read_only|wear_percent|errors)/],
  [/\/(life_time|pre_eol_info|partition)$|^\/sys\/(fs\/ext4|dev\/block)\//, /^reading\.disk\.(wear_percent|errors)/],
  [/\/thermal_zone\d+\/(temp|type|trip_point_.*)$/, /^reading\.temperature/],
  [/\/cooling_device\d+\//, /^(reading\.)?throttling|^fans/],
  [/\/cpufreq\//, /^reading\.cpu\.cores/],
  [/get_throttled$|thermal_throttle\/|lcrit_alarm$/, /^(reading\.)?throttling|^peripherals/],
  [/\/hwmon\d+\/name$/, /^(reading\.)?(throttling|temperature)|^(rails|fans|peripherals)/],
  [/\/hwmon\d+\/device$/, /^reading\.temperature|^peripherals/],
  [/\/hwmon\d+\/(temp|in|curr|power|fan|pwm)\d/, /^reading\.temperature|^(rails|fans|peripherals)/],
  [/os-release$|osrelease$|\/dmi\/id\/|uptime$/, /^release/],
  [/device-tree\/model$/, /^release|^reading\.temperature\.limit/],
  [/boot_id$/, /^(release\.)?boot_id|^release$/],
  [/\/(leds|rtc|i2c|iio)\//, /^peripherals/],
]

const differences = (one: unknown, other: unknown, path = ''): readonly string[] => {
  if (Object.is(one, other)) return []
  const isPair = [one, other].every((each) => typeof each === 'object' && each !== null)
  if (!isPair || Array.isArray(one) !== Array.isArray(other)) return [path]
  if (Array.isArray(one) && one.length !== (other as unknown[]).length) return [path]
  const keys = new Set([...Object.keys(one as object), ...Object.keys(other as object)])
  return [...keys].flatMap((key) =>
    differences(
      (one as Record<string, unknown>)[key],
      (other as Record<string, unknown>)[key],
      path ? `${path}.${key}` : key,
    ),
  )
}

/** Ways in which a file fails: by what is put in its place. ENODEV is there where this user may make device files. */
const failuresIn = (t: TestContext): readonly (readonly [how: string, fail: (path: string) => void])[] => {
  const folder = plant(t, [['/long', { text: 'x y 1 cpu\n'.repeat(100_000) }]])
  const device = join(folder, 'device')
  const failures = [
    ['EIO', (path: string) => symlinkSync('/proc/self/mem', path)],
    [
      'garbage',
      (path: string) => writeFileSync(path, Buffer.from([0xff, 0, 0x31, 0x0a, 0xc3, 0x28, 0x2d, 0x65, 0x39])),
    ],
    ['a megabyte of text', (path: string) => linkSync(join(folder, 'long'), path)],
  ] as const
  try {
    execFileSync('mknod', [device, 'c', '10', '250'], { stdio: 'ignore' }) // a number that no driver has
    readFileSync(device)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENODEV')
      return [...failures, ['ENODEV', (path: string) => linkSync(device, path)]]
    t.diagnostic('without ENODEV: this user may make no device files')
  }
  return failures
}

const restore = (path: string, [, what]: Planted) => {
  rmSync(path, { recursive: true, force: true })
  if ('link' in what) symlinkSync(what.link, path)
  else writeFileSync(path, what.text)
}

/** Each file fails in two ways in its turn; in the long test, in all of them. */
const waysToTry = <Way>(all: readonly Way[], turn: number): readonly Way[] =>
  shortOrLong(
    all.filter((_way, n) => n === turn % all.length || n === (turn + 1) % all.length),
    all,
  )

/** As the wire has it. */
const assertFits = ({ reading, release, rails, fans, peripherals }: All, which: string) => {
  assert.ok(Check(SystemMetrics, metricsOf(undefined, reading, 0)), `${which}: the metrics fit their schema`)
  const runs = { starts: 0, unsafe_shutdowns: 0, last_was_unsafe: null }
  assert.ok(release === null || Check(SystemRelease, { ...release, runs }), `${which}: the release fits its schema`)
  for (const rail of rails) assert.ok(Check(PowerRail, rail), `${which}: ${JSON.stringify(rail)}`)
  for (const fan of fans) assert.ok(Check(Fan, fan), `${which}: ${JSON.stringify(fan)}`)
  for (const each of peripherals) assert.ok(Check(Peripheral, each), `${which}: ${JSON.stringify(each)}`)
}

/** Without what this machine tells of its own. */
const comparable = ({ reading, ...rest }: All) => {
  const { at_us, disk, ...told } = reading
  const { total_bytes, free_bytes, ...facts } = disk
  return { reading: { ...told, disk: facts }, ...rest }
}

for (const name of TREES)
  test(`${name}: whichever file fails, what others tell is there, and all fits its schema`, async (t) => {
    const paths = treeOf(name, 'system')
    const root = plant(t, paths)
    const whole = comparable(await readAll(root))
    const failures = failuresIn(t)
    let checked = 0

    for (const [turn, planted] of paths.entries()) {
      const [file] = planted
      const told = TOLD_BY.find(([pattern]) => pattern.test(file))?.[1]
      assert.ok(told, `${file}: what it tells stands in the table`)
      for (const [how, fail] of waysToTry(failures, turn)) {
        const path = join(root, file)
        rmSync(path, { recursive: true })
        fail(path)
        const all = await readAll(root)
        restore(path, planted)
        const which = `${file} fails with ${how}`
        assertFits(all, which)
        const elsewhere: readonly string[] = differences(comparable(all), whole).filter((each) => !told.test(each))
        assert.deepEqual(elsewhere, [], which)
        checked += 1
      }
    }
    t.diagnostic(`${checked} failing files`)
    assert.deepEqual(differences(comparable(await readAll(root)), whole), [], 'all is whole again')
  })
