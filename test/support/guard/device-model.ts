// A device that a resource guard looks after, second by second: cores that get hot and are slowed down, streams that
// take longer the less the cores have left, memory, a disk. What it tells is as late and as rough as on a real one: the
// heat of a sink, averages over ten seconds that move every two, sensors with steps.
import { NO_LIMIT, type StreamLimit } from '../../../machines/guard/levels.ts'
import type { DeviceReading, StreamReading } from '../../../machines/guard/reading.ts'
import type { Random } from './random.ts'

/** A stream of the model. */
export interface ModelStream {
  readonly id: string
  priority: number
  readonly is_published: boolean
  readonly fps: number
  /** What a picture takes of one core, ms. */
  readonly work_ms: number
  viewers: number
  is_recorded: boolean
}

/** What befalls the device for a while. */
export interface Trouble {
  readonly what: 'heat' | 'leak' | 'cameras' | 'slow-disk' | 'busy'
  readonly from_s: number
  readonly to_s: number
  readonly strength: number
}

const PICTURE_MS = [null, 640, 320].map((width) => ({ width, ms: width === null ? 3 : width === 640 ? 1.2 : 0.5 }))
const SLOWED_TO = 0.6
const MB_OF_STREAM = 90
const MB_OF_SYSTEM = 350
const PSI_S = 10
const PSI_STEP_S = 2

/** A device, at its start. */
export class DeviceModel {
  readonly streams: ModelStream[]
  readonly #random: Random
  readonly #cores: number
  readonly #memoryMb: number
  readonly #ambient: number
  /** Above ambient when all cores compute. */
  readonly #heatOfAll: number
  readonly #tau_s: number
  readonly #slowAt: number
  readonly #tellsPressure: boolean
  #celsius: number
  #leakMb = 0
  #psi = { cpu: 0, some: 0, full: 0, io: 0 }
  #isThrottled = false
  #slowness = 1
  #second = 0

