// A made-up device: its figures move as those of a small computer with cameras do, and it has the troubles that it was
// given.

import type { Trouble } from '../../machines/system/device-choice.ts'
import type { SystemMetrics } from '../../machines/system/metrics.ts'
import { type Fan, fanOf, type Peripheral } from '../../machines/system/peripherals.ts'
import type { PowerRail } from '../../machines/system/power.ts'
import type { ServiceProcess, SystemReading, Ticks } from '../../machines/system/reading.ts'
import type { RunRecord, ToldRelease } from '../../machines/system/release.ts'
import type { RunRecordPort, SystemPort, SystemReader } from './port.ts'

const RELEASE: ToldRelease = {
  name: 'Made-up Linux 1 (nowhere)',
  id: 'made-up',
  version_id: '1',
  version_codename: 'nowhere',
  variant_id: null,
  build_id: null,
  image_id: null,
  image_version: null,
  kernel: '6.12.0-made-up',
  architecture: 'arm64',
  model: 'Made-up computer with 4 cores',
  boot_id: '00000000-0000-4000-8000-000000000001',
  up_s: 3_600,
}

const CORES = 4
const MAX_MHZ = 2_400
const MEGABYTE = 1_048_576
const GIGABYTE = 1_024 * MEGABYTE
const LIMIT_CELSIUS = 80

/** What a made-up device is made of. */
export interface FakeSystemParts {
  readonly troubles?: readonly Trouble[]
  /** Its figures are a function of this alone. */
  readonly nowUs?: () => number
}

export class FakeSystem implements SystemPort {
  /** A test may take some away, or add some. */
  readonly troubles: Set<Trouble>
  /** How many readers are open. */
  opened = 0
  /** How often it was read. */
  readings = 0
  /** A test may say what is read instead; undefined: what the made-up device tells. */
  reading: Partial<SystemReading> | undefined
  /** What it runs; a test may say that it does not tell. */
  told: ToldRelease | null = RELEASE
  /** A test may say what is measured, and which fans there are. */
  railsTold: readonly PowerRail[] | undefined
  fansTold: readonly Fan[] | undefined
  readonly #nowUs: () => number

  constructor({ troubles = [], nowUs = () => 0 }: FakeSystemParts = {}) {
    this.troubles = new Set(troubles)
    this.#nowUs = nowUs
  }

