// WPILib's two forms: the layout of its releases up to 2026, and the field file of 2027. Both have metres from the blue
// corner, and quaternions by name; neither says which tags are printed, and how large.
import type { Static, TSchema } from 'typebox'
import { schemaErrors } from '../../schema/errors.ts'
import type { SchemaError } from '../../schema/explain.ts'
import Type from '../../schema/type.ts'
import { type FieldTag, FRC_TAG_SIZE_M, MAX_TAGS } from '../field-map.ts'
import { poseToDocument } from '../pose.ts'
import { type DraftRead, isDraft, type MapHints, type MapPlaces } from './map-draft.ts'
import { chosenName } from './map-name.ts'
import { unitQuaternion } from './quaternion.ts'

const Metres = Type.Number({ minimum: -100_000, maximum: 100_000 }) // inches are told of by who looks at the whole
const Part = Type.Number({ minimum: -1000, maximum: 1000 })
const Side = Type.Number({ exclusiveMinimum: 0, maximum: 100_000 })

const WpilibTag = Type.Object({
  ID: Type.Integer({ minimum: 0, maximum: 100_000 }),
  pose: Type.Object({
    translation: Type.Object({ x: Metres, y: Metres, z: Metres }),
    rotation: Type.Object({ quaternion: Type.Object({ W: Part, X: Part, Y: Part, Z: Part }) }),
  }),
})
const Tags = Type.Array(WpilibTag, { minItems: 1, maxItems: MAX_TAGS })
const Sides = Type.Object({ length: Side, width: Side })

const Layout = Type.Object({ field: Sides, tags: Tags })
const FieldFile = Type.Object({
  name: Type.Optional(Type.String()),
  program: Type.Optional(Type.String()),
  'field-dimensions': Sides,
  'field-tags': Tags,
})

const placesOf = (size: string, tags: string): MapPlaces => ({
  tags,
  length: `${size}/length`,
  size,
  id: '/ID',
  pose: '/pose',
})

/** Reads the layout of the releases up to 2026. */
export const readLayout = (json: object, hints: MapHints): DraftRead => {
  const read = fitting(Layout, json)
  return 'errors' in read
    ? read.errors
    : draftOf(read.value.field, read.value.tags, placesOf('/field', '/tags'), undefined, hints)
}

/** Reads the field file of 2027. */
export const readFieldFile = (json: object, hints: MapHints): DraftRead => {
  const read = fitting(FieldFile, json)
  if ('errors' in read) return read.errors
  const { name, program, 'field-dimensions': sides, 'field-tags': tags } = read.value
  const draft = draftOf(sides, tags, placesOf('/field-dimensions', '/field-tags'), name, hints)
  if (!isDraft(draft) || program !== 'ftc' || hints.tag_size_m !== undefined) return draft
  return { ...draft, warnings: [...draft.warnings, OTHER_TAGS] }
}

const OTHER_TAGS = 'the file is of an FTC field and does not say how large its tags are; 0.1651 m is taken, as in FRC'

const fitting = <Schema extends TSchema>(
  schema: Schema,
  json: object,
): { readonly value: Static<Schema> } | { readonly errors: readonly SchemaError[] } => {
  const errors = schemaErrors(schema, json)
  return errors.length > 0 ? { errors } : { value: json as Static<Schema> }
}

const draftOf = (
  { length, width }: Static<typeof Sides>,
  tags: Static<typeof Tags>,
  places: MapPlaces,
  said: string | undefined,
  hints: MapHints,
): DraftRead => {
  const errors: SchemaError[] = []
  const read: FieldTag[] = []
  for (const [n, { ID, pose }] of tags.entries()) {
    const { W, X, Y, Z } = pose.rotation.quaternion
    const rotation = unitQuaternion(W, X, Y, Z)
    if (typeof rotation === 'string')
      errors.push({ pointer: `${places.tags}/${n}/pose/rotation/quaternion`, message: rotation })
    else read.push({ id: ID, pose: poseToDocument({ ...pose.translation, ...rotation }) })
  }
  if (errors.length > 0) return errors
  return {
    map: {
      id: hints.id ?? hints.names.id,
      name: chosenName(hints, said),
      length_m: length,
      width_m: width,
      family: hints.family ?? 'tag36h11',
      tag_size_m: hints.tag_size_m ?? FRC_TAG_SIZE_M,
      tags: read,
    },
    places,
    sizeFrom: 'file',
    warnings: [],
  }
}
