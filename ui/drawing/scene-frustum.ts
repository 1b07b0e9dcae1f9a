// What a camera sees: the pyramid from its lens through the corners of its picture.
import type { Documents } from '../api/documents.ts'
import { carry, type Point3, type QuaternionPose } from './scene-pose.ts'

/** How far a picture reaches, as tangents from the optical axis: left and top are negative. */
export interface ViewLimits {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
  /** Whether nobody has said what the lens is like. */
  readonly isGuessed: boolean
}

/** What most cameras of robots have, where nothing is known: degrees from the left edge to the right one. */
export const GUESSED_WIDTH_DEG = 70
const GUESSED_ASPECT = 16 / 10

type Lens = Pick<Documents['Intrinsics'], 'width_px' | 'height_px' | 'fx_px' | 'fy_px' | 'cx_px' | 'cy_px'>

const HALF_PX = 0.5 // the middle of the first pixel is (0, 0)

/** Of a lens. Its distortion is left out: the corners are where a lens without one has them. */
export const limitsOf = ({ width_px, height_px, fx_px, fy_px, cx_px, cy_px }: Lens): ViewLimits => ({
  left: (-HALF_PX - cx_px) / fx_px,
  right: (width_px - HALF_PX - cx_px) / fx_px,
  top: (-HALF_PX - cy_px) / fy_px,
  bottom: (height_px - HALF_PX - cy_px) / fy_px,
  isGuessed: false,
})

/** Of a camera of which only the size of its pictures is known, if that. */
export const guessLimits = (width_px?: number | null, height_px?: number | null): ViewLimits => {
  const right = Math.tan((GUESSED_WIDTH_DEG / 2) * (Math.PI / 180))
  const bottom = right / (width_px && height_px ? width_px / height_px : GUESSED_ASPECT)
  return { left: -right, right, top: -bottom, bottom, isGuessed: true }
}

/** What the service knows of a stream's pictures. */
export interface SeenOfStream {
  readonly lens?: (Lens & Pick<Documents['StreamLens'], 'source'>) | null
  readonly width_px: number | null
  readonly height_px: number | null
}

/** Of the lens in use, which may be a guess of the service; where none is told, of other devices too, our own guess. */
export const limitsOfStream = ({ lens, width_px, height_px }: SeenOfStream): ViewLimits =>
  lens ? { ...limitsOf(lens), isGuessed: lens.source === 'guessed' } : guessLimits(width_px, height_px)

/** From the left edge of the picture to the right one. */
export const widthDegOf = ({ left, right }: ViewLimits): number =>
  ((Math.atan(right) - Math.atan(left)) * 180) / Math.PI

/** The corners of the pyramid at a distance ahead, in the frame of the camera body: left top, then clockwise. */
export const bodyCorners = ({ left, right, top, bottom }: ViewLimits, ahead_m: number): readonly Point3[] =>
  [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ].map(([x = 0, y = 0]) => [ahead_m, -x * ahead_m, -y * ahead_m])

/** The tip of the pyramid and its four corners, in the frame in which the camera's body stands. */
export const frustumOf = (
  body: QuaternionPose,
  limits: ViewLimits,
  ahead_m: number,
): readonly [Point3, ...Point3[]] => [
  [body.x_m, body.y_m, body.z_m],
  ...bodyCorners(limits, ahead_m).map((corner) => carry(body, corner)),
]

/** The outline of points on a plane, to the left around them. */
export const outlineOf = (points: readonly (readonly [number, number])[]): readonly (readonly [number, number])[] => {
  const sorted = points.toSorted(([ax, ay], [bx, by]) => ax - bx || ay - by)
  const half = (of: typeof sorted) => {
    const chain: (readonly [number, number])[] = []
    for (const point of of) {
      while (chain.length > 1 && !isLeftTurn(chain.at(-2) as typeof point, chain.at(-1) as typeof point, point))
        chain.pop()
      chain.push(point)
    }
    return chain.slice(0, -1)
  }
  return [...half(sorted), ...half(sorted.toReversed())]
}

type Plane = readonly [number, number]
const isLeftTurn = ([ax, ay]: Plane, [bx, by]: Plane, [cx, cy]: Plane): boolean =>
  (bx - ax) * (cy - ay) - (by - ay) * (cx - ax) > 0
