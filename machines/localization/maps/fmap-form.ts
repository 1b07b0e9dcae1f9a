// The vendor's form, `.fmap`: rotation matrices from the middle of the field, families and sizes tag by tag, and mostly
// no length and width. Sizes are in millimetres, all else in metres.
import type { Static } from 'typebox'
import { TAG_FAMILIES, type TagFamily } from '../../engine/tag-families.ts'
import { MAX_ERRORS, schemaErrors } from '../../schema/errors.ts'
import type { SchemaError } from '../../schema/explain.ts'
import { oneLine } from '../../schema/one-line.ts'
import { quote } from '../../schema/quote.ts'
import Type from '../../schema/type.ts'
import { type FieldMap, type FieldTag, MAX_TAGS } from '../field-map.ts'
import { type Pose, poseFromDocument, poseToDocument } from '../pose.ts'
import { builtInMaps } from './built-in.ts'
import type { DraftRead, MapHints, MapPlaces, SizeSource } from './map-draft.ts'
import { chosenName } from './map-name.ts'
import { poseOfRows } from './rotation-rows.ts'
import { familyNamed } from './tag-family-name.ts'

const PLACES: MapPlaces = { tags: '/fiducials', length: '/fieldlength', size: '', id: '/id', pose: '/transform' }

const Metres = Type.Number({ minimum: -100_000, maximum: 100_000 })
const Side = Type.Number({ exclusiveMinimum: 0, maximum: 100_000 })

const Fiducial = Type.Object({
  id: Type.Integer({ minimum: 0, maximum: 100_000 }),
  family: Type.String(),
  size: Type.Number({ exclusiveMinimum: 0, maximum: 10_000 }),
  transform: Type.Array(Metres, { minItems: 16, maxItems: 16 }),
  unique: Type.Optional(Type.Union([Type.Boolean(), Type.Number()])),
})
type Fiducial = Static<typeof Fiducial>

const Fmap = Type.Object({
  name: Type.Optional(Type.String()),
  type: Type.Optional(Type.String()),
  fieldlength: Type.Optional(Side),
  fieldwidth: Type.Optional(Side),
  fiducials: Type.Array(Fiducial, { minItems: 1, maxItems: MAX_TAGS }),
})
type Fmap = Static<typeof Fmap>

/** Reads it. */
export const readFmap = (json: object, hints: MapHints): DraftRead => {
  const errors = schemaErrors(Fmap, json)
  if (errors.length > 0) return errors
  const file = json as Fmap
  const read = file.fiducials.map((fiducial, n) => readFiducial(fiducial, `${PLACES.tags}/${n}`))
  const flaws = read.flatMap((each) => ('errors' in each ? each.errors : []))
  if (flaws.length > 0) return flaws.slice(0, MAX_ERRORS)
  const tags = read as readonly CentredTag[]
  const sides = sidesOf(file, tags, hints)
  if ('errors' in sides) return sides.errors
  const { length_m, width_m, sizeFrom } = sides
  return {
    map: {
      id: hints.id ?? hints.names.id,
      name: chosenName(hints, file.name),
      length_m,
      width_m,
      ...withCommonKind(
        tags.map(({ centred, ...tag }) => ({
          ...tag,
          pose: poseToDocument({ ...centred, x: centred.x + length_m / 2, y: centred.y + width_m / 2 }),
        })),
      ),
    },
    places: PLACES,
    sizeFrom,
    warnings: [],
  }
}

/** A tag whose place is told from the middle of the field. */
interface CentredTag {
  readonly id: number
  readonly family: TagFamily
  readonly size_m: number
  readonly centred: Pose
}

const readFiducial = (
  { id, family, size, transform, unique = true }: Fiducial,
  at: string,
): CentredTag | { readonly errors: readonly SchemaError[] } => {
  const errors: SchemaError[] = []
  const known = familyNamed(family)
  const centred = poseOfRows(transform)
  if (!known)
    errors.push({
      pointer: `${at}/family`,
      message: `is ${quote(family)}, which is none that is known here: ${TAG_FAMILIES.join(', ')}`,
    })
  if (size < MIN_SIZE_MM)
    errors.push({
      pointer: `${at}/size`,
      message: `must be in millimetres, at least ${MIN_SIZE_MM}, not ${size}: the tags of FRC have 165.1`,
    })
  if (typeof centred === 'string') errors.push({ pointer: `${at}/transform`, message: centred })
  if (!unique)
    errors.push({
      pointer: `${at}/unique`,
      message: `says that tag ${id} hangs in several places; a pose can be found only from tags that hang in one`,
    })
  if (errors.length > 0 || !known || typeof centred === 'string') return { errors }
  return { id, family: known, size_m: millimetres(size), centred }
}

