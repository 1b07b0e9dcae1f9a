// Fields that show a camera one tag at a time.
import { demoMap, type FieldMap } from '../../../machines/localization/field-map.ts'

/** One tag in the middle of nowhere, its face towards +x. */
export const oneTag: FieldMap = {
  id: 'one',
  name: 'One tag',
  length_m: 10,
  width_m: 10,
  family: 'tag36h11',
  tag_size_m: 0.2,
  tags: [{ id: 5, pose: { x_m: 1, y_m: 3, z_m: 1, roll_deg: 0, pitch_deg: 0, yaw_deg: 0 } }],
}

/** One tag of each pair of the demo's: hardly ever two in view. */
export const singleTags: FieldMap = { ...demoMap, tags: demoMap.tags.filter(({ id }) => id % 2 === 1) }
