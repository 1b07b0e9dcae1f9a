// The drive of the synthetic robot, as its cameras see it (native/addon/synthetic/synthetic_drive.cc): what an IMU on
// it feels at any time. A test holds it against the truth of the cameras' own frames.
import type { Quaternion } from '../../machines/imu/reading.ts'
import type { Motion } from './fake.ts'

/** Which drive it is, on which field. Equal ones are one drive, for everybody who knows the time. */
export interface SyntheticDriveOptions {
  /** 0 to 2^32 - 1. */
  readonly seed: number
  readonly speed_m_s: number
  readonly spin_deg_s: number
  /** Of the field. */
  readonly length_m: number
  readonly width_m: number
}

/** The robot at one moment, and what an IMU in its middle feels. */
export interface DriveMotion extends Motion {
  /** The robot in the world, w x y z. */
  readonly quat: Quaternion
  /** Counter-clockwise, radians; jumps by whole turns only. */
  readonly yaw_rad: number
}

/** What is felt of the earth by whoever stands on it. */
export const STANDARD_GRAVITY = 9.80665

// As in C++, each of them.
const STEP_S = 0.1
const MAX_ACCELERATION = 2.8
const BRAKING = 0.85 * MAX_ACCELERATION
const MAX_SPIN_UP = 2 * Math.PI
const CLEARANCE_M = 1
const CLEARANCE_SHARE = 0.25
const LEGS = 40
const MAX_LEG_S = 8
const STAND_SHARE = 0.25
const MIN_STAND_S = 1
const MAX_STAND_S = 3
const SPINNING_SHARE = 0.75
const FULL_SPIN_SHARE = 0.5
const HOME_M = 1e-9
const DRAWS = 1000n
const RAD = Math.PI / 180

const U64 = (1n << 64n) - 1n

/** A number from 0 to below 1 (native/addon/synthetic/synthetic_random.h). */
const mixedShare = (key: bigint, index: bigint): number => {
  let z = (key * 0x9e3779b97f4a7c15n + index * 0xd1342543de82ef95n + 0x632be59bd9b4e019n) & U64
  z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & U64
  z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & U64
  z ^= z >> 31n
  return Number(z >> 11n) * 2 ** -53
}

const clamp = (value: number, low: number, high: number): number => Math.min(Math.max(value, low), high)

const stoppingSpeed = (room: number): number => {
  if (room <= 0) return 0
  const step = (BRAKING * STEP_S) / 2
  return Math.min(room / STEP_S, Math.sqrt(step * step + 2 * BRAKING * room) - step)
}

const slewed = (from: number, to: number, most: number): number => from + clamp(to - from, -most, most)

const within = (size: number): readonly [low: number, high: number] => {
  const clearance = Math.min(CLEARANCE_M, CLEARANCE_SHARE * size)
  return [clearance, size - clearance]
}

/** One round, from a stand to the same stand. */
class Driver {
  readonly xs: number[] = []
  readonly ys: number[] = []
  readonly yaws: number[] = []
  /** By how much the heading grows in one round. */
  readonly turn: number
  readonly #options: SyntheticDriveOptions
  readonly #seed: bigint
  readonly #x: readonly [number, number]
  readonly #y: readonly [number, number]
  #atX: number
  #atY: number
  #yaw: number
  #speedX = 0
  #speedY = 0
  #spin = 0
  #drawn = 0n

  constructor(options: SyntheticDriveOptions) {
    this.#options = options
    this.#seed = BigInt(options.seed)
    this.#x = within(options.length_m)
    this.#y = within(options.width_m)
    this.#atX = this.#draw(...this.#x)
    this.#atY = this.#draw(...this.#y)
    this.#yaw = this.#draw(-Math.PI, Math.PI)
    this.turn = this.#drive()
  }

