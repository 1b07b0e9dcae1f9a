// Simulated worlds: a field whose tags hang a little elsewhere than its map says, and a robot whose cameras sit a
// little elsewhere than it thinks. What each camera sees is exact but for that, and for noise of the tags' edges.

import type { LocalizationConfig } from '../../../machines/localization/config.ts'
import type { FieldMap } from '../../../machines/localization/field-map.ts'
import { map2026Welded } from '../../../machines/localization/maps/season-2026.ts'
import { OBSERVATION_HEAD, OBSERVATION_TAG, type Observation } from '../../../machines/localization/observation.ts'
import {
  compose,
  identityPose,
  invert,
  type Pose,
  type PoseDocument,
  poseFromDocument,
  rotate,
} from '../../../machines/localization/pose.ts'
import type { RoundFrame, RoundProblem } from '../../../machines/localization/round.ts'
import { solveMapOf } from '../../../machines/localization/solve-map.ts'
import { type Chance, chance } from './chance.ts'

/** One standard deviation of each coordinate, and about each axis. */
export interface Faults {
  readonly map_m: number
  readonly map_deg: number
  readonly mount_m: number
  readonly mount_deg: number
  readonly lens_share: number
}

export const NO_FAULTS: Faults = { map_m: 0, map_deg: 0, mount_m: 0, mount_deg: 0, lens_share: 0 }
export const GOOD_FAULTS: Faults = { map_m: 0.003, map_deg: 0.2, mount_m: 0.002, mount_deg: 0.1, lens_share: 0.001 }
export const USUAL_FAULTS: Faults = { map_m: 0.01, map_deg: 0.5, mount_m: 0.005, mount_deg: 0.3, lens_share: 0.003 }

/** As long as nobody has set anything. */
export const DEFAULT_CONFIG: LocalizationConfig = {
  enabled: true,
  map_id: null,
  streams: 'all',
  ignored: [],
  priors: { z_std_m: 0.1, tilt_std_deg: 8 },
  heading: { use: true, std_deg: 0.5, learn_offset: true, use_imu: false },
  odometry: { source: 'nt4' },
  errors: USUAL_FAULTS,
  gate: { tag_chi2: 30, fused_chi2: 16.3, max_std_m: 0.3 },
  round_wait_ms: 40,
}

const WIDTH_PX = 1280
const HEIGHT_PX = 800
const FOCAL_PX = 905
const MAX_DISTANCE_M = 7
const MIN_COSINE = 0.25
const SIGMA_PX = 0.25
/** So short that nothing is blurred, as these corners are not. */
const EXPOSURE_US = 1
const RAD = Math.PI / 180
const BODY_OPTICAL: Pose = { x: 0, y: 0, z: 0, qw: 0.5, qx: -0.5, qy: 0.5, qz: -0.5 }

/** At the four corners of the robot, looking outwards and up: opposite ones first. */
export const CORNER_MOUNTS: readonly PoseDocument[] = [45, -135, -45, 135].map((yaw_deg) => ({
  x_m: 0.42 * Math.cos(yaw_deg * RAD),
  y_m: 0.42 * Math.sin(yaw_deg * RAD),
  z_m: 0.3,
  roll_deg: 0,
  pitch_deg: -15,
  yaw_deg,
}))

const MOUNTS = CORNER_MOUNTS.map(poseFromDocument)

export interface WorldOptions {
  readonly seed: number
  readonly cameras?: number
  readonly faults?: Faults
  readonly map?: FieldMap
  /** Tags that hang elsewhere than the map says, beside the faults: by id, metres on the field. */
  readonly displaced?: Readonly<Record<number, readonly [number, number, number]>>
  /** How far the robot is tilted, degrees; one standard deviation. */
  readonly tiltDeg?: number
  readonly noisePx?: number
}

interface Camera {
  readonly streamId: string
  /** As it sits, and as the robot thinks it does. */
  readonly mount: Pose
  readonly nominal: Pose
  readonly focal: number
}

/** A small turn by so many degrees about each axis, and a move. */
const shaken = ({ normal }: Chance, metres: number, degrees: number): Pose => {
  const [x, y, z] = [normal() * metres, normal() * metres, normal() * metres]
  return { ...turnOf(normal() * degrees * RAD, normal() * degrees * RAD, normal() * degrees * RAD), x, y, z }
}

