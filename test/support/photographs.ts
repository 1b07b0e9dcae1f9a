// The real pictures beside the checkout, with the tags that two independent detectors agree on.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { TagFamily } from '../../machines/engine/tag-families.ts'

/** Where they lie, if they are at hand. */
export const PHOTOGRAPHS = fileURLToPath(new URL('../../../shared/data/images/', import.meta.url))

/** crossChecked: false for one on which the two do not agree. */
export interface KnownTag {
  readonly family: TagFamily
  readonly id: number
  readonly corners: readonly (readonly [number, number])[]
  readonly crossChecked?: boolean
}

/** file: relative to PHOTOGRAPHS. width, height: pixels. unconfirmed: tags that one detector alone saw, so they count neither way. */
export interface Photograph {
  readonly file: string
  readonly kind: string
  readonly width: number
  readonly height: number
  readonly families: readonly TagFamily[]
  readonly tags: readonly KnownTag[]
  readonly unconfirmed: readonly KnownTag[]
}

/** undefined when they are not at hand. */
export const photographs = (): readonly Photograph[] | undefined => {
  if (!existsSync(`${PHOTOGRAPHS}manifest.json`)) return undefined
  const { images } = JSON.parse(readFileSync(`${PHOTOGRAPHS}manifest.json`, 'utf8')) as {
    images: Partial<Photograph>[]
  }
  return images.map((image) => ({ tags: [], unconfirmed: [], families: [], ...image }) as unknown as Photograph)
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