  constructor(random: Random) {
    this.#random = random
    this.#cores = random.pick([2, 4, 4, 8])
    this.#ambient = random.between(18, 32)
    this.#tau_s = random.between(50, 150)
    this.#slowAt = random.pick([80, 85])
    // so that half of what it can do leaves it cool enough
    this.#heatOfAll = random.between(35, 70)
    this.#tellsPressure = random.happens(0.8)
    this.streams = []
    const count = random.whole(1, this.#cores)
    this.#memoryMb = random.pick(
      [1_000, 2_000, 4_000, 8_000].filter((mb) => 0.8 * mb > MB_OF_SYSTEM + MB_OF_STREAM * count),
    )
    const share = (0.5 * this.#cores) / count
    for (let n = 0; n < count; n++) this.streams.push(this.#stream(`camera-${n}`, share))
    this.#celsius = this.#ambient + 0.3 * this.#heatOfAll
  }

  /** One second with these limits. Returns whether the device was slowed down in it. */
  live(limits: ReadonlyMap<string, StreamLimit>, troubles: readonly Trouble[]): boolean {
    const strengthOf = (what: Trouble['what']) =>
      troubles.filter((each) => each.what === what).reduce((sum, { strength }) => sum + strength, 0)
    this.#second += 1
    let demand = strengthOf('busy') * this.#cores
    let running = 0
    let isWriting = false
    for (const stream of this.streams) {
      const limit = limits.get(stream.id) ?? NO_LIMIT
      if (limit.stops_recording) stream.is_recorded = false
      if (limit.is_paused) continue
      running += 1
      isWriting ||= stream.is_recorded
      demand += (stream.fps / (limit.skip + 1)) * (stream.work_ms / 1000)
      const pictureMs = PICTURE_MS.find(({ width }) => width === limit.preview_width_px)?.ms ?? 3
      const pictures = stream.viewers > 0 ? Math.min(stream.fps, limit.preview_fps ?? stream.fps) : 0
      demand += (pictures * pictureMs) / 1000
    }
    const capacity = this.#cores * (this.#isThrottled ? SLOWED_TO : 1)
    const use = (demand / capacity) * this.#random.between(0.95, 1.05)
    const ambient = this.#ambient + strengthOf('heat')
    const target = ambient + this.#heatOfAll * Math.min(1, use) * (this.#isThrottled ? SLOWED_TO : 1)
    this.#celsius += (target - this.#celsius) / this.#tau_s
    this.#isThrottled = this.#celsius > this.#slowAt + (this.#isThrottled ? -2 : 0)
    this.#slowness = use < 0.98 ? Math.min(7, 1 + 0.4 * (use / (1 - use)) ** 1.2) : 7 + 3 * Math.min(3, use)

    this.#leakMb = strengthOf('leak') > 0 ? this.#leakMb + strengthOf('leak') : 0
    if (this.#freeMb(running) < 0.01 * this.#memoryMb) this.#leakMb = 0 // the kernel ends what leaks
    const left = (100 * this.#freeMb(running)) / this.#memoryMb
    const now = {
      cpu: use < 0.7 ? 6 * use : use < 1 ? 4 + 180 * (use - 0.7) : 60 + 35 * Math.min(1, use - 1),
      some: Math.max(0, 8 - left) * 8,
      full: Math.max(0, 4 - left) * 8,
      io: strengthOf('slow-disk') > 0 ? (isWriting ? strengthOf('slow-disk') : this.#random.between(0, 6)) : 0,
    }
    if (this.#second % PSI_STEP_S === 0) {
      const kept = Math.exp(-PSI_STEP_S / PSI_S)
      const moved = (before: number, to: number) => before * kept + Math.min(100, to) * (1 - kept)
      this.#psi = {
        cpu: moved(this.#psi.cpu, now.cpu),
        some: moved(this.#psi.some, now.some),
        full: moved(this.#psi.full, now.full),
        io: moved(this.#psi.io, now.io),
      }
    }
    return this.#isThrottled
  }

  /** What it tells of itself. */
  device(limits: ReadonlyMap<string, StreamLimit>): DeviceReading {
    const running = this.streams.filter(({ id }) => !limits.get(id)?.is_paused).length
    const { cpu, some, full, io } = this.#psi
    const pressure = (value: number) => (this.#tellsPressure ? value : null)
    return {
      celsius: Math.round(2 * (this.#celsius + this.#random.between(-0.4, 0.4))) / 2,
      limit_celsius: this.#slowAt,
      is_throttled: this.#isThrottled,
      cpu_pressure: pressure(cpu),
      cpu_load: Math.min(100, 100 * Math.min(1, this.#slowness >= 7 ? 1 : (this.#slowness - 1) / 4 + 0.2)),
      memory_some: pressure(some),
      memory_full: pressure(full),
      memory_available: (100 * this.#freeMb(running)) / this.#memoryMb,
      io_full: pressure(io),
      disk_free: 40,
    }
  }

  /** What is known of its streams. */
  readings(limits: ReadonlyMap<string, StreamLimit>): readonly StreamReading[] {
    return this.streams.map((stream) => {
      const isPaused = limits.get(stream.id)?.is_paused === true
      const us = 1_000 * stream.work_ms
      const p10 = us * this.#random.between(1, 1.1) * Math.sqrt(Math.max(1, this.#slowness / 3))
      return {
        id: stream.id,
        priority: stream.priority,
        is_published: stream.is_published,
        runs: true,
        is_live: !isPaused,
        fps: stream.fps,
        latency_us: isPaused ? null : { p10, p90: Math.max(p10, us * this.#slowness * this.#random.between(0.9, 1.1)) },
        is_watched: stream.viewers > 0,
        is_recorded: stream.is_recorded && !isPaused,
      }
    })
  }

  /** So many more cameras are plugged in. */
  plugIn(count: number): void {
    for (let n = 0; n < count; n++) this.streams.push(this.#stream(`plugged-${n}`, 0.3 * this.#cores))
  }

  /** They are taken away again. */
  unplug(): void {
    const stays = this.streams.filter(({ id }) => !id.startsWith('plugged-'))
    this.streams.splice(0, this.streams.length, ...stays)
  }

  #freeMb(running: number): number {
    return Math.max(0, this.#memoryMb - MB_OF_SYSTEM - MB_OF_STREAM * running - this.#leakMb)
  }

  /** cores: what it may take, with a viewer. */
  #stream(id: string, cores: number): ModelStream {
    const random = this.#random
    const fps = random.pick([15, 30, 30, 30, 50, 60, 90])
    const most_ms = (1_000 * cores) / fps - 3
    return {
      id,
      priority: random.happens(0.7) ? 5 : random.whole(1, 10),
      is_published: random.happens(0.8),
      fps,
      work_ms: Math.max(1, Math.min(25, most_ms) * random.between(0.4, 1)),
      viewers: random.whole(0, 2),
      is_recorded: random.happens(0.3),
    }
  }
}
