// One stream through the vendor's eyes: every read key of its table, as of the newest frame. Its arrays are reused
// frame after frame.
import type { Result } from '../engine/result.ts'
import { BOTPOSE_HEAD } from './botpose.ts'
import { TAG_STRIDE } from './fiducials.ts'
import { FIND, FIND_STRIDE, type FindKind } from './finds.ts'
import type { ImuFigures } from './imu.ts'
import type { Installation } from './installation.ts'
import { PIPELINE_TYPES } from './pipeline-type.ts'
import { latencyMs, TABLE_FRAME, TableFrames, textsFrom } from './table-frame.ts'
import { TableFrameReader } from './table-frame-reader.ts'

/** The times of publishing in every clock the vendor tells. */
export interface FrameTimes {
  readonly monotonicUs: number
  readonly unixMs: number
  /** Server time, 0 without a server. */
  readonly ntUs: number
  /** Since the service started. */
  readonly uptimeUs: number
}

/**
 * A figure as every key and document of the vendor has it: what the device does not know of itself is 0. Its clients
 * read lists by their places, take no other sort of value for a number, and miss no field that is missing.
 */
export const knownOrZero = (figure: number | undefined): number =>
  figure !== undefined && Number.isFinite(figure) ? figure : 0

/** What the device says of itself, as far as it knows. */
export interface Hardware {
  /** °C. */
  readonly temp?: number
  /** Percent. */
  readonly cpu?: number
  /** Percent. */
  readonly ram?: number
  /** Free and all of the disk, MB. */
  readonly dfree?: number
  /** Free and all of the disk, MB. */
  readonly dtot?: number
}

/** What a stream keeps of its last pictures, under the vendor's names. */
export interface RewindFigures {
  /** 1 or 0, whether more are kept, and whether a recording takes them. */
  readonly enabled: 0 | 1
  readonly storedSeconds: number
  readonly frameCount: number
  /** 0 to 1. */
  readonly bufferUsage: number
  /** 1 or 0, whether more are kept, and whether a recording takes them. */
  readonly flushing: 0 | 1
  /** Μs that it costs a frame; 0: not known. */
  readonly latpen: number
}

/** What a snapshot asks for as often as it needs it. */
export interface Surroundings {
  /** The number of the one that gave a frame which was begun then, CLOCK_MONOTONIC; -1: no frame. */
  readonly pipeline: (startedUs: number) => number
  /** Undefined: not known now. */
  readonly hardware: () => Hardware | undefined
}

const HEARTBEAT_END = 2_000_000_000
const FPS_WINDOW_US = 1_000_000

/**
 * The values of the read keys, under the vendor's names and in the vendor's units, with the vendor's values for "no
 * target".
 *
 * `take` what a frame brought, `stamp` it when it is published. The primary target, if there is one (`tv`), is the
 * first row of `fiducials`, or of what else a pipeline of that type finds.
 */
export class Snapshot extends TableFrameReader {
  hb = 0
  getpipe: number
  tl = 0
  cl = 0
  /** The crosshair is the centre of the picture, and there is one: x and y from -1 to 1, twice. */
  readonly crosshairs = new Float64Array(4)
  /** °C, percent, percent, frames per second, 0 where it is not known; made again once a second. */
  hw = new Float64Array(4)
  times: FrameTimes = { monotonicUs: 0, unixMs: 0, ntUs: 0, uptimeUs: 0 }
  /** undefined: nothing is known. */
  hardware: Hardware | undefined

  /** undefined: nothing is kept. */
  rewind: RewindFigures | undefined

  /** undefined: there is no IMU, or it says nothing now. */
  inertial: ImuFigures | undefined

  #sightings: TableFrames | undefined
  readonly #surroundings: Surroundings
  #windowUs = Number.NaN
  #windowHb = 0

  constructor(surroundings: Surroundings = { pipeline: () => 0, hardware: () => undefined }) {
    super()
    this.#surroundings = surroundings
    this.getpipe = surroundings.pipeline(-1)
  }

  get tv(): number {
    return this.#at(TABLE_FRAME.targets) > 0 ? 1 : 0
  }

