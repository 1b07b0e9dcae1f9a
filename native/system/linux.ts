// A Linux device, by what it tells below /proc and /sys.
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import * as Effect from 'effect/Effect'
import type { SystemMetrics } from '../../machines/system/metrics.ts'
import type { ProcessReading, ServiceProcess, SystemReading, Ticks } from '../../machines/system/reading.ts'
import type { ProgramsPort } from '../programs/port.ts'
import { linuxSystemFiles } from '../system-files/linux.ts'
import { numberIn, type SystemFiles } from '../system-files/port.ts'
import { railsOfPmic, readFans, readPeripherals, readRails } from './chips.ts'
import { NO_DISK_FACTS, readDiskFacts } from './disk-facts.ts'
import { HeldFile, SlowFile, SlowFiles } from './held-file.ts'
import { celsiusIn, type Inventory, takeInventory } from './inventory.ts'
import type { SystemPort, SystemReader } from './port.ts'
import {
  cpuMsOf,
  loadAverages,
  memoryOf,
  networkOf,
  pressureOf,
  proportionalBytesOf,
  residentBytesOf,
  ticksByCpu,
} from './proc-texts.ts'
import { readBootId, readRelease } from './release.ts'
import { SlowValue } from './slow-value.ts'
import { ThrottlingFiles, throttlingPaths } from './throttling-files.ts'

/** Where to read. */
export interface LinuxSystemParts {
  /** A folder on the file system whose space counts. */
  readonly disk: string
  /** The folder below which /proc and /sys lie. */
  readonly root?: string
  /** A monotonic clock, µs. */
  readonly nowUs: () => number
  /** How long one reading waits for what is slow. */
  readonly maxWaitMs?: number
  /** By which a power chip may be asked. */
  readonly programs?: ProgramsPort
}

/** The device on which the service runs. */
export const linuxSystem = (parts: LinuxSystemParts): SystemPort => {
  const files = linuxSystemFiles(parts.root)
  const throttling = new ThrottlingFiles()
  let inventory: Promise<Inventory> | undefined
  return {
    open: () => new LinuxReader(parts),
    throttling: async () => {
      inventory ??= takeInventory(files)
      const known = await inventory
      const texts = new Map<string, string | null>()
      for (const path of throttlingPaths(known)) texts.set(path, await files.text(path))
      return throttling.of(known, (path) => texts.get(path) ?? null)
    },
    release: () => readRelease(files),
    bootId: () => readBootId(files),
    rails: shared(async () => [...(await readRails(files)), ...(await railsOfRaspberryPi(files, parts.programs))]),
    fans: shared(() => readFans(files)),
    peripherals: shared(() => readPeripherals(files)),
  }
}

/** However many ask at once, the chips are asked once. */
const shared = <Value>(find: () => Promise<Value>): (() => Promise<Value>) => {
  let finding: Promise<Value> | undefined
  return () => {
    finding ??= find().finally(() => {
      finding = undefined
    })
    return finding
  }
}

const PROGRAM_LIMIT_MS = 3_000

/** Its power chip is asked by a program of its own; others have none, or no such chip. */
const railsOfRaspberryPi = async (files: SystemFiles, programs: ProgramsPort | undefined) => {
  if (!programs || !(await files.text('/proc/device-tree/model'))?.startsWith('Raspberry Pi')) return []
  const order = { program: 'vcgencmd', args: ['pmic_read_adc'], limitMs: PROGRAM_LIMIT_MS }
  return Effect.runPromise(
    Effect.match(programs.run(order), { onFailure: () => [], onSuccess: ({ stdout }) => railsOfPmic(stdout) }),
  )
}

const INVENTORY_EVERY_MS = 30_000 // a stick with a sensor may be plugged in
const DISK_FACTS_EVERY_MS = 10_000
const SPACE_EVERY_MS = 900 // with each reading, but not while one hangs
const SHARES_EVERY_MS = 10_000 // the kernel walks through all memory of a process for this
const DEFAULT_WAIT_MS = 250

const EMPTY: Inventory = {
  sensors: [],
  limit_celsius: null,
  clocks: [],
  firmware: null,
  supplyAlarms: [],
  coolers: [],
  slowCounters: [],
}