/** A turn about an axis, by its length, radians. */
export const turnOf = (x: number, y: number, z: number): Pose => {
  const angle = Math.hypot(x, y, z)
  const share = angle > 0 ? Math.sin(angle / 2) / angle : 0
  return { ...identityPose, qw: Math.cos(angle / 2), qx: x * share, qy: y * share, qz: z * share }
}

/** Moved and turned where it is. */
const displace = (pose: Pose, by: Pose): Pose => ({
  ...compose({ ...by, x: 0, y: 0, z: 0 }, { ...pose, x: 0, y: 0, z: 0 }),
  x: pose.x + by.x,
  y: pose.y + by.y,
  z: pose.z + by.z,
})

export class World {
  readonly map: FieldMap
  readonly cameras: readonly Camera[]
  private readonly tags: readonly { readonly id: number; readonly pose: Pose }[]
  private readonly chance: Chance
  private readonly tiltDeg: number
  private readonly noisePx: number

  constructor({
    seed,
    cameras = 4,
    faults = USUAL_FAULTS,
    map = map2026Welded,
    displaced = {},
    ...more
  }: WorldOptions) {
    this.map = map
    this.chance = chance(seed)
    this.tiltDeg = more.tiltDeg ?? 0.3
    this.noisePx = more.noisePx ?? SIGMA_PX
    this.tags = map.tags.map(({ id, pose }) => {
      const [x, y, z] = displaced[id] ?? [0, 0, 0]
      const hung = displace(poseFromDocument(pose), shaken(this.chance, faults.map_m, faults.map_deg))
      return { id, pose: { ...hung, x: hung.x + x, y: hung.y + y, z: hung.z + z } }
    })
    this.cameras = MOUNTS.slice(0, cameras).map((nominal, n) => ({
      streamId: `camera-${n}`,
      nominal,
      mount: displace(nominal, shaken(this.chance, faults.mount_m, faults.mount_deg)),
      focal: FOCAL_PX * (1 + this.chance.normal() * faults.lens_share),
    }))
  }

  /** Where a tag really hangs. */
  hungAt(id: number): Pose {
    const tag = this.tags.find((each) => each.id === id)
    if (!tag) throw new Error(`there is no tag ${id}`)
    return tag.pose
  }

  /** Anywhere on the field, nearly level. */
  anyPose(): Pose {
    const { even, normal } = this.chance
    const upright = poseFromDocument({
      x_m: 0.5 + even() * (this.map.length_m - 1),
      y_m: 0.5 + even() * (this.map.width_m - 1),
      z_m: normal() * 0.003,
      roll_deg: normal() * this.tiltDeg,
      pitch_deg: normal() * this.tiltDeg,
      yaw_deg: even() * 360 - 180,
    })
    return upright
  }

  /** What one camera sees. */
  frame(camera: Camera, robot: Pose, capturedUs = 1_000_000, starts: readonly Pose[] = []): RoundFrame {
    const optical = invert(compose(compose(robot, camera.mount), BODY_OPTICAL))
    const tags = this.tags.flatMap(({ id, pose }) => {
      const corners = this.cornersOf(pose, optical, camera.focal)
      return corners ? [{ id, corners }] : []
    })
    return {
      streamId: camera.streamId,
      capturedUs,
      timestampSource: 'driver',
      observation: observationOf(camera.nominal, tags, this.noisePx),
      starts,
    }
  }

  frames(robot: Pose, capturedUs?: number): readonly RoundFrame[] {
    return this.cameras.map((camera) => this.frame(camera, robot, capturedUs))
  }

  /** A robot that stands, with a heading that is off by half a degree (one standard deviation) where there is one. */
  problem(robot: Pose, { heading = true, frames = this.frames(robot) }: ProblemOptions = {}): RoundProblem {
    const yaw = Math.atan2(2 * (robot.qw * robot.qz + robot.qx * robot.qy), 1 - 2 * (robot.qy ** 2 + robot.qz ** 2))
    const std = DEFAULT_CONFIG.heading.std_deg * RAD
    return {
      round: { frames, capturedUs: frames[0]?.capturedUs ?? 0 },
      motions: frames.map(() => identityPose),
      predicted: undefined,
      heading: heading ? { yaw: yaw + this.chance.normal() * std, std } : undefined,
      moves: false,
    }
  }

