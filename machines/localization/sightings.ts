// All tags of a round that can be used, as arrays for the solve, and why the others cannot. Kept from round to round
// for its memory alone.
import { NO_POSE } from '../engine/no-pose.ts'
import { at, ofLength } from './arrays.ts'
import { Blur, type MotionExposed, NOT_MOVED, type TagInPicture } from './blur.ts'
import type { LocalizationConfig } from './config.ts'
import { mountOf, OBSERVATION_HEAD, OBSERVATION_TAG, type Observation, tagAt, tagCountOf } from './observation.ts'
import { EXACT_STEP, type PlanarStd } from './own-speed.ts'
import { compose, type Pose } from './pose.ts'
import { stateOfPose } from './pose-state.ts'
import type { TagReason } from './reasons.ts'
import type { RoundFrame, RoundProblem } from './round.ts'
import { type SolveMap, tagKey } from './solve-map.ts'

/** Of the camera's body: its optical frame, x right, y down, z forward. */
const BODY_OPTICAL: Pose = { x: 0, y: 0, z: 0, qw: 0.5, qx: -0.5, qy: 0.5, qz: -0.5 }

const FX = OBSERVATION_HEAD.indexOf('fx_px')
const FY = OBSERVATION_HEAD.indexOf('fy_px')
const FAMILY = OBSERVATION_TAG.indexOf('family')
const ID = OBSERVATION_TAG.indexOf('id')
const CORNERS = OBSERVATION_TAG.indexOf('x0')
const SIGMA = OBSERVATION_TAG.indexOf('sigma_px')
const NO_POSE_FIELD = OBSERVATION_TAG.indexOf('no_pose')
const NO_SQUARE = NO_POSE.indexOf('no_square') + 1

/** However sharp a picture: below that a lens model is not known. */
const MIN_SIGMA_PX = 0.02

const RAD = Math.PI / 180

/** A tag that a camera of the round saw. */
export interface SeenTag {
  readonly streamId: string
  readonly family: number
  readonly id: number
  readonly sigmaPx: number
  /** Of these sightings; -1: it is none. */
  readonly sighting: number
  /** null where it is one. */
  readonly reason: TagReason | null
}

/** How the robot moved until a frame was exposed, and meanwhile. */
interface Moved {
  readonly motion: Pose | undefined
  readonly std: PlanarStd
  readonly exposed: MotionExposed
}

export class Sightings {
  /** The frames of the round by the names of their streams, so that their order changes nothing. */
  frames: RoundFrame[] = []
  seen: SeenTag[] = []
  /** How many cameras and tags there are. */
  cameras = 0
  count = 0

  /** Of each camera, at the time of the round: the optical frame in the robot frame, as pose-state.ts has it. */
  mounts = new Float64Array(0)
  /** Of each camera: fx, fy. */
  focal = new Float64Array(0)
  /**
   * Of each camera, six numbers: how far it may sit from there along the robot's axes (metres) and be turned about them
   * (radians), by its mount and by how the robot moved until its exposure.
   */
  mountSpread = new Float64Array(0)
  /** Of each camera, of which frame it is. */
  frameOf = new Float64Array(0)
  /** Of the camera whose tags are added. */
  private blur: Blur | undefined

  /** Of each tag. */
  cameraOf = new Float64Array(0)
  /** Of each tag, its index in the map. */
  mapTag = new Float64Array(0)
  /** Of each tag: u, v of its four corners, pixels of the ideal camera from its middle. */
  pixels = new Float64Array(0)
  sigma = new Float64Array(0)
  /** Weight of how its four corners lie to each other, and of where they are together. */
  shapeWeight = new Float64Array(0)
  placeWeight = new Float64Array(0)
  /** 1: it is used; 0: it is left out for now. */
  isUsed = new Float64Array(0)

