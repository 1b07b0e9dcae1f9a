// What can be wrong with a map as a whole, whatever its form: its parts contradict each other, or nobody could have
// meant it.
import { FAMILY_SIZES } from '../../engine/tag-families.ts'
import { MAX_ERRORS } from '../../schema/errors.ts'
import type { SchemaError } from '../../schema/explain.ts'
import type { FieldTag } from '../field-map.ts'
import { type Pose, poseFromDocument, rotate } from '../pose.ts'
import type { MapDraft } from './map-draft.ts'

/** A field that is longer is measured in inches; so is a tag that hangs farther away. */
const MAX_METRES = 100

/** Tags hang outside of official fields by 7 cm. */
const MAX_OUTSIDE_M = 1

/** Two tags that look the same way cannot be nearer to each other. */
const MIN_APART_M = 0.01

/** What is wrong, at most MAX_ERRORS; none: it can be used. */
export const flawsOf = (draft: MapDraft): readonly SchemaError[] => {
  const tags = draft.map.tags.map(
    (tag, n): Placed => ({ tag, at: `${draft.places.tags}/${n}`, pose: poseFromDocument(tag.pose) }),
  )
  const inches = inchesIn(draft, tags)
  if (inches) return [inches]
  return [...strangeIds(draft, tags), ...twins(draft, tags), ...outside(draft, tags), ...tooNear(draft, tags)].slice(
    0,
    MAX_ERRORS,
  )
}

/** A tag, its place in the document and its pose in computing form. */
interface Placed {
  readonly tag: FieldTag
  readonly at: string
  readonly pose: Pose
}

const inchesIn = ({ map, places }: MapDraft, tags: readonly Placed[]): SchemaError | undefined => {
  const side = Math.max(map.length_m, map.width_m)
  if (side > MAX_METRES)
    return { pointer: places.length, message: `makes the field ${side} m long; is this in inches?` }
  const far = tags.find(({ pose: { x, y, z } }) => Math.max(Math.abs(x), Math.abs(y), Math.abs(z)) > MAX_METRES)
  if (!far) return undefined
  const { x, y, z } = far.pose
  return {
    pointer: `${far.at}${places.pose}`,
    message: `puts tag ${far.tag.id} at (${[x, y, z].map(short).join(', ')}) m; is this in inches?`,
  }
}

const short = (metres: number): number => Math.round(metres * 1000) / 1000

/** Tags that nobody can print: the family or the number is a mistake. */
const strangeIds = ({ map, places }: MapDraft, tags: readonly Placed[]): readonly SchemaError[] =>
  tags.flatMap(({ tag: { id, family = map.family }, at }) => {
    const last = FAMILY_SIZES[family].tags - 1
    return id <= last
      ? []
      : [{ pointer: at + places.id, message: `is ${id}, and no tag of ${family}, which has tags 0..${last}` }]
  })

/** Ids that stand there twice. */
const twins = ({ map, places }: MapDraft, tags: readonly Placed[]): readonly SchemaError[] => {
  const seen = new Set<string>()
  return tags.flatMap(({ tag: { id, family = map.family }, at }) => {
    const key = `${family} ${id}`
    const isTwin = seen.has(key)
    seen.add(key)
    return isTwin
      ? [{ pointer: at + places.id, message: `is ${id} again: tag ${id} stands in it twice, and may once` }]
      : []
  })
}

/** Tags that hang too far outside of the field. */
const outside = ({ map, places }: MapDraft, tags: readonly Placed[]): readonly SchemaError[] => {
  const { length_m, width_m } = map
  const beyond = (tag: Placed, length: number, width: number) =>
    Math.max(-tag.pose.x, tag.pose.x - length, -tag.pose.y, tag.pose.y - width)
  const farthest = tags.reduce((one, other) =>
    beyond(other, length_m, width_m) > beyond(one, length_m, width_m) ? other : one,
  )
  const by_m = beyond(farthest, length_m, width_m)
  if (by_m <= MAX_OUTSIDE_M) return []
  const { x, y } = farthest.pose
  const fitsTurned = tags.every((tag) => beyond(tag, width_m, length_m) <= MAX_OUTSIDE_M)
  const why = fitsTurned ? 'are length and width exchanged?' : 'places are told from the blue corner of the field'
  const message =
    `makes a field of ${length_m} x ${width_m} m, but tag ${farthest.tag.id} is at (${short(x)}, ${short(y)}), ` +
    `${short(by_m)} m outside of it; ${why}`
  return [{ pointer: places.size, message }]
}

/** Pairs of tags that would hang over each other. */
const tooNear = ({ places }: MapDraft, tags: readonly Placed[]): readonly SchemaError[] => {
  const alongX = [...tags].sort((one, other) => one.pose.x - other.pose.x)
  const errors: SchemaError[] = []
  for (const [n, one] of alongX.entries()) {
    for (let next = n + 1; next < alongX.length; next++) {
      const other = alongX[next] as Placed
      if (other.pose.x - one.pose.x > MIN_APART_M || errors.length >= MAX_ERRORS) break
      if (hangsOver(one.pose, other.pose))
        errors.push({
          pointer: `${other.at}${places.pose}`,
          message: `puts tag ${other.tag.id} within 1 cm of tag ${one.tag.id}, looking the same way`,
        })
    }
  }
  return errors
}

const hangsOver = (one: Pose, other: Pose): boolean => {
  const [ax, ay, az] = rotate(one, 1, 0, 0)
  const [bx, by, bz] = rotate(other, 1, 0, 0)
  const apart = Math.hypot(one.x - other.x, one.y - other.y, one.z - other.z)
  return apart <= MIN_APART_M && ax * bx + ay * by + az * bz > 0
}
