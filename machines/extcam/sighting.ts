// What one frame brings to its stream's table, computed and packed by the engine, so that the control process has only to stamp and to pass on.
import { header, type Result } from '../engine/result.ts'
import { BOTPOSE_HEAD, Botpose } from './botpose.ts'
import { Fiducials, MAX_TAGS, RAW_STRIDE, TAG, TAG_STRIDE } from './fiducials.ts'
import { type Installation, InstallationCache } from './installation.ts'
import { writeQuadShape } from './quad.ts'

/**
 * Where a packed sighting has its single numbers. tags: how many are in it. targets: how many there are for the robot to aim at; none while it waits for another
 * tag than those. tdist: m, to where it aims. fielded: how many of them the solver used. seq: the engine's number of the frame.
 * startedUs: CLOCK_MONOTONIC; -1: no frame to time. captureMs: from mid-exposure to that.
 */
export const SIGHTING = {
  tags: 0,
  fielded: 1,
  seq: 2,
  startedUs: 3,
  captureMs: 4,
  tx: 5,
  ty: 6,
  txnc: 7,
  tync: 8,
  ta: 9,
  tid: 10,
  targets: 11,
  tdist: 12,
} as const

const HEAD = 13

/** The arrays behind the single numbers, in their order, with how many numbers each has for so many tags. */
const arrays = (tags: number, fielded: number, hasCorners: boolean) =>
  ({
    t2d: 17,
    targetpose_cameraspace: 6,
    targetpose_robotspace: 6,
    camerapose_targetspace: 6,
    camerapose_robotspace: 6,
    stddevs: 12,
    tcornxy: hasCorners ? 8 : 0,
    botpose: BOTPOSE_HEAD + RAW_STRIDE * fielded,
    botpose_wpiblue: BOTPOSE_HEAD + RAW_STRIDE * fielded,
    botpose_wpired: BOTPOSE_HEAD + RAW_STRIDE * fielded,
    rawfiducials: RAW_STRIDE * tags,
    fiducials: TAG_STRIDE * tags,
  }) as const

type ArrayKey = keyof ReturnType<typeof arrays>

/** The arrays of a sighting; `fiducials` as in machines/extcam/fiducials.ts. */
export type SightingArrays = Readonly<Record<ArrayKey, Float64Array>>

/** How many numbers a sighting has at most. */
export const LONGEST_SIGHTING =
  HEAD + Object.values(arrays(MAX_TAGS, MAX_TAGS, true)).reduce((sum, length) => sum + length, 0)

/** The arrays of a sighting of so many tags, as views of the numbers that hold it. */
const arraysIn = (numbers: Float64Array, tags: number, fielded: number, hasCorners: boolean): SightingArrays => {
  let end = HEAD
  return Object.fromEntries(
    Object.entries(arrays(tags, fielded, hasCorners)).map(([key, length]) => {
      end += length
      return [key, numbers.subarray(end - length, end)]
    }),
  ) as SightingArrays
}

/** Views of one buffer for each number of tags that ever came: a frame makes none. */
export class SightingViews {
  readonly #numbers: Float64Array
  readonly #known: SightingArrays[] = []

  constructor(numbers: Float64Array) {
    this.#numbers = numbers
  }

  /** Of what the single numbers say. */
  get(): SightingArrays {
    const tags = this.#numbers[SIGHTING.tags] as number
    const fielded = this.#numbers[SIGHTING.fielded] as number
    const hasCorners = (this.#numbers[SIGHTING.targets] as number) > 0
    const key = (tags * (MAX_TAGS + 1) + fielded) * 2 + (hasCorners ? 1 : 0)
    this.#known[key] ??= arraysIn(this.#numbers, tags, fielded, hasCorners)
    return this.#known[key]
  }
}

/** Makes the sightings of one stream, in one buffer. */
export class Sightings {
  readonly #numbers = new Float64Array(LONGEST_SIGHTING)
  readonly #views = new SightingViews(this.#numbers)
  readonly #installations = new InstallationCache()
  readonly #fiducials = new Fiducials()
  readonly #botpose = new Botpose()