  /** False: nothing can be used. */
  fill(
    { round, motions, motionStds, exposed, moves }: RoundProblem,
    map: SolveMap,
    config: LocalizationConfig,
  ): boolean {
    const order = round.frames.map((_, n) => n)
    const nameOf = (n: number) => (round.frames[n] as RoundFrame).streamId
    order.sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
    this.frames = order.map((n) => round.frames[n] as RoundFrame)
    this.seen = []
    this.cameras = 0
    this.count = 0
    this.reserve(this.frames)
    for (const [n, frame] of this.frames.entries()) {
      const isAtKnownTime = !moves || frame.timestampSource !== 'arrival'
      const first = this.count
      const place = order[n] as number
      const hasCamera = this.addCamera(
        n,
        frame,
        {
          motion: motions[place],
          std: motionStds?.[place] ?? EXACT_STEP,
          exposed: exposed?.[place] ?? NOT_MOVED,
        },
        config,
      )
      for (let row = 0; row < rowsOf(frame.observation); row++) {
        const reason =
          refusalOf(frame.observation, row, map, config) ??
          (isAtKnownTime ? (hasCamera ? null : 'no_lens') : 'clock_unknown')
        this.addTag(frame, row, map, reason)
      }
      if (this.count > first) this.weigh(first, map, config)
      if (hasCamera) this.cameras++
    }
    return this.count > 0
  }

  private reserve(frames: readonly RoundFrame[]): void {
    const tags = frames.reduce((sum, { observation }) => sum + rowsOf(observation), 0)
    this.mounts = ofLength(this.mounts, 12 * frames.length)
    this.focal = ofLength(this.focal, 2 * frames.length)
    this.mountSpread = ofLength(this.mountSpread, 6 * frames.length)
    this.frameOf = ofLength(this.frameOf, frames.length)
    this.pixels = ofLength(this.pixels, 8 * tags)
    for (const name of ['cameraOf', 'mapTag', 'sigma', 'shapeWeight', 'placeWeight', 'isUsed'] as const)
      this[name] = ofLength(this[name], tags)
  }

  /** False: nobody knows its lens, or where it sits. */
  private addCamera(
    n: number,
    { observation }: RoundFrame,
    { motion, std, exposed }: Moved,
    config: LocalizationConfig,
  ): boolean {
    const mount = mountOf(observation)
    const fx = at(observation, FX)
    const fy = at(observation, FY)
    if (!mount || !motion || !(fx > 0 && fx < 1e6 && fy > 0 && fy < 1e6)) return false
    const optical = compose(mount, BODY_OPTICAL)
    if (!stateOfPose(compose(motion, optical), this.mounts, 12 * this.cameras)) return false
    this.blur = new Blur(optical, fx, exposed)
    this.focal[2 * this.cameras] = fx
    this.focal[2 * this.cameras + 1] = fy
    const [place, turn] = [config.errors.mount_m, config.errors.mount_deg * RAD]
    const [moved, turned] = [Math.hypot(place, std.m), Math.hypot(turn, std.rad)]
    this.mountSpread.set([moved, moved, place, turn, turn, turned], 6 * this.cameras)
    this.frameOf[this.cameras] = n
    return true
  }

  private addTag({ streamId, observation }: RoundFrame, row: number, map: SolveMap, reason: TagReason | null): void {
    const first = tagAt(row)
    const family = at(observation, first + FAMILY)
    const id = at(observation, first + ID)
    const sharpPx = at(observation, first + SIGMA)
    if (reason !== null) {
      this.seen.push({ streamId, family, id, sigmaPx: sharpPx, sighting: -1, reason })
      return
    }
    const tag = map.index.get(tagKey(family, id)) as number
    this.cameraOf[this.count] = this.cameras
    this.mapTag[this.count] = tag
    for (let k = 0; k < 8; k++)
      this.pixels[8 * this.count + k] =
        at(observation, first + CORNERS + k) * at(this.focal, 2 * this.cameras + (k % 2))
    const sigmaPx = this.blur?.sigmaOf(sharpPx, this.tagInPicture(this.count, at(map.sizes, tag))) ?? sharpPx
    this.seen.push({ streamId, family, id, sigmaPx, sighting: this.count, reason })
    this.sigma[this.count] = Math.max(MIN_SIGMA_PX, sigmaPx)
    this.isUsed[this.count] = 1
    this.count++
  }

