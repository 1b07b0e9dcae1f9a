// The axes of tags in the picture. The lens need not be known: how it maps the corners of the tag, whose places in the
// camera and in the picture are both known, tells how it maps what is near them.
import type { Documents } from '../api/documents.ts'
import type { Outputs } from '../api/outputs.ts'

type Pixel = Documents['Pixel']

/** Where the axes of a tag begin and end in the picture, each as long as half a side. */
export interface TagAxes {
  readonly id: number
  readonly from: Pixel
  readonly x: Pixel
  readonly y: Pixel
  /** Out of the tag, towards who looks at it. */
  readonly z: Pixel
}

type QuaternionPose = Documents['QuaternionPose']
type Vector = readonly [number, number, number]

// Another size only scales what is seen of a pose and its lens at once: what is drawn stays the same.
const HALF_SIDE_M = 0.08255

/** In the frame of the tag, in the order of the corners of a detection. */
const CORNERS: readonly Vector[] = [
  [-1, 1, 0],
  [1, 1, 0],
  [1, -1, 0],
  [-1, -1, 0],
]

/** Where a place of the tag is seen: X/Z and Y/Z in the optical frame. */
const seenAt = ({ x_m, y_m, z_m, qw, qx, qy, qz }: QuaternionPose, [x, y, z]: Vector): readonly [number, number] => {
  const [right, down, into] = [x * HALF_SIDE_M, y * HALF_SIDE_M, z * HALF_SIDE_M]
  // v + 2 q × (q × v + w v)
  const [ax, ay, az] = [
    qy * into - qz * down + qw * right,
    qz * right - qx * into + qw * down,
    qx * down - qy * right + qw * into,
  ]
  const depth = z_m + into + 2 * (qx * ay - qy * ax)
  return [(x_m + right + 2 * (qy * az - qz * ay)) / depth, (y_m + down + 2 * (qz * ax - qx * az)) / depth]
}

const axesOfTag = (tag: Documents['Detection'], { camera_tag }: Documents['TagPose']): TagAxes => {
  const { center } = tag
  const origin = seenAt(camera_tag, [0, 0, 0])
  // The focal length that fits the corners best, with the centre where it is seen.
  let [products, squares] = [0, 0]
  for (const [at, corner] of CORNERS.entries()) {
    const seen = seenAt(camera_tag, corner)
    const [across, down] = [seen[0] - origin[0], seen[1] - origin[1]]
    const place = tag.corners[at] ?? center
    products += across * (place.x_px - center.x_px) + down * (place.y_px - center.y_px)
    squares += across ** 2 + down ** 2
  }
  const focalPx = squares === 0 ? 0 : products / squares
  const place = (of: Vector): Pixel => {
    const seen = seenAt(camera_tag, of)
    return {
      x_px: center.x_px + focalPx * (seen[0] - origin[0]),
      y_px: center.y_px + focalPx * (seen[1] - origin[1]),
    }
  }
  return { id: tag.id, from: center, x: place([1, 0, 0]), y: place([0, 1, 0]), z: place([0, 0, -1]) }
}

/** Of each tag that was seen and whose pose was solved. */
export const axesOf = (outputs: Outputs): readonly TagAxes[] => {
  const all = Object.values(outputs)
  const poses = all.flatMap((output) => (output.kind === 'tag_poses' ? output.rows : []))
  return all
    .flatMap((output) => (output.kind === 'detections' ? output.rows : []))
    .flatMap((tag) => {
      const pose = poses.find(({ family, id }) => family === tag.family && id === tag.id)
      return pose ? [axesOfTag(tag, pose)] : []
    })
}