  #drive(): number {
    const [homeX, homeY, firstYaw] = [this.#atX, this.#atY, this.#yaw]
    this.#stand()
    for (let leg = 0; leg < LEGS; leg++) {
      const spin = this.#drawSpin()
      const y = this.#draw(...this.#y)
      const x = this.#draw(...this.#x)
      this.#makeFor(x, y, spin)
      if (this.#draw(0, 1) < STAND_SHARE) this.#stand()
    }
    while (!this.#isAt(homeX, homeY)) this.#step(this.#towards(homeX - this.#atX), this.#towards(homeY - this.#atY), 0)
    this.#atX = homeX
    this.#atY = homeY
    this.#stand()
    return this.#yaw - firstYaw
  }

  #draw(from: number, to: number): number {
    return from + (to - from) * mixedShare(this.#seed, DRAWS + this.#drawn++)
  }

  #drawSpin(): number {
    const kind = this.#draw(0, 1)
    const side = this.#draw(-1, 1) < 0 ? -1 : 1
    const share = this.#draw(0.2, 1)
    if (kind > SPINNING_SHARE) return 0
    return side * this.#options.spin_deg_s * RAD * (kind < FULL_SPIN_SHARE ? 1 : share)
  }

  #towards(way: number): number {
    const speed = Math.min(this.#options.speed_m_s, stoppingSpeed(Math.abs(way)))
    return way < 0 ? -speed : speed
  }

  #isAt(x: number, y: number): boolean {
    return Math.abs(x - this.#atX) < HOME_M && Math.abs(y - this.#atY) < HOME_M && this.#isStanding()
  }

  #isStanding(): boolean {
    return Math.abs(this.#speedX) < HOME_M && Math.abs(this.#speedY) < HOME_M && this.#spin === 0
  }

  #makeFor(x: number, y: number, spin: number): void {
    const { speed_m_s } = this.#options
    const nearM = 0.3 + 0.3 * speed_m_s
    for (let seconds = 0; seconds < MAX_LEG_S; seconds += STEP_S) {
      const way = Math.hypot(x - this.#atX, y - this.#atY)
      if (way < nearM) return
      this.#step((speed_m_s * (x - this.#atX)) / way, (speed_m_s * (y - this.#atY)) / way, spin)
    }
  }

  #stand(): void {
    while (!this.#isStanding()) this.#step(0, 0, 0)
    this.#speedX = 0
    this.#speedY = 0
    const untilS = this.#draw(MIN_STAND_S, MAX_STAND_S)
    for (let seconds = 0; seconds < untilS; seconds += STEP_S) this.#step(0, 0, 0)
  }

  #step(wantedX: number, wantedY: number, spin: number): void {
    const most = MAX_ACCELERATION * STEP_S
    this.#speedX = slewed(this.#speedX, betweenWalls(wantedX, this.#atX, this.#x), most)
    this.#speedY = slewed(this.#speedY, betweenWalls(wantedY, this.#atY, this.#y), most)
    const speed = Math.hypot(this.#speedX, this.#speedY)
    if (speed > this.#options.speed_m_s) {
      this.#speedX *= this.#options.speed_m_s / speed
      this.#speedY *= this.#options.speed_m_s / speed
    }
    this.#spin = slewed(this.#spin, spin, MAX_SPIN_UP * STEP_S)
    this.#atX += this.#speedX * STEP_S
    this.#atY += this.#speedY * STEP_S
    this.#yaw += this.#spin * STEP_S
    this.xs.push(this.#atX)
    this.ys.push(this.#atY)
    this.yaws.push(this.#yaw)
  }
}

const betweenWalls = (wanted: number, at: number, [low, high]: readonly [number, number]): number =>
  clamp(wanted, -stoppingSpeed(at - low), stoppingSpeed(high - at))

/** The motion of a robot on a drive, by CLOCK_MONOTONIC, µs. To draw it takes some milliseconds, once. */
export const driveMotion = (options: SyntheticDriveOptions): ((us: number) => DriveMotion) => {
  const { xs, ys, yaws, turn } = new Driver(options)
  const count = xs.length
  const four = (of: readonly number[], step: number, growth: number): readonly [number, number, number, number] => {
    const neighbour = (n: number): number =>
      n < 0 ? (of[n + count] as number) - growth : n >= count ? (of[n - count] as number) + growth : (of[n] as number)
    return [neighbour(step - 1), neighbour(step), neighbour(step + 1), neighbour(step + 2)]
  }
  return (us) => {
    const at = us / 1e6 / STEP_S
    const whole = Math.floor(at)
    const rounds = Math.floor(whole / count)
    const step = whole - rounds * count
    const share = at - whole
    const yawPoints = four(yaws, step, turn)
    const yaw = place(yawPoints, share) + rounds * turn
    const forceX = bend(four(xs, step, 0), share)
    const forceY = bend(four(ys, step, 0), share)
    const [cos, sin] = [Math.cos(yaw), Math.sin(yaw)]
    return {
      quat: [Math.cos(yaw / 2), 0, 0, Math.sin(yaw / 2)],
      yaw_rad: yaw,
      gyro_rad_s: [0, 0, slope(yawPoints, share)],
      accel_m_s2: [cos * forceX + sin * forceY, cos * forceY - sin * forceX, STANDARD_GRAVITY],
    }
  }
}

type Points = readonly [number, number, number, number]

/** Of the cubic B-spline, between the second and the third of four points. */
const place = ([a, b, c, d]: Points, s: number): number => {
  const back = 1 - s
  return (back ** 3 * a + (3 * s ** 3 - 6 * s ** 2 + 4) * b + (3 * (s + s ** 2 - s ** 3) + 1) * c + s ** 3 * d) / 6
}

/** By how much it rises in a second. */
const slope = ([a, b, c, d]: Points, s: number): number =>
  (-3 * (1 - s) ** 2 * a + (9 * s ** 2 - 12 * s) * b + (3 + 6 * s - 9 * s ** 2) * c + 3 * s ** 2 * d) / (6 * STEP_S)

/** By how much that rises in a second. */
const bend = ([a, b, c, d]: Points, s: number): number =>
  ((1 - s) * a + (3 * s - 2) * b + (1 - 3 * s) * c + s * d) / STEP_S ** 2
