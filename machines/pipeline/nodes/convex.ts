// Whether four points can be the corners of a rectangle that is seen at an angle.

/** A place in a picture, as shares of its width and height. */
export type PlaceShare = readonly [x: number, y: number]

/**
 * Less than this share of the picture between a corner and its two neighbours, twice, and what lies there is stretched
 * beyond recognition.
 */
const MIN_SHARE = 0.001

/** They go clockwise as seen, and none lies between the others. */
export const areCorners = (points: readonly PlaceShare[]): boolean =>
  points.every(([ax, ay], n) => {
    const [bx, by] = points[(n + 1) % points.length] as PlaceShare
    const [cx, cy] = points[(n + 2) % points.length] as PlaceShare
    return (bx - ax) * (cy - by) - (by - ay) * (cx - bx) >= MIN_SHARE
  })
