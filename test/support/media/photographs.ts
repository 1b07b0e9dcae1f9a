// The real pictures beside the checkout, with the tags that two independent detectors agree on.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { TagFamily } from '../../../machines/engine/tag-families.ts'

/** Where they lie, if they are at hand. */
export const PHOTOGRAPHS = fileURLToPath(new URL('../../../../shared/data/images/', import.meta.url))

/** crossChecked: false for one on which the two do not agree. */
export interface KnownTag {
  readonly family: TagFamily
  readonly id: number
  readonly corners: readonly (readonly [number, number])[]
  readonly crossChecked?: boolean
}

/** A photograph, with the tags in it. */
export interface Photograph {
  /** Relative to PHOTOGRAPHS. */
  readonly file: string
  readonly kind: string
  /** Pixels. */
  readonly width: number
  /** Pixels. */
  readonly height: number
  readonly families: readonly TagFamily[]
  readonly tags: readonly KnownTag[]
  /** Tags that one detector alone saw, so they count neither way. */
  readonly unconfirmed: readonly KnownTag[]
}

/** undefined when they are not at hand. */
export const photographs = (): readonly Photograph[] | undefined => {
  if (!existsSync(`${PHOTOGRAPHS}manifest.json`)) return undefined
  const { images } = JSON.parse(readFileSync(`${PHOTOGRAPHS}manifest.json`, 'utf8')) as {
    images: Partial<Photograph>[]
  }
  return images.map((image) => {
    const whole = { tags: [], unconfirmed: [], families: [], ...image } as unknown as Photograph
    return { ...whole, unconfirmed: [...whole.unconfirmed, ...(SEEN[whole.file] ?? [])] }
  })
}

const seen = (id: number, ...corners: KnownTag['corners']): KnownTag => ({ family: 'tag36h11', id, corners })

/**
 * Tags that no list has and that are there, as one sees who looks: they count neither way either. By the file that has
 * them; those of the two with many cubes have the number of all others there. Corners are what is answered where the
 * tag is found in the picture as it is, else to some 2 px by eye.
 */
const SEEN: Readonly<Record<string, readonly KnownTag[]>> = {
  'apriltag/34085369442_304b6bafd9_c.jpg': [
    seen(0, [544.4, 77.4], [534.4, 77.7], [534.3, 88.8], [544.3, 88.5]), // 11 px wide; the smallest listed one has 12
    seen(0, [651, 105], [660, 105], [660, 117], [651, 117]),
    seen(0, [566, 76], [577, 76], [577, 87], [566, 87]),
    seen(0, [388, 80], [400, 80], [400, 91], [388, 91]),
    seen(0, [743, 109], [756, 109], [756, 121], [743, 121]),
    seen(0, [690, 73], [702, 73], [702, 84], [690, 84]),
  ],
  // The upper sides of two cubes, steeply seen.
  'apriltag/33369213973_9d9bb4cc96_c.jpg': [
    seen(0, [757, 361], [774, 357], [791, 361], [774, 365]),
    seen(0, [410, 328], [426, 325], [445, 328], [427, 332]),
  ],
  'dt/multiple_09.png': [seen(198, [352, 201], [382, 201], [386, 210], [355, 210])],
}

/** Those that have tags to be found in them. */
export const withTags = (all: readonly Photograph[]): readonly Photograph[] =>
  all.filter(({ kind }) => kind === 'apriltag' || kind === 'apriltag-sequence')

/** Whether a place is within a tag's corners. */
export const holds = ({ corners }: Pick<KnownTag, 'corners'>, x: number, y: number): boolean => {
  const sides = corners.map(([fromX, fromY], n) => {
    const [toX, toY] = corners[(n + 1) % corners.length] as readonly [number, number]
    return (toX - fromX) * (y - fromY) - (toY - fromY) * (x - fromX)
  })
  return sides.every((side) => side > 0) || sides.every((side) => side < 0)
}
