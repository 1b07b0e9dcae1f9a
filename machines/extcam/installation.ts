// What a stream's results are seen with: the lens, the mount and the field, made ready for the arithmetic of each
// frame.

import type { CropPlace } from '../cameras/crop.ts'
import type { FieldMap } from '../localization/field-map.ts'
import { identityPose, type Pose, type PoseDocument, poseFromDocument } from '../localization/pose.ts'
import { keyInMap } from '../localization/tag-key.ts'
import type { Intrinsics } from '../stream/manifest.ts'
import { inOpticalAxes, mountAsVendor, targetInField } from './geometry.ts'
import { type Lens, lensOf } from './lens.ts'
import type { LiveControls } from './live.ts'

/** How a camera is set up. */
export interface Installation {
  readonly map: FieldMap
  /** Those in force; null: uncalibrated. */
  readonly intrinsics: Intrinsics | null
  /** What its pictures are of the whole ones; none: all. */
  readonly crop?: CropPlace | null
  /** The camera body in the robot frame; null: its origin. */
  readonly mount: PoseDocument | null
  /** What the robot has said of its target; none: nothing. */
  readonly live?: Pick<LiveControls, 'priority_id' | 'aim_m'> & Partial<Pick<LiveControls, 'localization_ids'>>
}

/** An installation, for pictures of one size. */
export interface SizedInstallation {
  readonly lens: Lens
  readonly field: FieldMap
  /** The map's tags by family and id (tagKey), with the vendor's target axes, in the field. */
  readonly targets: ReadonlyMap<number, Pose>
  /** Whether the robot's pose is solved from a tag of this id, as far as the robot chooses. */
  readonly solvesFrom: (id: number) => boolean
  /** The camera in the robot, both with right-down-forward axes. */
  readonly cameraInRobot: Pose
  /** The value of `camerapose_robotspace`. */
  readonly mountAsVendor: Float64Array
}

const sizedInstallation = (
  { map, intrinsics, crop, mount, live }: Installation,
  widthPx: number,
  heightPx: number,
): SizedInstallation => ({
  lens: lensOf(intrinsics, sizePx(widthPx), sizePx(heightPx), crop),
  field: map,
  targets: new Map(map.tags.map((tag) => [keyInMap(map, tag), targetInField(poseFromDocument(tag.pose))])),
  solvesFrom: (id) => live?.localization_ids?.includes(id) ?? true,
  cameraInRobot: mount ? inOpticalAxes(poseFromDocument(mount)) : identityPose,
  mountAsVendor: mountAsVendor(mount),
})

/** A size to divide by, whatever the engine says. */
const sizePx = (size: number): number => (size >= 1 && size <= 1e6 ? size : 1)

/**
 * Keeps the newest one: it is made again only when a part of the installation was replaced or the pictures changed
 * their size.
 */
export class InstallationCache {
  #made:
    | {
        readonly installation: Installation
        readonly widthPx: number
        readonly heightPx: number
        readonly sized: SizedInstallation
      }
    | undefined

  get(installation: Installation, widthPx: number, heightPx: number): SizedInstallation {
    const made = this.#made
    const same =
      made &&
      made.widthPx === widthPx &&
      made.heightPx === heightPx &&
      made.installation.map === installation.map &&
      made.installation.intrinsics === installation.intrinsics &&
      made.installation.crop === installation.crop &&
      made.installation.mount === installation.mount &&
      made.installation.live === installation.live
    if (same) return made.sized
    const sized = sizedInstallation(installation, widthPx, heightPx)
    this.#made = { installation, widthPx, heightPx, sized }
    return sized
  }
}
