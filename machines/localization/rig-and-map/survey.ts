// What is kept of a drive, to find out from it how map and rig are off: rounds from many places, of a robot that
// stands about level and hardly moves between exposures.
import { at } from '../arrays.ts'
import { tagCountOf } from '../observation.ts'
import type { PlanarStd } from '../own-speed.ts'
import type { Pose } from '../pose.ts'
import { STATE_LENGTH, stateOfPose, turnBetween } from '../pose-state.ts'
import type { RoundFrame } from '../round.ts'

/** A round of a survey. */
export interface SurveyRound {
  readonly frames: readonly RoundFrame[]
  /** Of each frame: the robot at its exposure, seen from the robot at the time of the round. */
  readonly motions: readonly Pose[]
  /** Where the robot was, as it was solved then (pose-state.ts). */
  readonly state: Float64Array
}

/** A round from a place that is nearer than that to another one says nothing new. */
const MIN_APART_M = 0.25
const MIN_APART_RAD = 0.2

/** What a motion between exposures leaves open must be far below a mount's fault. */
const MAX_MOTION_M = 0.02
const MAX_MOTION_RAD = 0.01

/** A robot on a ramp says nothing of how its cameras are tilted. */
const MAX_TILT_SINE = 0.09
const MAX_HEIGHT_M = 0.1

/** A pose that is less sure than that may be a mirrored one. */
const MAX_STD_M = 0.2

/** Of the robot, as far as a survey believes in a level floor. */
export const SURVEY_PRIORS = { z_std_m: 0.03, tilt_std_deg: 1.5 }

/** Frames of a round, and how the robot moved between them. */
export interface MovedFrames {
  readonly frames: readonly RoundFrame[]
  /** Of each frame: the robot at its exposure, seen from the robot at the time of the round. */
  readonly motions: readonly Pose[]
  /** Of each of these, how far it may be off: a motion of which nobody knows is said to be none. */
  readonly motionStds: readonly PlanarStd[]
}

/** What is wanted of a survey. */
export interface SurveyRequest {
  /** How many rounds are enough. */
  readonly rounds: number
  /** After that it goes on with what there is. */
  readonly durationMs: number
}

/** A drive, as it is collected. */
export class Survey {
  readonly rounds: SurveyRound[] = []
  readonly #turn = new Float64Array(3)

  /** How many rounds it wants. */
  readonly wanted: number

  constructor(wanted: number) {
    this.wanted = wanted
  }

  get isFull(): boolean {
    return this.rounds.length >= this.wanted
  }

  /** Answers whether it is kept. std: of x and y of the pose, metres. */
  add({ frames, motions, motionStds }: MovedFrames, pose: Pose, std: number): boolean {
    const state = new Float64Array(STATE_LENGTH)
    if (this.isFull || !(std < MAX_STD_M) || !stateOfPose(pose, state)) return false
    if (!frames.some(({ observation }) => tagCountOf(observation) > 0)) return false
    if (!motions.every(isSmall) || !motionStds.every(isKnown) || !isLevel(state)) return false
    if (this.rounds.some((round) => this.#isNear(round.state, state))) return false
    this.rounds.push({ frames, motions, state })
    return true
  }

  #isNear(a: Float64Array, b: Float64Array): boolean {
    if (Math.hypot(at(a, 0) - at(b, 0), at(a, 1) - at(b, 1)) > MIN_APART_M) return false
    turnBetween(a, b, this.#turn)
    return Math.hypot(at(this.#turn, 0), at(this.#turn, 1), at(this.#turn, 2)) < MIN_APART_RAD
  }
}

const isSmall = ({ x, y, z, qx, qy, qz }: Pose): boolean =>
  Math.hypot(x, y, z) < MAX_MOTION_M && 2 * Math.hypot(qx, qy, qz) < MAX_MOTION_RAD

const isKnown = ({ m, rad }: PlanarStd): boolean => m < MAX_MOTION_M && rad < MAX_MOTION_RAD

const isLevel = (state: Float64Array): boolean =>
  Math.hypot(at(state, 5), at(state, 8)) < MAX_TILT_SINE && Math.abs(at(state, 2)) < MAX_HEIGHT_M
