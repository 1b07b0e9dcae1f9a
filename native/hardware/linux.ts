// The condition of a Linux device: /proc for processor and memory, /sys for temperatures, the file system for the disk.
import { readdir, readFile, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Hardware } from '../../machines/extcam/snapshot.ts'
import type { HardwarePort } from './port.ts'

const EVERY_MS = 2_000 // half a millisecond of work each time
const STALE_MS = 10_000 // a reading that hangs, on a dying card say, leaves nothing to be told
const MEGABYTE = 1e6

/** The zones that sit on the processor; others measure batteries, radios, or nothing at all. */
const ON_THE_PROCESSOR = /cpu|soc|core|pkg/i

/** Where to read. */
export interface LinuxHardwareParts {
  /** A folder on the file system whose space counts. */
  readonly disk: string
  readonly proc?: string
  readonly sys?: string
  /** A monotonic clock. */
  readonly nowMs?: () => number
}

export class LinuxHardware implements HardwarePort {
  readonly #disk: string
  readonly #proc: string
  readonly #sys: string
  readonly #nowMs: () => number
  #zones: Promise<readonly string[]> | undefined
  #ticks: Ticks | undefined
  #latest: Hardware | undefined
  #askedMs = Number.NEGATIVE_INFINITY
  #readMs = Number.NEGATIVE_INFINITY
  #reading: Promise<void> | undefined

  constructor({ disk, proc = '/proc', sys = '/sys', nowMs = () => performance.now() }: LinuxHardwareParts) {
    this.#disk = disk
    this.#proc = proc
    this.#sys = sys
    this.#nowMs = nowMs
  }

  readonly latest = (): Hardware | undefined => {
    const nowMs = this.#nowMs()
    if (nowMs - this.#askedMs >= EVERY_MS && !this.#reading) {
      this.#askedMs = nowMs
      this.#reading = this.#read().finally(() => {
        this.#reading = undefined
      })
    }
    return nowMs - this.#readMs < STALE_MS ? this.#latest : undefined
  }

  /** When the reading under way, if there is one, has ended. */
  readonly settled = (): Promise<void> => this.#reading ?? Promise.resolve()

  async #read(): Promise<void> {
    const [temp, cpu, ram, disk] = await Promise.all([
      known(this.#temperature()),
      known(this.#processor()),
      known(this.#memory()),
      known(this.#space()),
    ])
    this.#latest = { ...temp, ...cpu, ...ram, ...disk }
    this.#readMs = this.#nowMs()
  }

  /** The hottest place on the processor. */
  async #temperature(): Promise<Partial<Hardware>> {
    this.#zones ??= zonesOf(join(this.#sys, 'class/thermal'))
    const files = await this.#zones
    const readings = await Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => '')))
    const degrees = readings.filter((text) => /^-?\d+\s*$/.test(text)).map((text) => Number(text) / 1000)
    return degrees.length > 0 ? { temp: Math.max(...degrees) } : {}
  }

  /** Since the last reading; nothing after the first. */
  async #processor(): Promise<Partial<Hardware>> {
    const before = this.#ticks
    const ticks = ticksOf(await readFile(join(this.#proc, 'stat'), 'utf8'))
    this.#ticks = ticks
    if (!before || ticks.all <= before.all) return {}
    return { cpu: (100 * (ticks.busy - before.busy)) / (ticks.all - before.all) }
  }

  async #memory(): Promise<Partial<Hardware>> {
    const text = await readFile(join(this.#proc, 'meminfo'), 'utf8')
    const kilobytes = (name: string) => Number(new RegExp(`^${name}: +(\\d+) kB$`, 'm').exec(text)?.[1])
    const ram = 100 * (1 - kilobytes('MemAvailable') / kilobytes('MemTotal'))
    return Number.isFinite(ram) ? { ram } : {}
  }

  async #space(): Promise<Partial<Hardware>> {
    const { bsize, blocks, bavail } = await statfs(this.#disk)
    return { dfree: (bavail * bsize) / MEGABYTE, dtot: (blocks * bsize) / MEGABYTE }
  }
}

/** Of the processor since the start. */
interface Ticks {
  readonly busy: number
  readonly all: number
}

/** user nice system idle iowait irq softirq steal; what follows is part of user and nice. */
const ticksOf = (stat: string): Ticks => {
  const ticks = (/^cpu +(.*)$/m.exec(stat)?.[1] ?? '').split(' ').slice(0, 8).map(Number)
  const all = ticks.reduce((sum, each) => sum + each, 0)
  return { busy: all - (ticks[3] ?? 0) - (ticks[4] ?? 0), all }
}

const zonesOf = async (folder: string): Promise<readonly string[]> => {
  const zones = (await readdir(folder)).filter((name) => name.startsWith('thermal_zone'))
  const types = await Promise.all(zones.map((zone) => readFile(join(folder, zone, 'type'), 'utf8').catch(() => '')))
  return zones.filter((_, n) => ON_THE_PROCESSOR.test(types[n] as string)).map((zone) => join(folder, zone, 'temp'))
}

/** What cannot be read is left out. */
const known = (part: Promise<Partial<Hardware>>): Promise<Partial<Hardware>> => part.catch(() => ({}))
