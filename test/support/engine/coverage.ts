// How often an error is within so many of the standard deviations that came with it.

import { RESULT_FIELDS, type Result, rowsOf } from '../../../machines/engine/result.ts'
import { eulerDeg, type Pose, poseAt } from '../../../machines/localization/pose.ts'

/** What the robot is told standard deviations of, and filters by. */
export const AXES = ['x', 'y', 'z', 'yaw'] as const
export type Axis = (typeof AXES)[number]

/** Errors of one pose over their standard deviations, and how it came about. */
export interface Deviation {
  readonly tagCount: number
  readonly ambiguity: number
  readonly of: Readonly<Record<Axis, number>>
}

type Field = (typeof RESULT_FIELDS.field_pose)[number]

/** undefined for a frame without a pose. */
export const deviationOf = (result: Result): Deviation | undefined => {
  const rows = rowsOf(result, 'pose')
  const truth = rowsOf(result, 'truth')
  if (!rows?.count || !truth?.count) return undefined
  const at = (field: Field) => result.data[rows.offset + RESULT_FIELDS.field_pose.indexOf(field)] as number
  const is = poseAt(result.data, truth.offset)
  const said = poseAt(result.data, rows.offset + RESULT_FIELDS.field_pose.indexOf('field_robot_x_m'))
  return {
    tagCount: at('tag_count'),
    ambiguity: at('ambiguity'),
    of: {
      x: Math.abs(said.x - is.x) / at('std_x_m'),
      y: Math.abs(said.y - is.y) / at('std_y_m'),
      z: Math.abs(said.z - is.z) / at('std_z_m'),
      yaw: Math.abs(turned(said, is)) / at('std_yaw_deg'),
    },
  }
}

const turned = (a: Pose, b: Pose): number => ((eulerDeg(a)[2] - eulerDeg(b)[2] + 540) % 360) - 180

/** Percent of the deviations within one, two and three. */
export const within = (deviations: readonly number[]): readonly [number, number, number] => {
  const share = (most: number) => (100 * deviations.filter((each) => each <= most).length) / deviations.length
  return [share(1), share(2), share(3)]
}

/** What is asked of within(): percent from and to. A normal error has 68.3, 95.4, 99.7. */
export const WITHIN_BOUNDS = [
  [60, 75],
  [92, 98],
  [98.5, 100],
] as const
