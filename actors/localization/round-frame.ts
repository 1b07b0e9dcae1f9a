// From a stream's result to a frame of a round.
import type { TimestampSource } from '../../machines/engine/controls.ts'
import { header, RESULT_FIELDS, type Result, rowsOf } from '../../machines/engine/result.ts'
import { isPose } from '../../machines/extcam/rows.ts'
import { type Pose, poseAt } from '../../machines/localization/pose.ts'
import type { RoundFrame } from '../../machines/localization/round.ts'

/** Poses that the engine has solved already, best first. */
const STARTS = ['field_robot_x_m', 'alt_field_robot_x_m', 'heading_field_robot_x_m'].map((field) =>
  (RESULT_FIELDS.field_pose as readonly string[]).indexOf(field),
)

/** What a frame brings to a round; undefined: its pipeline looks for no tags. */
export const roundFrameOf = (
  streamId: string,
  result: Result,
  timestampSource: TimestampSource,
): RoundFrame | undefined => {
  const { observation } = result
  if (!observation) return undefined
  return { streamId, capturedUs: header(result, 'captured_us'), timestampSource, observation, starts: startsIn(result) }
}

const startsIn = (result: Result): readonly Pose[] => {
  const output = result.layout.outputs.find(({ kind }) => kind === 'field_pose')
  const rows = output && rowsOf(result, output.port)
  if (!rows || rows.count === 0) return []
  return STARTS.map((place) => rows.offset + place)
    .filter((at) => isPose(result.data, at))
    .map((at) => poseAt(result.data, at))
}
