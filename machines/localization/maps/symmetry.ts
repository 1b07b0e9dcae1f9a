// Official fields look alike from both ends: one turned by half a turn, or mirrored along its length. A map of such a
// field whose length or width is wrong shows it.
import type { FieldMap } from '../field-map.ts'
import { type Pose, poseFromDocument, rotate } from '../pose.ts'

/** How far tags are from where the symmetry puts them; x and y in metres, the medians of all tags, and the largest. */
export interface Asymmetry {
  /** How the field becomes itself again. */
  readonly by: 'turned' | 'mirrored'
  /** How much longer the field would have to be for the tags to fit. */
  readonly length_m: number
  /** How much wider the field would have to be for the tags to fit. */
  readonly width_m: number
  /** The largest distance of a tag from where the symmetry puts it. */
  readonly largest_m: number
}

/** Fewer tags may lie opposite each other by chance. */
const MIN_TAGS = 8

/** A tag is the partner of another one when it is that near to its image. */
const MAX_APART_M = 0.3

/** Both look the same way: within 8 degrees. */
const MIN_COSINE = 0.99

/** Whoever mounts tags may be off by less; the two official fields of a season differ by up to 7 cm. */
const MAX_ASYMMETRY_M = 0.02

/** undefined: the field is not symmetric, or has too few tags to say so. */
export const asymmetryOf = ({ length_m, width_m, tags }: FieldMap): Asymmetry | undefined => {
  if (tags.length < MIN_TAGS) return undefined
  const looks = tags.map(({ id, pose }): Look => {
    const placed = poseFromDocument(pose)
    return { id, at: placed, facing: rotate(placed, 1, 0, 0) }
  })
  const turned = partners(looks, ({ id, at: { x, y, z }, facing: [a, b, c] }) => ({
    id,
    at: { x: length_m - x, y: width_m - y, z },
    facing: [-a, -b, c],
  }))
  if (turned) return { by: 'turned', ...turned }
  const mirrored = partners(looks, ({ id, at: { x, y, z }, facing: [a, b, c] }) => ({
    id,
    at: { x: length_m - x, y, z },
    facing: [-a, b, c],
  }))
  return mirrored && { by: 'mirrored', ...mirrored }
}

/** What the check says to people; empty: nothing is odd. */
export const symmetryWarnings = (map: FieldMap): readonly string[] => {
  const found = asymmetryOf(map)
  if (!found) return []
  return [
    ...warning('length', map.length_m, found.length_m),
    ...warning('width', map.width_m, found.by === 'turned' ? found.width_m : 0),
  ]
}

const warning = (side: string, said_m: number, off_m: number): readonly string[] =>
  Math.abs(off_m) <= MAX_ASYMMETRY_M
    ? []
    : [
        `the tags lie opposite each other, but ${Math.round(Math.abs(off_m) * 1000)} mm off: is the ${side} of the ` +
          `field ${(said_m + off_m).toFixed(3)} m and not ${said_m} m?`,
      ]

interface Look {
  readonly id: number
  readonly at: Pick<Pose, 'x' | 'y' | 'z'>
  readonly facing: readonly [number, number, number]
}

const partners = (looks: readonly Look[], image: (look: Look) => Look): Omit<Asymmetry, 'by'> | undefined => {
  const offs: (readonly [number, number])[] = []
  let largest_m = 0
  for (const each of looks) {
    const opposite = image(each)
    const [nearest, apart] = nearestTo(opposite, looks)
    if (!nearest) return undefined
    offs.push([nearest.at.x - opposite.at.x, nearest.at.y - opposite.at.y])
    largest_m = Math.max(largest_m, apart)
  }
  return { length_m: median(offs.map(([x]) => x)), width_m: median(offs.map(([, y]) => y)), largest_m }
}

const nearestTo = ({ id, at, facing }: Look, looks: readonly Look[]): readonly [Look | undefined, number] => {
  let nearest: Look | undefined
  let least = MAX_APART_M
  for (const look of looks) {
    const apart = Math.hypot(look.at.x - at.x, look.at.y - at.y, look.at.z - at.z)
    const cosine = facing[0] * look.facing[0] + facing[1] * look.facing[1] + facing[2] * look.facing[2]
    if (look.id !== id && apart < least && cosine > MIN_COSINE) [nearest, least] = [look, apart]
  }
  return [nearest, least]
}

const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((one, other) => one - other)
  const middle = sorted.length >> 1
  return ((sorted[middle] as number) + (sorted[(sorted.length - 1) >> 1] as number)) / 2
}