  readonly open = (): SystemReader => {
    this.opened += 1
    return {
      read: async (processes) => {
        this.readings += 1
        return { ...this.#readingAt(this.#nowUs(), processes), ...this.reading }
      },
      close: () => {
        this.opened -= 1
      },
    }
  }

  readonly throttling = async () => this.reading?.throttling ?? this.#throttlingAt(this.#nowUs() / 1e6)

  readonly release = async (): Promise<ToldRelease | null> => this.told

  readonly bootId = async () => this.told?.boot_id ?? null

  readonly rails = async () => {
    const seconds = this.#nowUs() / 1e6
    const weak = this.#throttlingAt(seconds).reasons.includes('under-voltage') ? 0.55 : 0
    const volts = Math.round((5.06 - weak + 0.03 * wave(seconds, 8)) * 1e3) / 1e3
    return this.railsTold ?? [{ name: 'EXT5V', volts, amperes: null, watts: null }]
  }

  readonly fans = async () => this.fansTold ?? [this.#fanAt(this.#nowUs() / 1e6)]

  readonly peripherals = async (): Promise<readonly Peripheral[]> => [
    { kind: 'fan', name: 'pwmfan', place: '/sys/devices/platform/cooling_fan' },
    { kind: 'power-meter', name: 'rpi_volt', place: '/sys/devices/platform/soc/firmware/hwmon' },
    { kind: 'thermometer', name: 'cpu_thermal', place: '/sys/devices/virtual/thermal/thermal_zone0' },
    { kind: 'light', name: 'ACT', place: '/sys/devices/platform/leds/leds/ACT' },
  ]

  #fanAt(seconds: number): Fan {
    const level = this.troubles.has('hot') ? 4 : 2
    const rpm = Math.round(1_700 * level + 40 * wave(seconds, 5))
    return fanOf({ name: 'pwmfan', rpm, duty: level / 4, mode: 'automatic', level, max_level: 4 })
  }

  #readingAt(at_us: number, processes: readonly ServiceProcess[]): SystemReading {
    const seconds = at_us / 1e6
    const throttling = this.#throttlingAt(seconds)
    const isHot = this.troubles.has('hot')
    const celsius = isHot ? 84 + wave(seconds, 20) : 56 + 6 * wave(seconds, 90) + wave(seconds, 7)
    const mhz = throttling.now ? 1_500 : Math.round(MAX_MHZ - 400 * Math.max(0, wave(seconds, 11)))
    const isShort = this.troubles.has('low-memory')
    const memory = isShort ? 90 * MEGABYTE : 2.6 * GIGABYTE + 100 * MEGABYTE * wave(seconds, 60)
    const cores = Array.from({ length: CORES }, (_, n) => ticksAt(seconds, n))
    return {
      at_us,
      cpu: {
        ticks: { busy: sum(cores.map(({ busy }) => busy)), all: sum(cores.map(({ all }) => all)) },
        cores: cores.map((ticks) => ({ ticks, frequency_mhz: mhz, max_frequency_mhz: MAX_MHZ })),
        load_averages: [rounded(1.6 + 0.5 * wave(seconds, 60)), rounded(1.5 + 0.2 * wave(seconds, 300)), 1.4],
      },
      temperature: {
        celsius: rounded(celsius),
        limit_celsius: LIMIT_CELSIUS,
        sensors: [
          { name: 'cpu-thermal', celsius: rounded(celsius) },
          { name: 'nvme Composite', celsius: rounded(41 + wave(seconds, 120)) },
        ],
      },
      throttling,
      memory: {
        total_bytes: 4 * GIGABYTE,
        available_bytes: Math.round(memory),
        swap_used_bytes: isShort ? 350 * MEGABYTE : 0,
      },
      pressure: {
        cpu: { some_avg10: rounded(4 + 3 * wave(seconds, 30)) },
        memory: isShort ? { some_avg10: 38, full_avg10: 21 } : { some_avg10: 0, full_avg10: 0 },
        io: { some_avg10: rounded(1 + wave(seconds, 17)), full_avg10: 0 },
      },
      disk: {
        total_bytes: 29 * GIGABYTE,
        free_bytes: this.troubles.has('full-disk') ? 12 * MEGABYTE : 18 * GIGABYTE,
        read_only: false,
        wear_percent: 10,
        errors: 0,
      },
      network: [
        {
          interface: 'eth0',
          rx_bytes: Math.round(40_000 * integral(seconds, 13)),
          tx_bytes: Math.round(420_000 * integral(seconds, 19)),
        },
      ],
      processes: processes.map((each, n) => ({
        ...each,
        cpu_ms: Math.round((each.part === 'engine' ? 550 : 60) * integral(seconds, 9 + n)),
        pss_bytes: Math.round((each.part === 'engine' ? 84 : 68) * MEGABYTE + 2 * MEGABYTE * wave(seconds, 45)),
        rss_bytes: (each.part === 'engine' ? 110 : 92) * MEGABYTE,
      })),
    }
  }

  #throttlingAt(seconds: number): SystemMetrics['throttling'] {
    // again and again: 4 of each 20 s
    const isWeak = this.troubles.has('under-voltage') && seconds % 20 < 4
    const reasons: SystemMetrics['throttling']['reasons'] = [
      ...(isWeak ? (['under-voltage', 'frequency-capped'] as const) : []),
      ...(this.troubles.has('hot') ? (['throttled', 'temperature-limit'] as const) : []),
    ]
    return { now: reasons.length > 0, reasons, since_start: reasons }
  }
}

/** Between -1 and 1. */
const wave = (seconds: number, periodS: number): number => Math.sin((2 * Math.PI * seconds) / periodS)

/** What has come together of something that moves between 0.6 and 1.4 of itself each second; never less than before. */
const integral = (seconds: number, periodS: number): number =>
  seconds + (0.4 * periodS * (1 - Math.cos((2 * Math.PI * seconds) / periodS))) / (2 * Math.PI)

const TICKS_PER_S = 100

const ticksAt = (seconds: number, core: number): Ticks => ({
  busy: Math.round(0.4 * TICKS_PER_S * integral(seconds + core, 15 + 4 * core)),
  all: Math.round(TICKS_PER_S * seconds),
})

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0)

const rounded = (value: number): number => Math.round(value * 10) / 10

/** A record that is gone with the process. */
export class FakeRunRecord implements RunRecordPort {
  record: RunRecord | null = null
  /** What the next writing fails with. */
  failure: Error | undefined

  readonly read = async () => this.record

  readonly write = async (record: RunRecord) => {
    if (this.failure) throw this.failure
    this.record = record
  }
}