  /** Corners in pixels from the middle of the picture; undefined: the camera does not see it. */
  private cornersOf(tag: Pose, optical: Pose, focal: number): readonly number[] | undefined {
    const middle = compose(optical, tag)
    const distance = Math.hypot(middle.x, middle.y, middle.z)
    const [nx, ny, nz] = rotate(middle, 1, 0, 0)
    if (distance > MAX_DISTANCE_M || -(nx * middle.x + ny * middle.y + nz * middle.z) < MIN_COSINE * distance) return
    const half = this.map.tag_size_m / 2
    const exact: number[] = []
    for (const [right, up] of [
      [-1, -1],
      [1, -1],
      [1, 1],
      [-1, 1],
    ] as const) {
      const { x, y, z } = compose(middle, { ...identityPose, y: right * half, z: up * half })
      if (z < 0.1 || Math.abs((focal * x) / z) > WIDTH_PX / 2 || Math.abs((focal * y) / z) > HEIGHT_PX / 2) return
      exact.push((focal * x) / z, (focal * y) / z)
    }
    return this.withNoise(exact)
  }

  /** Each edge is found a little beside where it is, and a little tilted; corners are where edges meet. */
  private withNoise(exact: readonly number[]): readonly number[] {
    const { normal } = this.chance
    const corner = (k: number) => [exact[2 * (k % 4)] as number, exact[2 * (k % 4) + 1] as number] as const
    const noisy = [...exact]
    for (let edge = 0; edge < 4; edge++) {
      const [x, y] = corner(edge)
      const [endX, endY] = corner(edge + 1)
      const length = Math.hypot(endX - x, endY - y)
      const [nx, ny] = [(endY - y) / length, (x - endX) / length]
      const place = (normal() * this.noisePx) / 2
      const tilt = (normal() * this.noisePx * Math.sqrt(3)) / 2
      for (const [end, across, other] of [
        [edge, place - tilt, edge + 3],
        [edge + 1, place + tilt, edge + 2],
      ] as const) {
        // it slides along the other edge that ends in it
        const [fromX, fromY] = corner(end)
        const [toX, toY] = corner(other)
        const along = (toX - fromX) * nx + (toY - fromY) * ny
        const at = 2 * (end % 4)
        noisy[at] = (noisy[at] as number) + ((toX - fromX) * across) / along
        noisy[at + 1] = (noisy[at + 1] as number) + ((toY - fromY) * across) / along
      }
    }
    return noisy
  }
}

export interface ProblemOptions {
  readonly heading?: boolean
  readonly frames?: readonly RoundFrame[]
}

/** A tag as a camera with the focal length of these worlds sees it; corners in pixels from the middle. */
export interface SeenInPixels {
  readonly id: number
  readonly corners: readonly number[]
  readonly family?: number
  readonly noPose?: number
  readonly sigmaPx?: number
}

export const observationOf = (
  mount: Pose | undefined,
  tags: readonly SeenInPixels[],
  sigmaPx = SIGMA_PX,
): Observation => {
  const { x, y, z, qw, qx, qy, qz } = mount ?? identityPose
  const head = [FOCAL_PX, FOCAL_PX, x, y, z, qw, qx, qy, qz, mount ? 1 : 0, EXPOSURE_US, tags.length]
  const rows = tags.flatMap((tag) => [
    tag.family ?? 0,
    tag.id,
    ...tag.corners.map((pixels) => pixels / FOCAL_PX),
    tag.sigmaPx ?? sigmaPx,
    tag.noPose ?? 0,
  ])
  if (head.length !== OBSERVATION_HEAD.length || rows.length !== tags.length * OBSERVATION_TAG.length)
    throw new Error('observations have other fields by now')
  return Float64Array.from([...head, ...rows])
}

/** How far a solved pose is from the truth: metres and radians. */
export const errorOf = (solved: Pose, truth: Pose) => {
  const turn = compose(solved, invert(truth))
  const sign = turn.qw < 0 ? -2 : 2
  return {
    x: solved.x - truth.x,
    y: solved.y - truth.y,
    z: solved.z - truth.z,
    distance: Math.hypot(solved.x - truth.x, solved.y - truth.y),
    yaw: sign * turn.qz,
  }
}

export const solveMap2026 = solveMapOf(map2026Welded)