class LinuxReader implements SystemReader {
  readonly #parts: LinuxSystemParts
  readonly #nowMs: () => number
  readonly #held = new Map<string, HeldFile>()
  readonly #processes = new Map<number, HeldProcess>()
  readonly #inventory: SlowValue<Inventory>
  readonly #diskFacts: SlowValue<typeof NO_DISK_FACTS>
  readonly #space: SlowValue<Pick<SystemMetrics['disk'], 'total_bytes' | 'free_bytes'>>
  /** Of the processor: they answer soon as a rule, and more is decided by them. */
  readonly #near = new SlowFiles()
  readonly #far = new SlowFiles()
  readonly #slow = new Map<string, SlowFile>()
  readonly #throttling = new ThrottlingFiles()
  #arranged: Inventory = EMPTY

  constructor(parts: LinuxSystemParts) {
    const { disk, root = '/', nowUs } = parts
    const files = linuxSystemFiles(root)
    const nowMs = () => nowUs() / 1_000
    this.#parts = parts
    this.#nowMs = nowMs
    this.#inventory = new SlowValue({
      find: () => takeInventory(files),
      first: EMPTY,
      everyMs: INVENTORY_EVERY_MS,
      nowMs,
    })
    this.#diskFacts = new SlowValue({
      find: () => readDiskFacts(files, disk),
      first: NO_DISK_FACTS,
      everyMs: DISK_FACTS_EVERY_MS,
      nowMs,
    })
    this.#space = new SlowValue({
      find: () => spaceOf(disk),
      first: { total_bytes: null, free_bytes: null },
      everyMs: SPACE_EVERY_MS,
      nowMs,
    })
  }

  async read(processes: readonly ServiceProcess[]): Promise<SystemReading> {
    await withinMs(this.#parts.maxWaitMs ?? DEFAULT_WAIT_MS, this.#askSlow(processes))
    const stat = ticksByCpu(this.#textOf('/proc/stat'))
    const { sensors, limit_celsius } = this.#arranged
    const measured = sensors.map(({ name, isOnProcessor, path }) => ({
      name,
      isOnProcessor,
      celsius: celsiusIn(this.#slowText(path)),
    }))
    const onProcessor = measured.flatMap(({ isOnProcessor, celsius }) =>
      isOnProcessor && celsius !== null ? [celsius] : [],
    )
    return {
      at_us: this.#parts.nowUs(),
      cpu: {
        ticks: stat.get('cpu') ?? null,
        cores: this.#cores(stat),
        load_averages: loadAverages(this.#textOf('/proc/loadavg')),
      },
      temperature: {
        celsius: onProcessor.length > 0 ? Math.max(...onProcessor) : null,
        limit_celsius,
        sensors: measured.map(({ name, celsius }) => ({ name, celsius })),
      },
      throttling: this.#throttling.of(this.#arranged, (path) => this.#slowText(path)),
      memory: memoryOf(this.#textOf('/proc/meminfo')),
      pressure: pressureOf(
        this.#textOf('/proc/pressure/cpu'),
        this.#textOf('/proc/pressure/memory'),
        this.#textOf('/proc/pressure/io'),
      ),
      disk: { ...this.#space.value, ...this.#diskFacts.value },
      network: networkOf(this.#textOf('/proc/net/dev')),
      processes: processes.map((each) => this.#process(each)),
    }
  }

  close(): void {
    this.#near.close()
    this.#far.close()
    for (const file of this.#held.values()) file.close()
    for (const each of this.#processes.values()) each.close()
    this.#held.clear()
    this.#processes.clear()
  }

  async #askSlow(processes: readonly ServiceProcess[]): Promise<void> {
    await this.#inventory.look()
    this.#arrange()
    this.#keepProcesses(processes)
    await Promise.all([
      this.#near.ask(),
      this.#far.ask(),
      this.#space.look(),
      this.#diskFacts.look(),
      this.#askOldestShare(),
    ])
  }

  /** The slow files are those of the inventory. */
  #arrange(): void {
    const inventory = this.#inventory.value
    if (inventory === this.#arranged) return
    this.#arranged = inventory
    const fileAt = (path: string) => {
      const file = this.#slow.get(path) ?? new SlowFile(this.#path(path), this.#nowMs)
      this.#slow.set(path, file)
      return file
    }
    const { sensors, clocks } = inventory
    const near = [
      ...sensors.filter(({ isOnProcessor }) => isOnProcessor).map(({ path }) => path),
      ...clocks.map(({ path }) => path),
      ...throttlingPaths(inventory),
    ]
    const far = sensors.filter(({ isOnProcessor }) => !isOnProcessor).map(({ path }) => path)
    for (const path of this.#slow.keys()) if (!near.includes(path) && !far.includes(path)) this.#slow.delete(path)
    this.#near.replace(near.map(fileAt))
    this.#far.replace(far.map(fileAt))
  }

  #cores(stat: ReadonlyMap<string, Ticks>): SystemReading['cpu']['cores'] {
    const { clocks } = this.#arranged
    const groupOf = new Map(clocks.flatMap((group) => group.cores.map((core) => [core, group] as const)))
    const highest = Math.max(-1, ...[...stat.keys(), ...groupOf.keys()].map((name) => Number(name.slice(3) || -1)))
    return Array.from({ length: Math.min(highest + 1, 256) }, (_, n) => {
      const group = groupOf.get(`cpu${n}`)
      const kilohertz = group ? numberIn(this.#slowText(group.path)) : null
      return {
        ticks: stat.get(`cpu${n}`) ?? null,
        frequency_mhz: kilohertz === null || kilohertz < 0 ? null : Math.round(kilohertz / 1_000),
        max_frequency_mhz: group?.max_mhz ?? null,
      }
    })
  }

  #keepProcesses(processes: readonly ServiceProcess[]): void {
    const pids = new Set(processes.map(({ pid }) => pid))
    for (const [pid, held] of this.#processes) {
      if (pids.has(pid)) continue
      held.close()
      this.#processes.delete(pid)
    }
    for (const pid of pids)
      if (!this.#processes.has(pid)) this.#processes.set(pid, new HeldProcess(this.#path(`/proc/${pid}`), this.#nowMs))
  }

  /** One process with each reading, so that they do not come all at once. */
  async #askOldestShare(): Promise<void> {
    const [oldest] = [...this.#processes.values()].toSorted((one, other) => one.askedMs - other.askedMs)
    await oldest?.askShare()
  }

  #process(each: ServiceProcess): ProcessReading {
    const held = this.#processes.get(each.pid)
    return {
      ...each,
      cpu_ms: cpuMsOf(held?.stat.text() ?? null),
      pss_bytes: proportionalBytesOf(held?.share ?? null),
      rss_bytes: residentBytesOf(held?.status.text() ?? null),
    }
  }

  #textOf(path: string): string | null {
    const file = this.#held.get(path) ?? new HeldFile(this.#path(path))
    this.#held.set(path, file)
    return file.text()
  }

  #slowText(path: string): string | null {
    return this.#slow.get(path)?.text ?? null
  }

  #path(path: string): string {
    return join(this.#parts.root ?? '/', path)
  }
}

/** The files of one process. */
class HeldProcess {
  readonly stat: HeldFile
  readonly status: HeldFile
  readonly #nowMs: () => number
  readonly #file: SlowFile
  #askedMs = Number.NEGATIVE_INFINITY

  constructor(folder: string, nowMs: () => number) {
    this.stat = new HeldFile(join(folder, 'stat'))
    this.status = new HeldFile(join(folder, 'status'))
    this.#file = new SlowFile(join(folder, 'smaps_rollup'), nowMs)
    this.#nowMs = nowMs
  }

  /** When its share of memory was looked up last. */
  get askedMs(): number {
    return this.#askedMs
  }

  get share(): string | null {
    return this.#file.text
  }

  async askShare(): Promise<void> {
    if (this.#nowMs() - this.#askedMs < SHARES_EVERY_MS) return
    this.#askedMs = this.#nowMs()
    await this.#file.ask()
  }

  close(): void {
    this.stat.close()
    this.status.close()
    this.#file.close()
  }
}

const spaceOf = async (folder: string): Promise<Pick<SystemMetrics['disk'], 'total_bytes' | 'free_bytes'>> => {
  try {
    const { bsize, blocks, bavail } = await statfs(folder)
    return { total_bytes: blocks * bsize, free_bytes: bavail * bsize }
  } catch {
    return { total_bytes: null, free_bytes: null }
  }
}

/** Waits for a program that never fails, but not for long. */
const withinMs = async (limitMs: number, program: Promise<void>): Promise<void> => {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs)
  })
  await Promise.race([program, limit])
  clearTimeout(timer)
}
