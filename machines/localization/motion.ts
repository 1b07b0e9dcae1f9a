// How the robot moved between exposures: by its odometry, or by what was solved before.
import { OdometryLog, type OdometrySample } from './odometry.ts'
import { poseOfPlanar } from './planar.ts'
import { compose, identityPose, invert, type Pose, rotate } from './pose.ts'

/** A speed that is older than that says nothing. */
export const MAX_COAST_US = 300_000

/** Solutions that lie closer together tell more of their noise than of the speed. */
const MIN_APART_US = 25_000

/** What is faster is no robot but one of two solutions that is wrong. */
const MAX_SPEED_M_S = 8
const MAX_TURN_RATE = 20 // radians a second

/** Whether a robot moves is seen over that time: two solutions a frame apart differ by centimetres without it. */
const MOVES_OVER_US = 150_000
const MOVING_M_S = 0.2
const MOVING_TURN_RATE = (10 * Math.PI) / 180

interface SolvedAt {
  readonly pose: Pose
  readonly atUs: number
}

/** The robot's motion of the last moments. */
export class Motion {
  /** What the robot said of itself. */
  readonly log = new OdometryLog()
  /** Newest last. */
  #solved: readonly SolvedAt[] = []

  clear(): void {
    this.log.clear()
    this.#solved = []
  }

  /** What the robot says. */
  odometry(sample: OdometrySample): void {
    this.log.add(sample)
  }

  /** A pose of the robot on the field that a round gave; of the time of that round. */
  solved(pose: Pose, atUs: number): void {
    if (atUs <= (this.#solved.at(-1)?.atUs ?? Number.NEGATIVE_INFINITY)) return
    this.#solved = [...this.#solved.filter((solved) => solved.atUs >= atUs - MAX_COAST_US), { pose, atUs }]
  }

  /**
   * The robot at `toUs`, seen from the robot at `fromUs`. By odometry where that is known of both times; else at the
   * speed between the last two solutions, for 0.3 s. undefined: nobody knows.
   */
  between(fromUs: number, toUs: number): Pose | undefined {
    if (fromUs === toUs) return identityPose
    const driven = this.log.between(fromUs, toUs)
    if (driven) return poseOfPlanar(driven)
    const from = this.#carriedOn(fromUs)
    const to = from && this.#carriedOn(toUs)
    return from && to && compose(invert(from), to)
  }

  /** Whether the robot is known to move at that time, faster than 0.2 m/s or 10 degrees a second. */
  moves(atUs: number): boolean {
    const driven = this.log.between(atUs - MOVES_OVER_US, atUs)
    if (driven) return isMoving(Math.hypot(driven.x, driven.y), Math.abs(driven.yaw), MOVES_OVER_US)
    const [last, before] = this.#lastTwo(atUs, MOVES_OVER_US)
    if (!last || !before) return false
    const step = compose(invert(before.pose), last.pose)
    return isMoving(lengthOf(step), angleOf(step), last.atUs - before.atUs)
  }

  /** Where the robot is then, by the last solutions. */
  #carriedOn(atUs: number): Pose | undefined {
    const [last, before] = this.#lastTwo(atUs, MIN_APART_US)
    if (!last || !before) return undefined
    const apartUs = last.atUs - before.atUs
    const step = compose(invert(before.pose), last.pose)
    const seconds = apartUs / 1e6
    if (lengthOf(step) > MAX_SPEED_M_S * seconds || angleOf(step) > MAX_TURN_RATE * seconds) return undefined
    return compose(last.pose, partOf(step, (atUs - last.atUs) / apartUs))
  }

  /** The newest solution, and the newest of those that are so much older; neither too far from that time. */
  #lastTwo(atUs: number, apartUs: number): readonly [last?: SolvedAt, before?: SolvedAt | undefined] {
    const last = this.#solved.at(-1)
    if (!last || Math.abs(atUs - last.atUs) > MAX_COAST_US) return []
    return [last, this.#solved.findLast((solved) => solved.atUs <= last.atUs - apartUs)]
  }
}

/** That share of a step which is driven and turned evenly; below 0 it goes back, above 1 it goes on. */
export const partOf = (step: Pose, share: number): Pose => {
  const angle = angleOf(step)
  const stretch = angle < 1e-6 ? share : Math.sin((share * angle) / 2) / Math.sin(angle / 2)
  const [x, y, z] = rotate(partOfTurn(step, angle, (share - 1) / 2), step.x, step.y, step.z)
  return { ...partOfTurn(step, angle, share), x: stretch * x, y: stretch * y, z: stretch * z }
}

const partOfTurn = ({ qw, qx, qy, qz }: Pose, angle: number, share: number): Pose => {
  const half = (share * angle) / 2
  const scale = (angle < 1e-6 ? share : Math.sin(half) / Math.sin(angle / 2)) * (qw < 0 ? -1 : 1)
  return { x: 0, y: 0, z: 0, qw: Math.cos(half), qx: scale * qx, qy: scale * qy, qz: scale * qz }
}

const lengthOf = ({ x, y, z }: Pose): number => Math.hypot(x, y, z)

const angleOf = ({ qw, qx, qy, qz }: Pose): number => 2 * Math.atan2(Math.hypot(qx, qy, qz), Math.abs(qw))

const isMoving = (distance: number, turn: number, overUs: number): boolean =>
  distance > (MOVING_M_S * overUs) / 1e6 || turn > (MOVING_TURN_RATE * overUs) / 1e6
