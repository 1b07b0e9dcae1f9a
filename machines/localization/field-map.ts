// Field maps: where the tags are. The built-in one belongs to the demo; more are files in the data directory.
import type { Static } from 'typebox'
import { FAMILY_SIZES, TagFamilyName } from '../engine/tag-families.ts'
import { firstError, validatorOf } from '../schema/errors.ts'
import { Name } from '../schema/name.ts'
import Type from '../schema/type.ts'
import { token } from '../token.ts'
import { PoseDocument, poseToDocument } from './pose.ts'

const strict = { additionalProperties: false } as const

const FieldTag = Type.Object(
  { id: Type.Integer({ minimum: 0, maximum: 100_000 }), pose: PoseDocument },
  {
    ...strict,
    title: 'FieldTag',
    description: 'A tag, and its pose on the field: x out of the printed face, y to the left of that, z up.',
  },
)

/**
 * A tag's pose is in the field frame, with x out of the printed face, y to the left of that, z up. tag_size_m: edge of
 * the square that its corners mark.
 */
export const FieldMap = Type.Object(
  {
    id: Type.String({
      pattern: '^[a-z0-9][a-z0-9_-]{0,59}$',
      description: '1 to 60 lower-case letters, digits, - and _, beginning with a letter or digit.',
      examples: ['demo'],
    }),
    name: Name(120, 'A name for people.'),
    length_m: Type.Number({ exclusiveMinimum: 0, maximum: 1000, description: 'Of the field, along x.' }),
    width_m: Type.Number({ exclusiveMinimum: 0, maximum: 1000, description: 'Of the field, along y.' }),
    family: TagFamilyName,
    tag_size_m: Type.Number({
      exclusiveMinimum: 0,
      maximum: 10,
      description:
        'Edge of the square that the corners of its family mark: the black one, or the white one within black.',
    }),
    tags: Type.Array(FieldTag, { maxItems: 1000 }),
  },
  {
    ...strict,
    title: 'FieldMap',
    description:
      'Where the tags are on a field; its frame has the origin at the blue corner, x towards the red wall, z up.',
  },
)
export type FieldMap = Static<typeof FieldMap>

/** For the moment in which a stream's map is missing; the stream itself says so. */
export const EMPTY_MAP: FieldMap = {
  id: 'none',
  name: 'none',
  length_m: 1,
  width_m: 1,
  family: 'tag36h11',
  tag_size_m: 0.1651,
  tags: [],
}

/** All known field maps by id: the built-in one and the ones in the data directory, as they were when last read. */
export type FieldMaps = () => ReadonlyMap<string, FieldMap>

export const FIELD_MAPS = token<FieldMaps>('field-maps')

/** A file that shall be a map and is none. */
export const LeftOutMap = Type.Object(
  {
    file: Type.String({
      description: 'Its name, in the folder `maps` of the data directory; empty: the folder itself.',
    }),
    detail: Type.String({ description: 'Why, as a sentence.' }),
  },
  { ...strict, title: 'LeftOutMap', description: 'A file that shall be a field map and cannot be used.' },
)
export type LeftOutMap = Static<typeof LeftOutMap>

/** What is in the data directory. */
export interface PresentMaps {
  /** All that are known. */
  readonly maps: ReadonlyMap<string, FieldMap>
  /** All files that shall be maps and are none. */
  readonly leftOut: readonly LeftOutMap[]
}

/** Looks at the data directory, and answers when that is done. */
export type LookForMaps = () => Promise<PresentMaps>

export const LOOK_FOR_MAPS = token<LookForMaps>('look-for-maps')

const Axis = Type.Number({ minimum: -1000, maximum: 1000 })

/** WPILib's AprilTagFieldLayout JSON, the form in which teams have their fields. */
const WpilibLayout = Type.Object({
  field: Type.Object({ length: FieldMap.properties.length_m, width: FieldMap.properties.width_m }),
  tags: Type.Array(
    Type.Object({
      ID: Type.Integer({ minimum: 0, maximum: 100_000 }),
      pose: Type.Object({
        translation: Type.Object({ x: Axis, y: Axis, z: Axis }),
        rotation: Type.Object({ quaternion: Type.Object({ W: Axis, X: Axis, Y: Axis, Z: Axis }) }),
      }),
    }),
    { maxItems: 1000 },
  ),
})

/** FRC prints its tags at 6.5 inches; WPILib's files do not say so. */
const FRC_TAG_SIZE_M = 0.1651

export type ReadMap = { readonly ok: true; readonly map: FieldMap } | { readonly ok: false; readonly reason: string }

