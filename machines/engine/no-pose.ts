// Why a tag that was found has no pose.
import { type OutputLayout, RESULT_FIELDS, type Result, rowsOf } from './result.ts'

/**
 * By the `no_pose` of a row of tag_poses less one; 0 there: it has a pose.
 *
 * uncalibrated: the camera is not calibrated for pictures of this size. beyond_lens: a corner lies where the lens model
 * has no inverse. no_square: its corners are seen as no square can be. unsolved, which no row says: the pipeline does
 * not solve it.
 */
export const NO_POSE = ['uncalibrated', 'beyond_lens', 'no_square', 'unsolved'] as const
export type NoPose = (typeof NO_POSE)[number]

const fields: readonly string[] = RESULT_FIELDS.tag_poses
const ID = fields.indexOf('id')
const WHY = fields.indexOf('no_pose')

const isTagPoses = ({ kind }: OutputLayout): boolean => kind === 'tag_poses'

/**
 * Of the n-th of some detections: undefined where it has a pose, or where nobody asks for poses. Its row of poses is
 * normally the n-th, too, else the one of the same family and id.
 */
export const noPoseOf = (result: Result, n: number, family: number, id: number): NoPose | undefined => {
  const outputs = result.layout.outputs.filter(isTagPoses)
  if (outputs.length === 0) return undefined
  const whys = outputs.flatMap(({ port }) => {
    const { count, offset, stride } = rowsOf(result, port) ?? { count: 0, offset: 0, stride: 0 }
    const at = (row: number, field: number) => result.data[offset + row * stride + field] as number
    const rows = Array.from({ length: count }, (_, row) => row)
    const same = rows.filter((row) => at(row, 0) === family && at(row, ID) === id)
    const row = same.includes(n) ? n : same[0]
    return row === undefined ? [] : [at(row, WHY)]
  })
  if (whys.length === 0) return 'unsolved'
  return whys.includes(0) ? undefined : NO_POSE[(whys[0] as number) - 1]
}
