// Where something points, by what its gyroscope and its accelerometer say. Each sample turns it; fifty times in a
// second the forces say where up is, the less the more something else than gravity pulls; and what has to be corrected
// again and again is the bias of the gyroscope. A multiplicative extended Kalman filter (tilt-kalman.ts).
import { TiltKalman } from './tilt-kalman.ts'

const DEGREE = Math.PI / 180
const GRAVITY = 9.80665

/** So long samples are taken together: vibration averages out, and a robot hardly changes its mind. */
const BLOCK_S = 0.02
/** Over a longer gap nothing is integrated: it may have turned meanwhile. */
const MAX_STEP_S = 0.1
/** So long the forces are averaged before anything is said. */
const SETTLED_AFTER_S = 0.5

const TILT_AT_START = 10 * DEGREE // a robot that drives off as it is switched on
const UNKNOWN_BIAS = 1 * DEGREE // rad/s; what makers allow
const MEASURED_BIAS = 0.1 * DEGREE // what a measured one becomes as the chip warms up
/** A turn is not known better than this within a second, degrees; of turns, this share. */
const WALK = 0.03 * DEGREE
const SCALE_ERROR = 0.003
const BIAS_WALK = 0.003 * DEGREE // rad/s within a second
/** Forces of driving last about so long: what so many blocks say of them is one thing. */
const FORCES_LAST_S = 0.5
const DRIVING_FORCE = 0.4 // m/s², beside what is seen of it
const RESTING_FORCE = 0.05 // m/s²

const REST_TAU_S = 0.5
const REST_AFTER_S = 1.5
const REST_GYRO = 1 * DEGREE // rad/s off its average
const REST_ACCEL = 0.3 // m/s² off its average
const REST_BIAS = 0.1 * DEGREE // what turns while it seems to rest, rad/s
const MAX_BIAS = 2 * DEGREE // rad/s beyond what was measured; what turns faster does not rest
const MAX_SCALE_OF_FORCES = 0.05 // an accelerometer that is off by more is broken
/** A robot that sways does not change where up mostly is. */
const UP_TAU_S = 20
const MIN_FORCE = 1 // m/s²; in free fall there is no up

const at0 = (of: Float64Array): number => of[0] as number
const at1 = (of: Float64Array): number => of[1] as number
const at2 = (of: Float64Array): number => of[2] as number
const at3 = (of: Float64Array): number => of[3] as number

export class OrientationFilter {
  /** From the body to the world, w x y z: z is up, and x is where the body looked when up was first known. */
  readonly quat = Float64Array.of(1, 0, 0, 0)
  /** What is taken off its turns, rad/s. */
  readonly bias = new Float64Array(3)
  /** Whether up is known. */
  isSettled = false
  /** Whether it has held still for a moment. */
  isAtRest = false
  readonly #kalman = new TiltKalman()
  readonly #matrix = new Float64Array(9)
  /** The sample before this one: turns. */
  readonly #before = new Float64Array(3)
  #beforeUs = Number.NaN
  /** Sums of the block: forces in the world; turns and forces of the body; how long. */
  readonly #sums = new Float64Array(9)
  #blockS = 0
  readonly #means = new Float64Array(6)
  /** Where up mostly lies in the body. */
  readonly #up = Float64Array.of(0, 0, 1)
  #gravity = GRAVITY
  #sinceS = 0
  #restS = 0
  #hasHeading = false

  /** isMeasured: whether the samples come without a bias that was measured. */
  constructor(isMeasured: boolean) {
    this.#kalman.begin(TILT_AT_START, isMeasured ? MEASURED_BIAS : UNKNOWN_BIAS)
  }

  /** A sample: when, µs; turns, rad/s; forces, m/s². What is not newer than the last one is left out. */
  feed(atUs: number, gx: number, gy: number, gz: number, ax: number, ay: number, az: number): void {
    const stepS = (atUs - this.#beforeUs) / 1e6
    if (stepS <= 0) return
    const before = this.#before
    this.#beforeUs = atUs
    if (Number.isNaN(stepS) || stepS > MAX_STEP_S) this.#begin()
    else {
      // the mean of both samples is exact to the second order
      const half = stepS / 2
      this.#turn(
        half * ((gx + at0(before)) / 2 - at0(this.bias)),
        half * ((gy + at1(before)) / 2 - at1(this.bias)),
        half * ((gz + at2(before)) / 2 - at2(this.bias)),
      )
      this.#sum(stepS, gx, gy, gz, ax, ay, az)
      if (this.#blockS >= BLOCK_S) this.#endBlock()
    }
    before[0] = gx
    before[1] = gy
    before[2] = gz
  }

  /** After a gap it points where it did, as far as anybody knows, and where up is has to be found again. */
  #begin(): void {
    this.#kalman.loseTilt(TILT_AT_START)
    this.#sums.fill(0)
    this.#blockS = 0
    this.#means.fill(0)
    this.#sinceS = 0
    this.#restS = 0
    this.isSettled = false
    this.isAtRest = false
  }