const errorsInMap = validatorOf(FieldMap)
const errorsInLayout = validatorOf(WpilibLayout)

/** What a map is called whose file does not say it: an id for paths, and a name for people. */
export interface MapNames {
  readonly id: string
  readonly name: string
}

/** Reads a map in our own form or in WPILib's. names: taken from the file's name, for the latter. */
export const readFieldMap = (json: unknown, names: MapNames): ReadMap => {
  const isLayout = typeof json === 'object' && json !== null && 'field' in json
  const inLayout = isLayout ? errorsInLayout(json) : []
  const map = isLayout && inLayout.length === 0 ? fromWpilib(json as Static<typeof WpilibLayout>, names) : json
  const errors = inLayout.length > 0 ? inLayout : errorsInMap(map)
  if (errors.length > 0)
    return { ok: false, reason: `not a field map of Vedette's own form or WPILib's: ${firstError(errors, 'the file')}` }
  return duplicateTag(map as FieldMap) ?? strangeTag(map as FieldMap) ?? { ok: true, map: map as FieldMap }
}

const fromWpilib = (layout: Static<typeof WpilibLayout>, { id, name }: MapNames): FieldMap => ({
  id,
  name: isNameOfMap(name) ? name : id,
  length_m: layout.field.length,
  width_m: layout.field.width,
  family: 'tag36h11',
  tag_size_m: FRC_TAG_SIZE_M,
  tags: layout.tags.map(({ ID, pose: { translation, rotation } }) => {
    const { W, X, Y, Z } = rotation.quaternion
    const length = Math.hypot(W, X, Y, Z) || 1
    return {
      id: ID,
      pose: poseToDocument({ ...translation, qw: W / length, qx: X / length, qy: Y / length, qz: Z / length }),
    }
  }),
})

const duplicateTag = (map: FieldMap): ReadMap | undefined => {
  const seen = new Set<number>()
  for (const { id } of map.tags) {
    if (seen.has(id)) return { ok: false, reason: `tag ${id} stands in it twice; each id may be used once` }
    seen.add(id)
  }
  return undefined
}

/** One that nobody can print: the family or the number is a mistake. */
const strangeTag = ({ family, tags }: FieldMap): ReadMap | undefined => {
  const count = FAMILY_SIZES[family].tags
  const strange = tags.find(({ id }) => id >= count)
  if (!strange) return undefined
  return { ok: false, reason: `tag ${strange.id} is none of ${family}, whose tags are 0 to ${count - 1}` }
}

const errorsInName = validatorOf(FieldMap.properties.name)
const isNameOfMap = (name: string): boolean => errorsInName(name).length === 0

const LENGTH_M = 16.54
const WIDTH_M = 8.07
const HEIGHT_M = 1.2
const HALF_PAIR_M = 0.3

/** Two tags side by side, 0.6 m apart, facing along yaw_deg. */
const pair = (id: number, x_m: number, y_m: number, yaw_deg: number) => {
  const yaw = (yaw_deg * Math.PI) / 180
  return [-1, 1].map((side, n) => ({
    id: id + n,
    pose: {
      x_m: x_m - side * HALF_PAIR_M * Math.sin(yaw),
      y_m: y_m + side * HALF_PAIR_M * Math.cos(yaw),
      z_m: HEIGHT_M,
      roll_deg: 0,
      pitch_deg: 0,
      yaw_deg,
    },
  }))
}

/** The demo's field: pairs of tags on all four walls, so that a robot that looks along the field sees two or more. */
export const demoMap: FieldMap = {
  id: 'demo',
  name: 'Demo field',
  length_m: LENGTH_M,
  width_m: WIDTH_M,
  family: 'tag36h11',
  tag_size_m: FRC_TAG_SIZE_M,
  tags: [
    ...pair(1, 0, WIDTH_M / 4, 0),
    ...pair(3, 0, (WIDTH_M * 3) / 4, 0),
    ...pair(5, LENGTH_M, WIDTH_M / 4, 180),
    ...pair(7, LENGTH_M, (WIDTH_M * 3) / 4, 180),
    ...pair(9, LENGTH_M / 4, 0, 90),
    ...pair(11, (LENGTH_M * 3) / 4, 0, 90),
    ...pair(13, LENGTH_M / 4, WIDTH_M, -90),
    ...pair(15, (LENGTH_M * 3) / 4, WIDTH_M, -90),
    ...pair(17, LENGTH_M / 2, 0, 90),
    ...pair(19, LENGTH_M / 2, WIDTH_M, -90),
  ],
}
