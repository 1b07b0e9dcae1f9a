// Why a tag, or a whole camera, is not used.
import type { Static } from 'typebox'
import { oneLine } from '../schema/one-line.ts'
import Type from '../schema/type.ts'

/** Why a tag that was seen is not used. */
export const TagReason = Type.Enum(
  [
    ...['unknown_tag', 'other_family', 'twice', 'ignored', 'no_lens', 'old_frame', 'clock_unknown'],
    ...['inconsistent', 'mirror', 'too_unsure', 'off_field', 'against_prediction', 'heading_contradicts'],
  ] as [
    ...['unknown_tag', 'other_family', 'twice', 'ignored', 'no_lens', 'old_frame', 'clock_unknown'],
    ...['inconsistent', 'mirror', 'too_unsure', 'off_field', 'against_prediction', 'heading_contradicts'],
  ],
  {
    title: 'LocalizationTagReason',
    description: oneLine`
      \`unknown_tag\`: the map has no such tag. \`other_family\`: the map has that number in another family. \`twice\`:
      the camera sees it in two places, and nobody knows which is the real one. \`ignored\`: the config, or the robot,
      says so. \`no_lens\`: its corners fall where the lens is not known. \`old_frame\`: its picture came too late.
      \`clock_unknown\`: nobody knows when its picture was taken, and the robot moves. \`inconsistent\`: it hangs
      elsewhere than the map says, judged by the others. \`mirror\`: which of two mirrored poses is the true one is not
      decided. \`too_unsure\`: the pose that it gives is not sure enough. \`off_field\`: the pose that it gives is
      outside of the field. \`against_prediction\`: it contradicts where the robot was a moment ago.
      \`heading_contradicts\`: it contradicts the robot's heading.`,
  },
)
export type TagReason = Static<typeof TagReason>

/** Why a stream is not used. */
export const StreamReason = Type.Enum(
  ['not_chosen', 'not_live', 'no_tags_in_pipeline', 'no_lens', 'no_pose', 'other_map', 'no_map', 'clock_unknown'],
  {
    title: 'LocalizationStreamReason',
    description: oneLine`
      \`not_chosen\`: the config leaves it out. \`not_live\`: no pictures come. \`no_tags_in_pipeline\`: its pipeline
      finds no tags. \`no_lens\`: its lens is not calibrated. \`no_pose\`: nobody has said where the camera sits on the
      robot. \`other_map\`: it uses another field map. \`no_map\`: there is no field map of that id. \`clock_unknown\`:
      nobody knows when its pictures were taken, and the robot moves.`,
  },
)
export type StreamReason = Static<typeof StreamReason>