  private tagInPicture(n: number, sizeM: number): TagInPicture {
    const middle = (axis: number) => {
      let sum = 0
      for (let k = axis; k < 8; k += 2) sum += at(this.pixels, 8 * n + k)
      return sum / 4
    }
    return { u: middle(0), v: middle(1), side: sideOf(this.pixels, 8 * n), sizeM }
  }

  /**
   * A map that is off, and a mount, move all four corners alike: what they have in common is known less well than how
   * they lie to each other.
   */
  private weigh(first: number, map: SolveMap, { errors }: LocalizationConfig): void {
    const focal = at(this.focal, 2 * this.cameras)
    const [place, turn] = [at(this.mountSpread, 6 * this.cameras), at(this.mountSpread, 6 * this.cameras + 5)]
    const mountPx = focal * turn
    for (let n = first; n < this.count; n++) {
      const side = sideOf(this.pixels, 8 * n)
      const perMetre = side / at(map.sizes, at(this.mapTag, n))
      const common = (perMetre * errors.map_m) ** 2 + mountPx ** 2 + (perMetre * place) ** 2
      const shape = (side * errors.map_deg * RAD) ** 2
      const noise = at(this.sigma, n) ** 2
      this.shapeWeight[n] = 1 / (noise + shape)
      this.placeWeight[n] = 1 / (noise / 4 + common)
    }
  }
}

/** The longest of its four: the one that is seen least aslant. */
export const sideOf = (pixels: Float64Array, first: number): number => {
  let longest = 0
  for (let k = 0; k < 4; k++) {
    const next = (k + 1) % 4
    const side = Math.hypot(
      at(pixels, first + 2 * next) - at(pixels, first + 2 * k),
      at(pixels, first + 2 * next + 1) - at(pixels, first + 2 * k + 1),
    )
    if (side > longest) longest = side
  }
  return longest
}

/** As many as it says, and has. */
const rowsOf = (observation: Observation): number => {
  const room = Math.floor((observation.length - OBSERVATION_HEAD.length) / OBSERVATION_TAG.length)
  return Math.max(0, Math.min(room, Math.floor(tagCountOf(observation)) || 0))
}

/** Why that row cannot be used; undefined: it can. */
const refusalOf = (
  observation: Observation,
  row: number,
  map: SolveMap,
  { ignored }: LocalizationConfig,
): TagReason | undefined => {
  const first = tagAt(row)
  const family = at(observation, first + FAMILY)
  const id = at(observation, first + ID)
  if (!map.index.has(tagKey(family, id))) return map.ids.has(id) ? 'other_family' : 'unknown_tag'
  if (ignored.some(({ tag_id }) => tag_id === id)) return 'ignored'
  if (isTwice(observation, row, family, id)) return 'twice'
  const why = at(observation, first + NO_POSE_FIELD)
  if (why === NO_SQUARE) return 'inconsistent'
  if (why !== 0) return 'no_lens'
  return isSquare(observation, first) ? undefined : 'inconsistent'
}

const isTwice = (observation: Observation, row: number, family: number, id: number): boolean => {
  for (let other = 0; other < rowsOf(observation); other++) {
    const first = tagAt(other)
    if (other !== row && at(observation, first + FAMILY) === family && at(observation, first + ID) === id) return true
  }
  return false
}

/** Its corners and their noise are numbers, and go round once: y points down, so by way of the picture. */
const isSquare = (observation: Observation, first: number): boolean => {
  const sigma = at(observation, first + SIGMA)
  if (!(sigma > 0 && sigma < 1000)) return false
  const x = (k: number): number => at(observation, first + CORNERS + 2 * (k % 4))
  const y = (k: number): number => at(observation, first + CORNERS + 2 * (k % 4) + 1)
  for (let k = 0; k < 4; k++) {
    if (!(Math.abs(x(k)) < 100 && Math.abs(y(k)) < 100)) return false
    const turn = (x(k + 1) - x(k)) * (y(k + 2) - y(k + 1)) - (y(k + 1) - y(k)) * (x(k + 2) - x(k + 1))
    if (!(turn < 0)) return false
  }
  return true
}
