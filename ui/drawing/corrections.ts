// How far something is off, made larger: a few centimetres of a field would hardly be seen.
import { type AnglePose, wrapDeg } from './scene-pose.ts'

/** Where something was believed to be, and where it is. */
export interface Correction {
  readonly before: AnglePose
  readonly after: AnglePose
}

const STEPS = [100, 50, 20, 10, 5, 2] as const
const ANGLES = ['roll_deg', 'pitch_deg', 'yaw_deg'] as const
const MAX_TURNED_DEG = 45

/** How many times larger all of them can be drawn. max_m: as far as one may be drawn from where it was. */
export const timesOf = (corrections: readonly Correction[], max_m: number): number =>
  STEPS.find((times) =>
    corrections.every(
      ({ before, after }) =>
        times * Math.hypot(after.x_m - before.x_m, after.y_m - before.y_m, after.z_m - before.z_m) <= max_m &&
        ANGLES.every((angle) => times * Math.abs(wrapDeg(after[angle] - before[angle])) <= MAX_TURNED_DEG),
    ),
  ) ?? 1

/** `after`, so many times as far from `before` as it is. */
export const enlarge = ({ before, after }: Correction, times: number): AnglePose => {
  const along = (axis: 'x_m' | 'y_m' | 'z_m') => before[axis] + times * (after[axis] - before[axis])
  const about = (angle: (typeof ANGLES)[number]) => before[angle] + times * wrapDeg(after[angle] - before[angle])
  return {
    x_m: along('x_m'),
    y_m: along('y_m'),
    z_m: along('z_m'),
    roll_deg: about('roll_deg'),
    pitch_deg: about('pitch_deg'),
    yaw_deg: about('yaw_deg'),
  }
}
