// What others call the families of tags.
import { APRILTAG_FAMILIES, TAG_FAMILIES, type TagFamily } from '../../engine/tag-families.ts'

const BITS_AND_DISTANCE = /\d+h\d+/

/** Of AprilTags these two numbers say all, whatever is written around them. */
const BY_NUMBERS: ReadonlyMap<string, TagFamily> = new Map(
  APRILTAG_FAMILIES.map((family) => [BITS_AND_DISTANCE.exec(family)?.[0] ?? family, family]),
)

/** `apriltag3_36h11_classic`, `36H11C`, `TAG_36h11`: our name for it; undefined: it is none that can be found. */
export const familyNamed = (name: string): TagFamily | undefined =>
  TAG_FAMILIES.find((family) => family === name) ??
  BY_NUMBERS.get(BITS_AND_DISTANCE.exec(name.toLowerCase())?.[0] ?? '')

/** How the vendor writes a family: `apriltag3_36h11_classic`. One that it does not have is written as we do. */
export const vendorFamily = (family: TagFamily): string => {
  const numbers = BITS_AND_DISTANCE.exec(family)?.[0]
  if (numbers === undefined) return family
  const kind = /^tag(Circle|Custom|Standard)/.exec(family)?.[1]?.toLowerCase() ?? 'classic'
  return `apriltag3_${numbers}_${kind}`
}
