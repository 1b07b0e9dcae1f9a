// Where the robot was.

/** Places on the field in metres, the newest last. */
export type Trail = (readonly [number, number])[]

const MAX_TRAIL = 400
const MIN_STEP_M = 0.03
const MAX_STEP_M = 1.5 // farther from one to the next it did not drive

/** Adds where it is now. */
export const extendTrail = (trail: Trail, { x_m, y_m }: { readonly x_m: number; readonly y_m: number }): void => {
  const last = trail.at(-1)
  const step = last ? Math.hypot(x_m - last[0], y_m - last[1]) : Number.POSITIVE_INFINITY
  if (step < MIN_STEP_M) return
  if (step > MAX_STEP_M) trail.length = 0
  trail.push([x_m, y_m])
  if (trail.length > MAX_TRAIL) trail.shift()
}
