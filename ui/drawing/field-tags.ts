// Tags of a field: a number stands once in each family, and each tag may have a size of its own.
import type { Documents } from '../api/documents.ts'

/** What tells a tag from all others. */
export type TagName = Pick<Documents['Detection'], 'family' | 'id'>

/** For maps and keys. */
export const keyOfTag = ({ family, id }: TagName): string => `${family} ${id}`

/** A tag of a map, with all that the map says for those that say nothing themselves. */
export interface MapTag extends TagName {
  readonly key: string
  readonly pose: Documents['FieldTag']['pose']
  readonly size_m: number
}

/** As much of a map as its tags need. */
type TagMap = Pick<Documents['FieldMap'], 'tags' | 'family' | 'tag_size_m'>

/** All tags of a map. */
export const tagsOfMap = ({ tags, ...map }: TagMap): readonly MapTag[] =>
  tags.map(({ id, pose, family = map.family, size_m = map.tag_size_m }) => ({
    key: keyOfTag({ family, id }),
    family,
    id,
    pose,
    size_m,
  }))

/** Their numbers, each once. */
export const numbersOf = (tags: readonly TagName[]): readonly number[] => [...new Set(tags.map(({ id }) => id))]

/** How large a tag of the map is. */
export const sizeIn = (map: TagMap, tag: TagName): number =>
  tagsOfMap(map).find(({ key }) => key === keyOfTag(tag))?.size_m ?? map.tag_size_m
