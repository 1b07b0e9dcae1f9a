// Field maps in the forms of others, for their programs.
import type { FieldMap, FieldTag } from '../field-map.ts'
import { type Pose, poseFromDocument, rotate } from '../pose.ts'
import type { MapForm } from './map-draft.ts'
import { vendorFamily } from './tag-family-name.ts'

/** The document of a map in a form. WPILib's do not say which tags are printed, and how large. */
export const exportMap = (map: FieldMap, form: MapForm): object => EXPORTS[form](map)

const EXPORTS: Readonly<Record<MapForm, (map: FieldMap) => object>> = {
  vedette: (map) => map,
  wpilib: (map) => ({ tags: map.tags.map(wpilibTag), field: { length: map.length_m, width: map.width_m } }),
  'wpilib-2027': (map) => ({
    name: map.name,
    season: /\b20\d\d\b/.exec(map.name)?.[0] ?? '',
    game: map.name,
    program: 'frc',
    'field-dimensions': { length: map.length_m, width: map.width_m },
    'field-tags': map.tags.map(wpilibTag),
  }),
  fmap: (map) => ({
    type: 'frc',
    name: map.name,
    fieldlength: map.length_m,
    fieldwidth: map.width_m,
    fiducials: map.tags.map((tag) => fiducial(map, tag)),
  }),
}

const wpilibTag = ({ id, pose }: FieldTag) => {
  const { x, y, z, qw, qx, qy, qz } = poseFromDocument(pose)
  return { ID: id, pose: { translation: { x, y, z }, rotation: { quaternion: { W: qw, X: qx, Y: qy, Z: qz } } } }
}

const fiducial = (map: FieldMap, { id, family = map.family, size_m = map.tag_size_m, pose }: FieldTag) => ({
  family: vendorFamily(family),
  id,
  size: Number((size_m * 1000).toPrecision(12)),
  unique: 1,
  transform: rowsOf(poseFromDocument(pose), map.length_m / 2, map.width_m / 2),
})

const rowsOf = (pose: Pose, middleX: number, middleY: number): readonly number[] => {
  const [forward, left, up] = [rotate(pose, 1, 0, 0), rotate(pose, 0, 1, 0), rotate(pose, 0, 0, 1)]
  const place = [pose.x - middleX, pose.y - middleY, pose.z] as const
  return [...[0, 1, 2].flatMap((n) => [forward[n], left[n], up[n], place[n]] as number[]), 0, 0, 0, 1]
}
