// What a sighting says of pose, camera and tag, as eight rows of equal weight. Noise is that of edges, as in
// native/addon/nodes/tags/deviations.h: an edge that was fitted too far out, or tilted, takes both of its corners
// along, with a quarter of the variance from its place and three quarters from its tilt.
import { at } from './arrays.ts'
import type { LocalizationConfig } from './config.ts'
import { axesOf, MIN_DEPTH_M } from './normal-equations.ts'
import type { Sightings } from './sightings.ts'
import type { SolveMap } from './solve-map.ts'

/** How many unknowns: of the pose. */
export const POSE = 6
/** Of a camera: place, turn, focal length. */
export const CAMERA = 7
/** Of a tag: place, turn. */
export const TAG = 6
/** Columns of a sighting's rows: pose, camera, tag, and how far it is off. */
export const AT_CAMERA = POSE
export const AT_TAG = POSE + CAMERA
export const OFF = POSE + CAMERA + TAG
export const WIDTH = OFF + 1
/** Numbers of a sighting: eight rows. */
export const ROWS = 8 * WIDTH

const RAD = Math.PI / 180
const TILT = Math.sqrt(3)

/** Where it is looked from, and at what. */
export interface Scene {
  readonly state: Float64Array
  readonly sightings: Sightings
  readonly map: SolveMap
  readonly errors: LocalizationConfig['errors']
  /** By which the corners' noise is larger than the engine says. */
  readonly noise: number
}

export class SightingRows {
  private readonly corners = new Float64Array(ROWS)
  private readonly axes = new Float64Array(12)
  private readonly arm = new Float64Array(3)
  private readonly turned = new Float64Array(6)

  /**
   * Writes the rows of the n-th sighting, each over its own noise, into its place in `rows`. Unknowns of camera and tag
   * are by their deviations: those of the camera along the robot's axes, those of the tag along the field's. False: it
   * lies behind the camera.
   */
  describe(n: number, scene: Scene, rows: Float64Array): boolean {
    const { state, sightings, noise } = scene
    const camera = at(sightings.cameraOf, n)
    axesOf(state, sightings.mounts, 12 * camera, this.axes)
    for (let row = 0; row < 3; row++) {
      let sum = 0
      for (let k = 0; k < 3; k++) sum += at(state, 3 + 3 * row + k) * at(sightings.mounts, 12 * camera + k)
      this.arm[row] = sum
    }
    for (let corner = 0; corner < 4; corner++) if (!this.describeCorner(n, corner, scene)) return false
    const place = (at(sightings.sigma, n) / 2) * noise
    for (let edge = 0; edge < 4; edge++) this.describeEdge(n, edge, sightings.pixels, 1 / (2 * place), rows)
    return true
  }

  private describeCorner(n: number, corner: number, { state, sightings, map, errors }: Scene): boolean {
    const { axes, arm, corners, turned } = this
    const camera = at(sightings.cameraOf, n)
    const tag = at(sightings.mapTag, n)
    const point = 12 * tag + 3 * corner
    // from the robot, from the camera, and from the middle of the tag
    const dx = at(map.corners, point) - at(state, 0)
    const dy = at(map.corners, point + 1) - at(state, 1)
    const dz = at(map.corners, point + 2) - at(state, 2)
    const cx = dx - at(arm, 0)
    const cy = dy - at(arm, 1)
    const cz = dz - at(arm, 2)
    const ax = at(map.corners, point) - at(map.middles, 3 * tag)
    const ay = at(map.corners, point + 1) - at(map.middles, 3 * tag + 1)
    const az = at(map.corners, point + 2) - at(map.middles, 3 * tag + 2)
    const z = at(axes, 6) * cx + at(axes, 7) * cy + at(axes, 8) * cz
    if (!(z > MIN_DEPTH_M)) return false
    const { mountSpread } = sightings
    const tagTurn = errors.map_deg * RAD
    for (let axis = 0; axis < 2; axis++) {
      const focal = at(sightings.focal, 2 * camera + axis)
      const share = (at(axes, 3 * axis) * cx + at(axes, 3 * axis + 1) * cy + at(axes, 3 * axis + 2) * cz) / z
      const gx = (focal / z) * (at(axes, 3 * axis) - share * at(axes, 6))
      const gy = (focal / z) * (at(axes, 3 * axis + 1) - share * at(axes, 7))
      const gz = (focal / z) * (at(axes, 3 * axis + 2) - share * at(axes, 8))
      const base = WIDTH * (2 * corner + axis)
      corners[base] = -gx
      corners[base + 1] = -gy
      corners[base + 2] = -gz
      corners[base + 3] = gy * dz - gz * dy
      corners[base + 4] = gz * dx - gx * dz
      corners[base + 5] = gx * dy - gy * dx
      toRobot(state, gx, gy, gz, turned, 0)
      toRobot(state, gy * cz - gz * cy, gz * cx - gx * cz, gx * cy - gy * cx, turned, 3)
      for (let k = 0; k < 3; k++) {
        corners[base + 6 + k] = -at(mountSpread, 6 * camera + k) * at(turned, k)
        corners[base + 9 + k] = at(mountSpread, 6 * camera + 3 + k) * at(turned, 3 + k)
      }
      corners[base + 12] = errors.lens_share * focal * share
      corners[base + 13] = errors.map_m * gx
      corners[base + 14] = errors.map_m * gy
      corners[base + 15] = errors.map_m * gz
      corners[base + 16] = tagTurn * (ay * gz - az * gy)
      corners[base + 17] = tagTurn * (az * gx - ax * gz)
      corners[base + 18] = tagTurn * (ax * gy - ay * gx)
      corners[base + 19] = focal * share - at(sightings.pixels, 8 * n + 2 * corner + axis)
    }
    return true
  }

  /** Its place and its tilt, from how both of its ends move across it. */
  private describeEdge(n: number, edge: number, pixels: Float64Array, scale: number, rows: Float64Array): void {
    const { corners } = this
    const end = (edge + 1) % 4
    const alongU = at(pixels, 8 * n + 2 * end) - at(pixels, 8 * n + 2 * edge)
    const alongV = at(pixels, 8 * n + 2 * end + 1) - at(pixels, 8 * n + 2 * edge + 1)
    const length = Math.sqrt(alongU * alongU + alongV * alongV)
    const u = (scale * alongV) / length
    const v = (-scale * alongU) / length
    const from = WIDTH * 2 * edge
    const to = WIDTH * 2 * end
    const base = ROWS * n + WIDTH * 2 * edge
    for (let k = 0; k < WIDTH; k++) {
      const a = u * at(corners, from + k) + v * at(corners, from + WIDTH + k)
      const b = u * at(corners, to + k) + v * at(corners, to + WIDTH + k)
      rows[base + k] = a + b
      rows[base + WIDTH + k] = (b - a) / TILT
    }
  }
}

/** A vector of the field along the robot's axes. */
const toRobot = (state: Float64Array, x: number, y: number, z: number, out: Float64Array, first: number): void => {
  for (let k = 0; k < 3; k++) out[first + k] = at(state, 3 + k) * x + at(state, 6 + k) * y + at(state, 9 + k) * z
}
