// How much less is known of a tag's corners where robot or tag moved while the picture was taken.
import { at } from './arrays.ts'
import { OBSERVATION_HEAD, type Observation } from './observation.ts'
import { EXACT_STEP, type PlanarStd } from './own-speed.ts'
import { compose, identityPose, invert, type Pose, rotate } from './pose.ts'

/** How the robot moved while a frame was exposed: its pose at the end, seen from that at the start. */
export interface MotionExposed {
  readonly step: Pose
  /** How far that may be off, one deviation. */
  readonly std: PlanarStd
}

/** Of a robot that stands. */
export const NOT_MOVED: MotionExposed = { step: identityPose, std: EXACT_STEP }

/**
 * Where nobody knows how long a frame was exposed. Cameras that choose by themselves take that long in a hall: one or
 * two half waves of its lights.
 */
const DEFAULT_EXPOSURE_US = 10_000

/** Deviation of a corner, of the way that its picture went: docs/decisions/0307-blur.md. */
const BLUR_SHARE = 0.06

/** A tag that was blurred by more of its side would not have been read. */
const MAX_BLUR_OF_SIDE = 0.25

const EXPOSURE = OBSERVATION_HEAD.indexOf('exposure_us')

/** How long a frame was exposed, or is taken to have been; microseconds. */
export const exposureUsOf = (observation: Observation): number => {
  const us = at(observation, EXPOSURE)
  return us > 0 && us < 1e6 ? us : DEFAULT_EXPOSURE_US
}

/** A tag in a picture, in pixels of the ideal camera from its middle. */
export interface TagInPicture {
  readonly u: number
  readonly v: number
  readonly side: number
  readonly sizeM: number
}

/** Of one frame. */
export class Blur {
  readonly #focal: number
  /** The camera's optical frame at the start, seen from that at the end. */
  readonly #back: Pose
  readonly #std: PlanarStd

  /** optical: the camera's optical frame in the robot frame. focal: pixels. */
  constructor(optical: Pose, focal: number, { step, std }: MotionExposed) {
    this.#focal = focal
    this.#back = compose(compose(invert(optical), invert(step)), optical)
    this.#std = std
  }

  /** How far the tag's picture moved, pixels. */
  pixelsOf({ u, v, side, sizeM }: TagInPicture): number {
    const focal = this.#focal
    const perMetre = side / sizeM
    const depth = focal / perMetre
    const [x, y, z] = rotate(this.#back, (u / focal) * depth, (v / focal) * depth, depth)
    const there = z + this.#back.z
    if (!(there > 0)) return MAX_BLUR_OF_SIDE * side
    const movedU = (focal * (x + this.#back.x)) / there - u
    const movedV = (focal * (y + this.#back.y)) / there - v
    const blur = Math.hypot(movedU, movedV, focal * this.#std.rad, perMetre * this.#std.m)
    return Math.min(blur, MAX_BLUR_OF_SIDE * side)
  }

  /** The deviation of its corners, pixels. sigmaPx: that of a tag that did not move. */
  sigmaOf(sigmaPx: number, tag: TagInPicture): number {
    return Math.hypot(sigmaPx, BLUR_SHARE * this.pixelsOf(tag))
  }
}
