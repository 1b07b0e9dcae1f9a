// The hash by which field maps are known.
import { createHash } from 'node:crypto'
import type { FieldMap } from '../../machines/localization/field-map.ts'
import { hashOf } from '../../machines/localization/maps/hash.ts'

/** SHA-256 of a text in UTF-8, as 64 hex digits. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

const known = new WeakMap<FieldMap, string>()

/** The hash of the content of a map, computed once. */
export const mapHash = (map: FieldMap): string => {
  const hash = known.get(map) ?? hashOf(map, sha256)
  known.set(map, hash)
  return hash
}