/** Of a printed tag; whoever writes less means metres or inches. */
const MIN_SIZE_MM = 10

const millimetres = (mm: number): number => Number((mm / 1000).toPrecision(12)) // 165.1 becomes 0.1651, not nearly so

/** 12 feet. */
const FTC_SIDE_M = 3.6576

const sidesOf = (
  { type, fieldlength, fieldwidth }: Fmap,
  tags: readonly CentredTag[],
  hints: MapHints,
):
  | { readonly length_m: number; readonly width_m: number; readonly sizeFrom: SizeSource }
  | { readonly errors: readonly SchemaError[] } => {
  if (fieldlength !== undefined && fieldwidth !== undefined)
    return { length_m: fieldlength, width_m: fieldwidth, sizeFrom: 'file' }
  const { length_m, width_m } = hints
  if (length_m !== undefined && width_m !== undefined) return { length_m, width_m, sizeFrom: 'query' }
  if (tags.every(({ centred }) => centred.x > 0 && centred.y > 0))
    return { errors: [{ pointer: PLACES.tags, message: FROM_CORNER }] }
  if (type === 'ftc' || type === 'ftcd') return { length_m: FTC_SIDE_M, width_m: FTC_SIDE_M, sizeFrom: 'season' }
  const season = seasonOf(tags)
  if (season) return { length_m: season.length_m, width_m: season.width_m, sizeFrom: 'season' }
  return { errors: [{ pointer: '/fieldlength', message: NO_SIDES }] }
}

const FROM_CORNER = oneLine`
  has tags in one quarter of the field only: is this measured from the corner, and not from the centre of the field, as
  the form wants it? If it is right, add length_m and width_m to the query, or fieldlength and fieldwidth to the file`

const NO_SIDES = oneLine`
  is missing, with fieldwidth: the places are told from the centre of the field, so length and width of the field are
  needed; add length_m and width_m to the query, or fieldlength and fieldwidth to the file`

/** So far a tag may hang from where the season's map has it: the two fields of a season are 7 cm apart at most. */
const MAX_FROM_SEASON_M = 0.2

/** The season's field whose tags hang nearest to these, if all of these are near to tags of it. */
const seasonOf = (tags: readonly CentredTag[]): FieldMap | undefined => {
  let nearest: FieldMap | undefined
  let least = MAX_FROM_SEASON_M
  for (const map of builtInMaps) {
    const apart = Math.max(...tags.map((tag) => distanceIn(map, tag)))
    if (apart < least) [nearest, least] = [map, apart]
  }
  return nearest
}

const distanceIn = ({ tags, family, length_m, width_m }: FieldMap, { id, ...tag }: CentredTag): number => {
  const same = tags.find((each) => each.id === id && (each.family ?? family) === tag.family)
  if (!same) return Number.POSITIVE_INFINITY
  const { x, y, z } = poseFromDocument(same.pose)
  return Math.hypot(x - length_m / 2 - tag.centred.x, y - width_m / 2 - tag.centred.y, z - tag.centred.z)
}

/** The commonest family and size become those of the map, and stay with the tags that have another. */
const withCommonKind = (
  tags: readonly Required<FieldTag>[],
): Pick<FieldMap, 'family' | 'tag_size_m'> & { readonly tags: FieldTag[] } => {
  const family = commonest(tags.map((tag) => tag.family)) as TagFamily
  const tag_size_m = commonest(tags.map((tag) => tag.size_m)) as number
  return {
    family,
    tag_size_m,
    tags: tags.map(({ id, pose, ...tag }) => ({
      id,
      ...(tag.family !== family && { family: tag.family }),
      ...(tag.size_m !== tag_size_m && { size_m: tag.size_m }),
      pose,
    })),
  }
}

const commonest = <T>(values: readonly T[]): T | undefined => {
  const counts = new Map<T, number>()
  for (const each of values) counts.set(each, (counts.get(each) ?? 0) + 1)
  return [...counts].reduce((best, each) => (each[1] > best[1] ? each : best), [values[0] as T, 0])[0]
}
