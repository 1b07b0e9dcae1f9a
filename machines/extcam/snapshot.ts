// One stream through the vendor's eyes: every read key of its table, as of the newest frame. Its arrays are reused frame after frame.
import { header, type Result } from '../engine/result.ts'
import { BOTPOSE_HEAD, Botpose, viewsOf } from './botpose.ts'
import { Fiducials, RAW_STRIDE, TAG, TAG_STRIDE } from './fiducials.ts'
import { writeQuadShape } from './quad.ts'
import { type Installation, SceneCache } from './scene.ts'

/** The moment of publishing in every clock the vendor tells. ntUs: server time, 0 without a server. uptimeUs: since the service started. */
export interface Moment {
  readonly monotonicUs: number
  readonly unixMs: number
  readonly ntUs: number
  readonly uptimeUs: number
}

/** What the device says of itself, as far as it knows. temp: °C. cpu, ram: percent. dfree, dtot: free and all of the disk, MB. */
export interface Hardware {
  readonly temp?: number
  readonly cpu?: number
  readonly ram?: number
  readonly dfree?: number
  readonly dtot?: number
}

const HEARTBEAT_END = 2_000_000_000
const empty = new Float64Array(0)

/**
 * The values of the read keys, under the vendor's names and in the vendor's units, with the vendor's values for "no target".
 *
 * `read` a frame, `stamp` it when it is published. The primary target is the first row of `fiducials`.
 */
export class Snapshot {
  tv = 0
  tx = 0
  ty = 0
  txnc = 0
  tync = 0
  ta = 0
  tl = 0
  cl = 0
  tid = -1
  hb = 0
  readonly t2d = new Float64Array(17)
  readonly targetpose_cameraspace = new Float64Array(6)
  readonly targetpose_robotspace = new Float64Array(6)
  readonly camerapose_targetspace = new Float64Array(6)
  camerapose_robotspace: Float64Array = new Float64Array(6)
  /** The heading-constrained solver has no heading yet, so it never has a solution. */
  readonly botpose_orb_wpiblue = new Float64Array(BOTPOSE_HEAD)
  readonly botpose_orb_wpired = new Float64Array(BOTPOSE_HEAD)
  rawfiducials: Float64Array = empty
  readonly rawdetections = empty
  readonly rawtargets = empty
  /** Pixels, clockwise from the primary tag's own top left. */
  tcornxy: Float64Array = empty
  readonly getpipe = 0
  readonly getpipetype = 'pipe_fiducial'

  readonly fiducials = new Fiducials()
  /** The engine's number of the frame. */
  frameIndex = 0
  moment: Moment = { monotonicUs: 0, unixMs: 0, ntUs: 0, uptimeUs: 0 }
  /** undefined: nothing is known, and the document says nothing of it. */
  hardware: Hardware | undefined

  readonly #botpose = new Botpose()
  readonly #scenes = new SceneCache()
  readonly #raw = viewsOf(0, RAW_STRIDE)
  readonly #corners = new Float64Array(8)
  /** undefined: no frame to time. */
  #startedUs: number | undefined
  #captureMs = 0

  get botpose(): Float64Array {
    return this.#botpose.centre
  }

  get botpose_wpiblue(): Float64Array {
    return this.#botpose.blue
  }

  get botpose_wpired(): Float64Array {
    return this.#botpose.red
  }

  get stddevs(): Float64Array {
    return this.#botpose.stddevs
  }

  /** Counts the frame that is about to be published, and those that were left out for it. */
  countFrames(frames: number): void {
    this.hb = (this.hb + frames) % HEARTBEAT_END
  }

  /** No target: what a camera says that runs and sees nothing. */
  clear(installation: Installation): void {
    this.camerapose_robotspace = this.#scenes.get(installation, 1, 1).mountAsVendor
    this.#startedUs = undefined
    this.#captureMs = 0
    this.fiducials.clear()
    this.#botpose.clear()
    this.#writeTargeting()
  }

  /** Takes in a frame. */
  read(result: Result, installation: Installation): void {
    const scene = this.#scenes.get(installation, header(result, 'width_px'), header(result, 'height_px'))
    this.camerapose_robotspace = scene.mountAsVendor
    this.frameIndex = header(result, 'seq')
    this.#startedUs = header(result, 'started_us')
    this.#captureMs = latencyMs(header(result, 'captured_us'), this.#startedUs)
    this.fiducials.read(result, scene)
    this.#botpose.read(result, scene, this.fiducials)
    this.#writeTargeting()
  }

  /** The frame that was read is published at this moment: fixes its latencies, in ms. */
  stamp(moment: Moment): void {
    this.moment = moment
    this.tl = this.#startedUs === undefined ? 0 : latencyMs(this.#startedUs, moment.monotonicUs)
    this.cl = this.#captureMs
    this.t2d[2] = this.tl
    this.t2d[3] = this.cl
    this.#botpose.stamp(this.tl + this.cl)
  }

  #writeTargeting(): void {
    const { rows, count } = this.fiducials
    const primary = (field: number) => (count > 0 ? (rows[field] as number) : 0)
    this.tv = count > 0 ? 1 : 0
    this.tx = primary(TAG.tx)
    this.ty = primary(TAG.ty)
    this.txnc = primary(TAG.txnc)
    this.tync = primary(TAG.tync)
    this.ta = primary(TAG.area) * 100
    this.tid = count > 0 ? primary(TAG.id) : -1
    for (let i = 0; i < 6; i++) {
      this.targetpose_cameraspace[i] = primary(TAG.t6t_cs + i)
      this.targetpose_robotspace[i] = primary(TAG.t6t_rs + i)
      this.camerapose_targetspace[i] = primary(TAG.t6c_ts + i)
    }
    for (let i = 0; i < 8; i++) this.#corners[i] = primary(TAG.corners + i)
    this.tcornxy = count > 0 ? this.#corners : empty
    this.rawfiducials = this.#raw(count)
    for (let n = 0; n < count; n++) {
      for (let i = 0; i < RAW_STRIDE; i++) this.rawfiducials[n * RAW_STRIDE + i] = rows[n * TAG_STRIDE + i] as number
    }
    this.#writeT2d()
  }

  /** All but the latencies, which `stamp` writes, and the two class indices, which tags do not have. */
  #writeT2d(): void {
    const { t2d } = this
    t2d[0] = this.tv
    t2d[1] = this.fiducials.count
    t2d[4] = this.tx
    t2d[5] = this.ty
    t2d[6] = this.txnc
    t2d[7] = this.tync
    t2d[8] = this.ta
    t2d[9] = this.tid
    if (this.tv === 1) writeQuadShape(this.#corners, 0, t2d, 12)
    else t2d.fill(0, 12)
  }
}

/** What took no time, or an impossible one, took none. */
const latencyMs = (fromUs: number, toUs: number): number => {
  const ms = (toUs - fromUs) / 1000
  return ms > 0 && ms < Number.POSITIVE_INFINITY ? ms : 0
}
