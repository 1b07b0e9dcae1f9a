// How the robot moved between exposures: by its odometry, or by what was solved before.

import type { MotionExposed } from './blur.ts'
import { OdometryLog, type OdometrySample } from './odometry.ts'
import { type AxisNoise, EXACT_STEP, MAX_COAST_US, OwnSpeed, type PlanarStd } from './own-speed.ts'
import { poseOfPlanar } from './planar.ts'
import { compose, identityPose, invert, type Pose } from './pose.ts'

/** Whether a robot moves is seen over that time: two solutions a frame apart differ by centimetres without it. */
const MOVES_OVER_US = 150_000
const MOVING_M_S = 0.2
const MOVING_TURN_RATE = (10 * Math.PI) / 180

/** Wheels slip, and their diameters are known about: so much of a step. */
const SLIP_SHARE = 0.02

/** How fast a robot drives and turns of which nothing is known: one deviation. */
const SPEED_M_S = 2
const TURN_RATE = 3

/** Where nobody says how noisy a pose is. */
const DEFAULT_NOISE: AxisNoise = [0.01, 0.01, 0.005]

/** What a pose rests on. */
export interface SolvedFrom {
  /** When its frames were exposed, on average. */
  readonly seenUs?: number
  /** That of the pixels: what maps and mounts are off is the same in the next pose. */
  readonly noise?: AxisNoise
}

interface SolvedAt {
  readonly pose: Pose
  readonly atUs: number
}

/** The robot's motion of the last moments. */
export class Motion {
  /** What the robot said of itself. */
  readonly log = new OdometryLog()
  readonly #speed = new OwnSpeed()
  /** Newest last. */
  #solved: readonly SolvedAt[] = []

  clear(): void {
    this.log.clear()
    this.#speed.clear()
    this.#solved = []
  }

  /** What the robot says. */
  odometry(sample: OdometrySample): void {
    this.log.add(sample)
  }

  /**
   * A pose of the robot on the field that a round gave, of the time of that round. It is from frames that were moved
   * there, so that a speed that is too high would make itself higher: the speed is learnt from where the robot was when
   * it was seen.
   */
  solved(pose: Pose, atUs: number, { seenUs = atUs, noise = DEFAULT_NOISE }: SolvedFrom = {}): void {
    if (atUs <= (this.#solved.at(-1)?.atUs ?? Number.NEGATIVE_INFINITY)) return
    this.#speed.solved(compose(pose, this.between(atUs, seenUs) ?? identityPose), seenUs, noise)
    this.#solved = [...this.#solved.filter((solved) => solved.atUs >= atUs - MAX_COAST_US), { pose, atUs }]
  }

  /**
   * The robot at `toUs`, seen from the robot at `fromUs`. By odometry where that is known of both times; else at the
   * speed of the last solutions, for 0.3 s. undefined: nobody knows.
   */
  between(fromUs: number, toUs: number): Pose | undefined {
    if (fromUs === toUs) return identityPose
    const driven = this.log.between(fromUs, toUs)
    if (driven) return poseOfPlanar(driven)
    const from = this.#speed.at(fromUs)
    const to = from && this.#speed.at(toUs)
    return from && to && compose(invert(from), to)
  }

  /**
   * How far such a step may be off, one deviation. Where nobody knows the step, the robot is taken to stand, and may
   * have gone at any speed. That of a robot that is seen to stand is exact.
   */
  deviations(fromUs: number, toUs: number): PlanarStd {
    const driven = this.log.between(fromUs, toUs)
    if (driven) return { m: SLIP_SHARE * Math.hypot(driven.x, driven.y), rad: SLIP_SHARE * Math.abs(driven.yaw) }
    const isKnown = this.between(fromUs, toUs) !== undefined
    if (isKnown) return this.#isMoving(fromUs) === false ? EXACT_STEP : this.#speed.deviations(fromUs, toUs)
    const seconds = Math.abs(toUs - fromUs) / 1e6
    return { m: SPEED_M_S * seconds, rad: TURN_RATE * seconds }
  }

  /** How the robot moves in a time around that one. */
  during(midUs: number, us: number): MotionExposed {
    const [fromUs, toUs] = [midUs - us / 2, midUs + us / 2]
    return { step: this.between(fromUs, toUs) ?? identityPose, std: this.deviations(fromUs, toUs) }
  }

  /** Whether the robot is known to move at that time, faster than 0.2 m/s or 10 degrees a second. */
  moves(atUs: number): boolean {
    return this.#isMoving(atUs) ?? false
  }

  /** undefined: nobody knows. */
  #isMoving(atUs: number): boolean | undefined {
    const driven = this.log.between(atUs - MOVES_OVER_US, atUs)
    if (driven) return isMoving(Math.hypot(driven.x, driven.y), Math.abs(driven.yaw), MOVES_OVER_US)
    const [last, before] = this.#lastTwo(atUs, MOVES_OVER_US)
    if (!last || !before) return undefined
    const step = compose(invert(before.pose), last.pose)
    return isMoving(lengthOf(step), angleOf(step), last.atUs - before.atUs)
  }

  /** The newest solution, and the newest of those that are so much older; neither too far from that time. */
  #lastTwo(atUs: number, apartUs: number): readonly [last?: SolvedAt, before?: SolvedAt | undefined] {
    const last = this.#solved.at(-1)
    if (!last || Math.abs(atUs - last.atUs) > MAX_COAST_US) return []
    return [last, this.#solved.findLast((solved) => solved.atUs <= last.atUs - apartUs)]
  }
}

const lengthOf = ({ x, y, z }: Pose): number => Math.hypot(x, y, z)

const angleOf = ({ qw, qx, qy, qz }: Pose): number => 2 * Math.atan2(Math.hypot(qx, qy, qz), Math.abs(qw))

const isMoving = (distance: number, turn: number, overUs: number): boolean =>
  distance > (MOVING_M_S * overUs) / 1e6 || turn > (MOVING_TURN_RATE * overUs) / 1e6
