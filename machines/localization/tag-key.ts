// Tags of a map by family and id, as one number: a number may stand in a map once in each family.
import { TAG_FAMILIES } from '../engine/tag-families.ts'
import type { FieldMap, FieldTag } from './field-map.ts'

const MAX_TAGS_OF_FAMILY = 131_072

/** The key of a tag. family: an index into TAG_FAMILIES, as results have it. */
export const tagKey = (family: number, id: number): number => family * MAX_TAGS_OF_FAMILY + id

/** The id in a key. */
export const idOfKey = (key: number): number => key % MAX_TAGS_OF_FAMILY

/** The key of a tag of a map. */
export const keyInMap = (map: Pick<FieldMap, 'family'>, { family = map.family, id }: FieldTag): number =>
  tagKey(TAG_FAMILIES.indexOf(family), id)
