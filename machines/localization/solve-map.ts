// Where the corners of the tags are, as the joint solve needs it: made once from a field map.
import { TAG_FAMILIES, type TagFamily } from '../engine/tag-families.ts'
import type { FieldMap } from './field-map.ts'
import { poseFromDocument, rotate } from './pose.ts'

/** A field map as arrays. */
export interface SolveMap {
  /** Four corners of each tag, each x, y, z on the field, in libapriltag's order. */
  readonly corners: Float64Array
  /** The middle of each tag. */
  readonly middles: Float64Array
  /** Out of the printed face of each tag. */
  readonly normals: Float64Array
  /** The edge of each tag's square, metres. */
  readonly sizes: Float64Array
  /** By the key of `tagKey`, which tag of these it is. */
  readonly index: ReadonlyMap<number, number>
  /** The numbers that are there in any family. */
  readonly ids: ReadonlySet<number>
  /** Of the field, along x and y, metres. */
  readonly size: readonly [number, number]
}

const MAX_IDS = 131_072 // above the largest number of any family

/** family: an index into TAG_FAMILIES. */
export const tagKey = (family: number, id: number): number => family * MAX_IDS + id

/** Half a side to the viewer's right and up, of each corner. */
const CORNERS = [
  [-1, -1],
  [1, -1],
  [1, 1],
  [-1, 1],
] as const

/** A tag may have a family and a size of its own. */
type MapTag = FieldMap['tags'][number] & { readonly family?: TagFamily; readonly size_m?: number }

export const solveMapOf = (map: FieldMap): SolveMap => {
  const tags: readonly MapTag[] = map.tags
  const corners = new Float64Array(12 * tags.length)
  const middles = new Float64Array(3 * tags.length)
  const normals = new Float64Array(3 * tags.length)
  const sizes = new Float64Array(tags.length)
  const index = new Map<number, number>()
  for (const [n, tag] of tags.entries()) {
    const pose = poseFromDocument(tag.pose)
    const size = tag.size_m ?? map.tag_size_m
    for (const [k, [right, up]] of CORNERS.entries()) {
      const [x, y, z] = rotate(pose, 0, (right * size) / 2, (up * size) / 2)
      corners.set([pose.x + x, pose.y + y, pose.z + z], 12 * n + 3 * k)
    }
    middles.set([pose.x, pose.y, pose.z], 3 * n)
    normals.set(rotate(pose, 1, 0, 0), 3 * n)
    sizes[n] = size
    index.set(tagKey(TAG_FAMILIES.indexOf(tag.family ?? map.family), tag.id), n)
  }
  const ids = new Set(tags.map(({ id }) => id))
  return { corners, middles, normals, sizes, index, ids, size: [map.length_m, map.width_m] }
}