  /** The sighting of a frame. It is good until the next one is made. */
  of(result: Result, installation: Installation): Float64Array {
    const sized = this.#installations.get(installation, header(result, 'width_px'), header(result, 'height_px'))
    this.#fiducials.read(result, sized, installation.live)
    this.#botpose.read(result, sized, this.#fiducials)
    const startedUs = header(result, 'started_us')
    this.#numbers[SIGHTING.seq] = header(result, 'seq')
    this.#numbers[SIGHTING.startedUs] = startedUs
    this.#numbers[SIGHTING.captureMs] = latencyMs(header(result, 'captured_us'), startedUs)
    return this.#pack(sized.mountAsVendor)
  }

  /** What a camera shows that runs and sees nothing. */
  ofNothing(installation: Installation): Float64Array {
    this.#fiducials.clear()
    this.#botpose.clear()
    this.#numbers[SIGHTING.seq] = 0
    this.#numbers[SIGHTING.startedUs] = -1
    this.#numbers[SIGHTING.captureMs] = 0
    return this.#pack(this.#installations.get(installation, 1, 1).mountAsVendor)
  }

  #pack(mount: Float64Array): Float64Array {
    const { rows, count, fielded, hasPrimary } = this.#fiducials
    const numbers = this.#numbers
    const solved = this.#botpose.centre.length > BOTPOSE_HEAD ? fielded : 0
    const primary = (field: number) => (hasPrimary ? (rows[field] as number) : 0)
    numbers[SIGHTING.tags] = count
    numbers[SIGHTING.fielded] = solved
    numbers[SIGHTING.tx] = primary(TAG.tx)
    numbers[SIGHTING.ty] = primary(TAG.ty)
    numbers[SIGHTING.txnc] = primary(TAG.txnc)
    numbers[SIGHTING.tync] = primary(TAG.tync)
    numbers[SIGHTING.ta] = primary(TAG.area) * 100
    numbers[SIGHTING.tid] = hasPrimary ? primary(TAG.id) : -1
    numbers[SIGHTING.targets] = hasPrimary ? count : 0
    numbers[SIGHTING.tdist] = primary(TAG.aimDistance)
    const views = this.#views.get()
    for (let i = 0; i < 6; i++) {
      views.targetpose_cameraspace[i] = primary(TAG.t6t_cs + i)
      views.targetpose_robotspace[i] = primary(TAG.t6t_rs + i)
      views.camerapose_targetspace[i] = primary(TAG.t6c_ts + i)
    }
    views.camerapose_robotspace.set(mount)
    views.stddevs.set(this.#botpose.stddevs)
    for (let i = 0; i < views.tcornxy.length; i++) views.tcornxy[i] = primary(TAG.corners + i)
    views.botpose.set(this.#botpose.centre)
    views.botpose_wpiblue.set(this.#botpose.blue)
    views.botpose_wpired.set(this.#botpose.red)
    for (let n = 0; n < count; n++) {
      for (let i = 0; i < RAW_STRIDE; i++) views.rawfiducials[n * RAW_STRIDE + i] = rows[n * TAG_STRIDE + i] as number
    }
    for (let i = 0; i < views.fiducials.length; i++) views.fiducials[i] = rows[i] as number
    this.#writeT2d(views)
    return numbers.subarray(0, views.fiducials.byteOffset / 8 + views.fiducials.length)
  }

  /** All but the latencies, which are known when it is published, and the two class indices, which tags do not have. */
  #writeT2d({ t2d, tcornxy }: SightingArrays): void {
    const numbers = this.#numbers
    const targets = numbers[SIGHTING.targets] as number
    t2d.fill(0)
    t2d[0] = targets > 0 ? 1 : 0
    t2d[1] = targets
    for (let i = 0; i < 6; i++) t2d[4 + i] = numbers[SIGHTING.tx + i] as number // tx to tid
    if (t2d[0] === 1) writeQuadShape(tcornxy, 0, t2d, 12)
  }
}

/** What took no time, or an impossible one, took none. */
export const latencyMs = (fromUs: number, toUs: number): number => {
  const ms = (toUs - fromUs) / 1000
  return ms > 0 && ms < Number.POSITIVE_INFINITY ? ms : 0
}