  /** Of the newest frame; before the first one as for tags. */
  get getpipetype(): string {
    return PIPELINE_TYPES[this.#at(TABLE_FRAME.type)] as string
  }

  /** Ten numbers; empty: no IMU says anything. */
  get imu(): Float64Array {
    return this.inertial?.data ?? NOTHING
  }

  /** The name of the primary target's class; empty: it has none. */
  get tclass(): string {
    if (this.getpipetype === 'pipe_neuraldetector') return this.tdclass
    return this.getpipetype === 'pipe_neuralclassifier' ? this.tcclass : ''
  }

  /** The name of the class of the first object. */
  get tdclass(): string {
    return this.#textOfFirst('Detector')
  }

  /** The name of the class of the picture. */
  get tcclass(): string {
    return this.#textOfFirst('Classifier')
  }

  /** How sharp the picture is; 0 where that is not measured. */
  get sharpness(): number {
    return this.#at(TABLE_FRAME.focus)
  }

  /** rows: as in machines/extcam/finds.ts. */
  finds(kind: FindKind): { readonly count: number; readonly rows: Float64Array } {
    const rows = this.arrays[kind]
    return { count: rows.length / FIND_STRIDE, rows }
  }

  /** The text of the find whose row begins there. */
  findText(rows: Float64Array, row: number): string {
    const from = textsFrom(this.arrays) + (rows[row + FIND.textAt] as number)
    return new TextDecoder().decode(new Uint8Array(this.numbers.buffer, from, rows[row + FIND.textBytes] as number))
  }

  /** rows: as in machines/extcam/fiducials.ts. */
  get fiducials(): { readonly count: number; readonly rows: Float64Array } {
    const rows = this.arrays.fiducials
    return { count: rows.length / TAG_STRIDE, rows }
  }

  /** The engine's number of the frame. */
  get frameIndex(): number {
    return this.#at(TABLE_FRAME.seq)
  }

  /** The number of the pipeline that runs now, whichever gave the frame. */
  get runningPipeline(): number {
    return this.#surroundings.pipeline(-1)
  }

  /** Counts the frame that is about to be published, and those that were left out for it. */
  countFrames(frames: number): void {
    this.hb = (this.hb + frames) % HEARTBEAT_END
  }

  /** No target: what a camera says that runs and sees nothing. The frames go on being counted. */
  clear(installation: Installation): void {
    const seq = this.#at(TABLE_FRAME.seq)
    const type = this.#at(TABLE_FRAME.type)
    this.take(this.#own().ofNothing(installation))
    this.numbers[TABLE_FRAME.seq] = seq
    this.numbers[TABLE_FRAME.type] = type
  }

  /** What the same camera says at the same times when it sees nothing. */
  ofNothing(): Snapshot {
    const nothing = new Snapshot(this.#surroundings)
    nothing.numbers[TABLE_FRAME.type] = this.#at(TABLE_FRAME.type)
    nothing.stamp(this.times)
    return nothing
  }

  /** Takes in a frame of which the engine has made nothing. */
  read(result: Result, installation: Installation): void {
    this.take(this.#own().of(result, installation))
  }

  /**
   * Which pipeline gave the frame may be known only after it has come: the answer to an opening is slower than a
   * picture.
   */
  lookAtPipeline(): void {
    this.getpipe = this.#surroundings.pipeline(this.#at(TABLE_FRAME.startedUs))
  }

  /** The frame that was read is published at these times: fixes its latencies, in ms. */
  stamp(times: FrameTimes): void {
    const startedUs = this.#at(TABLE_FRAME.startedUs)
    const { t2d } = this.arrays
    this.lookAtPipeline()
    this.times = times
    if (!(times.monotonicUs - this.#windowUs < FPS_WINDOW_US)) this.#lookAround(times.monotonicUs)
    this.tl = startedUs < 0 ? 0 : latencyMs(startedUs, times.monotonicUs)
    this.cl = this.#at(TABLE_FRAME.captureMs)
    t2d[2] = this.tl
    t2d[3] = this.cl
    for (const key of BOTPOSES) {
      const botpose = this.arrays[key]
      if (botpose.length > BOTPOSE_HEAD) botpose[LATENCY] = this.tl + this.cl
    }
  }

  #lookAround(monotonicUs: number): void {
    const spanUs = monotonicUs - this.#windowUs // NaN the first time
    const frames = Math.max(0, this.hb - this.#windowHb) // it wraps around some day
    const fps = spanUs > 0 ? (frames * 1_000_000) / spanUs : 0
    const { temp, cpu, ram } = this.#surroundings.hardware() ?? {}
    this.hw = Float64Array.from([temp, cpu, ram, fps], knownOrZero)
    this.#windowUs = monotonicUs
    this.#windowHb = this.hb
  }

  #textOfFirst(kind: FindKind): string {
    const rows = this.arrays[kind]
    return rows.length > 0 ? this.findText(rows, 0) : ''
  }

  #at(index: number): number {
    return this.numbers[index] as number
  }

  #own(): TableFrames {
    this.#sightings ??= new TableFrames()
    return this.#sightings
  }
}

const NOTHING = new Float64Array(0)
const LATENCY = 6 // of a botpose
const BOTPOSES = [
  'botpose',
  'botpose_wpiblue',
  'botpose_wpired',
  'botpose_orb',
  'botpose_orb_wpiblue',
  'botpose_orb_wpired',
] as const