  /** By half of these angles about the axes of the body, rad. */
  #turn(x: number, y: number, z: number): void {
    const q = this.quat
    const angle = Math.sqrt(x * x + y * y + z * z)
    const scale = angle < 1e-9 ? 1 : Math.sin(angle) / angle
    const [w0, x0, y0, z0] = [at0(q), at1(q), at2(q), at3(q)]
    const [c, sx, sy, sz] = [Math.cos(angle), scale * x, scale * y, scale * z]
    this.#set(
      w0 * c - x0 * sx - y0 * sy - z0 * sz,
      w0 * sx + x0 * c + y0 * sz - z0 * sy,
      w0 * sy - x0 * sz + y0 * c + z0 * sx,
      w0 * sz + x0 * sy - y0 * sx + z0 * c,
    )
  }

  /** By half of these angles about the axes of the world, small ones, rad. */
  #correct(x: number, y: number, z: number): void {
    const q = this.quat
    const [w0, x0, y0, z0] = [at0(q), at1(q), at2(q), at3(q)]
    this.#set(
      w0 - x * x0 - y * y0 - z * z0,
      x0 + x * w0 + y * z0 - z * y0,
      y0 - x * z0 + y * w0 + z * x0,
      z0 + x * y0 - y * x0 + z * w0,
    )
  }

  #set(w: number, x: number, y: number, z: number): void {
    const scale = 1 / Math.sqrt(w * w + x * x + y * y + z * z)
    this.quat[0] = w * scale
    this.quat[1] = x * scale
    this.quat[2] = y * scale
    this.quat[3] = z * scale
  }

  #sum(stepS: number, gx: number, gy: number, gz: number, ax: number, ay: number, az: number): void {
    const q = this.quat
    const [w, a, b, c] = [at0(q), at1(q), at2(q), at3(q)]
    const tx = 2 * (b * az - c * ay)
    const ty = 2 * (c * ax - a * az)
    const tz = 2 * (a * ay - b * ax)
    const sums = this.#sums
    sums[0] = at0(sums) + stepS * (ax + w * tx + b * tz - c * ty)
    sums[1] = at1(sums) + stepS * (ay + w * ty + c * tx - a * tz)
    sums[2] = at2(sums) + stepS * (az + w * tz + a * ty - b * tx)
    sums[3] = at3(sums) + stepS * gx
    sums[4] = (sums[4] as number) + stepS * gy
    sums[5] = (sums[5] as number) + stepS * gz
    sums[6] = (sums[6] as number) + stepS * ax
    sums[7] = (sums[7] as number) + stepS * ay
    sums[8] = (sums[8] as number) + stepS * az
    this.#blockS += stepS
  }

  #endBlock(): void {
    const [sums, stepS] = [this.#sums, this.#blockS]
    for (let at = 0; at < 9; at++) sums[at] = (sums[at] as number) / stepS
    this.#sinceS += stepS
    this.#noteRest(stepS)
    this.#level(stepS)
    if (this.isAtRest) this.#noteBias()
    sums.fill(0)
    this.#blockS = 0
    this.isSettled = this.#sinceS >= SETTLED_AFTER_S
    if (this.isSettled && !this.#hasHeading) this.#lookAlongX()
  }

  /** By how far this block is off the average of turns and forces. */
  #noteRest(stepS: number): void {
    const [means, sums] = [this.#means, this.#sums]
    const share = stepS / Math.min(this.#sinceS, REST_TAU_S + stepS)
    let [turns, forces, bias] = [0, 0, 0]
    for (let at = 0; at < 6; at++) {
      const off = (sums[3 + at] as number) - (means[at] as number)
      means[at] = (means[at] as number) + share * off
      if (at < 3) {
        turns += off * off
        bias = Math.max(bias, Math.abs(means[at] as number))
      } else forces += off * off
    }
    const isStill = turns < REST_GYRO ** 2 && forces < REST_ACCEL ** 2 && bias < MAX_BIAS
    this.#restS = isStill ? this.#restS + stepS : 0
    this.isAtRest = this.#restS >= REST_AFTER_S
  }

  /** Time passes, and the forces say where up is. */
  #level(stepS: number): void {
    const [sums, kalman, r] = [this.#sums, this.#kalman, this.#matrix]
    this.#writeMatrix()
    const turns = Math.hypot(at3(sums), sums[4] as number, sums[5] as number)
    const tiltGrowth = stepS * (WALK ** 2 + FORCES_LAST_S * (SCALE_ERROR * turns) ** 2)
    kalman.pass(stepS, r, tiltGrowth, stepS * BIAS_WALK ** 2)
    const [x, y, z] = [at0(sums), at1(sums), at2(sums)]
    const squared = x * x + y * y + z * z
    if (squared < MIN_FORCE ** 2) return
    this.#averageUp(stepS)
    if (this.isAtRest) this.#weigh(stepS, Math.sqrt(squared))
    if (this.#sinceS < SETTLED_AFTER_S) {
      this.#levelAtOnce(x, y, z)
      return
    }
    const driving = (DRIVING_FORCE + Math.sqrt(Math.abs(squared - this.#gravity ** 2))) ** 2 * (FORCES_LAST_S / stepS)
    const variance = (this.isAtRest ? RESTING_FORCE ** 2 * (FORCES_LAST_S / stepS) : driving) / this.#gravity ** 2
    const length = Math.sqrt(squared)
    kalman.measureTilt(y / length, -x / length, variance, this.#up)
    this.#heed()
  }

  #averageUp(stepS: number): void {
    const [r, up] = [this.#matrix, this.#up]
    const share = this.#sinceS < SETTLED_AFTER_S ? 1 : stepS / UP_TAU_S
    const x = at0(up) + share * ((r[6] as number) - at0(up))
    const y = at1(up) + share * ((r[7] as number) - at1(up))
    const z = at2(up) + share * ((r[8] as number) - at2(up))
    const length = Math.hypot(x, y, z)
    up[0] = x / length
    up[1] = y / length
    up[2] = z / length
  }

  /** At first all blocks count alike: up is where their mean pulls. */
  #levelAtOnce(x: number, y: number, z: number): void {
    const share = Math.min(1, BLOCK_S / this.#sinceS)
    const length = Math.hypot(x, y, z)
    if (this.#sinceS > 2 * BLOCK_S) {
      this.#correct((share * y) / length / 2, (-share * x) / length / 2, 0)
      return
    }
    const w = Math.sqrt((z / length + 1) / 2)
    if (w < 1e-6) this.#correct(1e6, 0, 0)
    else this.#correct((0.5 * y) / length / w / w, (-0.5 * x) / length / w / w, 0)
  }

  /** How heavy a gram is to this chip. */
  #weigh(stepS: number, force: number): void {
    const next = this.#gravity + (stepS / REST_TAU_S) * (force - this.#gravity)
    this.#gravity = Math.max(GRAVITY * (1 - MAX_SCALE_OF_FORCES), Math.min(GRAVITY * (1 + MAX_SCALE_OF_FORCES), next))
  }

  /** What it says of turns while it rests is bias. */
  #noteBias(): void {
    const variance = REST_BIAS ** 2
    for (let axis = 0; axis < 3; axis++) {
      this.#kalman.measureBias(axis, (this.#sums[3 + axis] as number) - (this.bias[axis] as number), variance)
      this.#heed()
    }
  }

  /** Corrects by what the last measurement has shown to be off. */
  #heed(): void {
    const { error } = this.#kalman
    this.#correct(at0(error) / 2, at1(error) / 2, 0)
    for (let axis = 0; axis < 3; axis++) {
      const bias = (this.bias[axis] as number) + (error[2 + axis] as number)
      this.bias[axis] = Math.max(-MAX_BIAS, Math.min(MAX_BIAS, bias))
    }
  }

  /** Of a robot that leans when it is first known where up is: what it turned until then does not count. */
  #lookAlongX(): void {
    this.#hasHeading = true
    const [w, x, y, z] = [at0(this.quat), at1(this.quat), at2(this.quat), at3(this.quat)]
    const half = -Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)) / 2
    const [c, s] = [Math.cos(half), Math.sin(half)]
    this.#set(c * w - s * z, c * x - s * y, c * y + s * x, c * z + s * w)
    this.#kalman.loseTilt(TILT_AT_START)
  }

  #writeMatrix(): void {
    const r = this.#matrix
    const [w, x, y, z] = [at0(this.quat), at1(this.quat), at2(this.quat), at3(this.quat)]
    r[0] = 1 - 2 * (y * y + z * z)
    r[1] = 2 * (x * y - w * z)
    r[2] = 2 * (x * z + w * y)
    r[3] = 2 * (x * y + w * z)
    r[4] = 1 - 2 * (x * x + z * z)
    r[5] = 2 * (y * z - w * x)
    r[6] = 2 * (x * z - w * y)
    r[7] = 2 * (y * z + w * x)
    r[8] = 1 - 2 * (x * x + y * y)
  }
}
