// The robot's place by its heading, against the truth that came with the same frame.
import { RESULT_FIELDS, type Result, rowsOf } from '../../../machines/engine/result.ts'
import { isRotated, type Pose, poseAt } from '../../../machines/localization/pose.ts'

type Field = (typeof RESULT_FIELDS.field_pose)[number]

/** Metres; `of` over the standard deviations. */
export interface PlaceError {
  /** From how many. */
  readonly tags: number
  readonly distanceM: number
  readonly offM: number
  readonly stdM: readonly [x: number, y: number, z: number]
  readonly of: readonly [x: number, y: number, z: number]
  /** Of the pose by the corners alone; undefined: they left it open. */
  readonly freeOffM: number | undefined
}

/** undefined for a frame in which no place was solved. */
export const placeError = (result: Result): PlaceError | undefined => {
  const rows = rowsOf(result, 'pose')
  const truth = rowsOf(result, 'truth')
  if (!rows?.count || !truth?.count) return undefined
  const column = (field: Field) => rows.offset + RESULT_FIELDS.field_pose.indexOf(field)
  const at = (field: Field) => result.data[column(field)] as number
  if (at('has_heading') !== 1) return undefined
  const is = poseAt(result.data, truth.offset)
  const said = poseAt(result.data, column('heading_field_robot_x_m'))
  const free = poseAt(result.data, column('field_robot_x_m'))
  const stdM = [at('heading_std_x_m'), at('heading_std_y_m'), at('heading_std_z_m')] as const
  return {
    tags: at('tag_count'),
    distanceM: at('mean_distance_m'),
    offM: apartM(said, is),
    stdM,
    of: [Math.abs(said.x - is.x) / stdM[0], Math.abs(said.y - is.y) / stdM[1], Math.abs(said.z - is.z) / stdM[2]],
    freeOffM: isRotated(free) ? apartM(free, is) : undefined,
  }
}

const apartM = (a: Pose, b: Pose): number => Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z)
