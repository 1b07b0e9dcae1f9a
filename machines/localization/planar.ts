// Poses on the floor: x, y and yaw. As rigid poses (pose.ts) for what a robot's wheels know.
import type { Pose } from './pose.ts'

/** Metres and radians; the yaw may count whole turns. */
export interface Planar {
  readonly x: number
  readonly y: number
  readonly yaw: number
}

export const STANDING: Planar = { x: 0, y: 0, yaw: 0 }

/** Pose of C in A, from B in A and C in B. */
export const composePlanar = (a: Planar, b: Planar): Planar => {
  const { x, y } = rotatePlanar(a, b)
  return { x: a.x + x, y: a.y + y, yaw: a.yaw + b.yaw }
}

/** What lies at b as seen from a, from a on in the axes in which a stands. */
export const rotatePlanar = (a: Planar, b: Planar): { readonly x: number; readonly y: number } => {
  const cos = Math.cos(a.yaw)
  const sin = Math.sin(a.yaw)
  return { x: cos * b.x - sin * b.y, y: sin * b.x + cos * b.y }
}

/** Pose of B in A, from both on the same floor. */
export const planarBetween = (a: Planar, b: Planar): Planar => {
  const cos = Math.cos(a.yaw)
  const sin = Math.sin(a.yaw)
  const x = b.x - a.x
  const y = b.y - a.y
  return { x: cos * x + sin * y, y: cos * y - sin * x, yaw: b.yaw - a.yaw }
}

/** That share of a step which is driven and turned evenly, so on an arc; above 1 it goes on. */
export const partOfPlanar = ({ x, y, yaw }: Planar, share: number): Planar => {
  const bend = ((share - 1) * yaw) / 2
  const half = Math.sin(yaw / 2)
  const stretch = Math.abs(half) < 1e-9 ? share : Math.sin((share * yaw) / 2) / half
  const cos = Math.cos(bend) * stretch
  const sin = Math.sin(bend) * stretch
  return { x: cos * x - sin * y, y: sin * x + cos * y, yaw: share * yaw }
}

/** The shorter way round, in (-pi, pi]. */
export const wrapAngle = (angle: number): number => {
  const wrapped = angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI))
  return wrapped <= -Math.PI ? wrapped + 2 * Math.PI : wrapped
}

/** Level, on the floor. */
export const poseOfPlanar = ({ x, y, yaw }: Planar): Pose => ({
  x,
  y,
  z: 0,
  qw: Math.cos(yaw / 2),
  qx: 0,
  qy: 0,
  qz: Math.sin(yaw / 2),
})

/** The direction into which the robot looks, radians. */
export const yawOf = ({ qw, qx, qy, qz }: Pose): number =>
  Math.atan2(2 * (qw * qz + qx * qy), 1 - 2 * (qy * qy + qz * qz))

/** What a pose is on the floor. */
export const planarOf = (pose: Pose): Planar => ({ x: pose.x, y: pose.y, yaw: yawOf(pose) })
