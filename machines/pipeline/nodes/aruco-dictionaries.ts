// The dictionaries of ArUco markers that OpenCV has. The dictionaries of one size are each the beginning of the next
// larger one: a marker has the same id in all of them.
import type { TagFamily } from '../../engine/tag-families.ts'

const SIZES = ['4x4', '5x5', '6x6', '7x7'] as const
const COUNTS = ['50', '100', '250', '1000'] as const

/** By the names that OpenCV has for them, without its `DICT_`. */
export type ArucoDictionary = `${(typeof SIZES)[number]}_${(typeof COUNTS)[number]}` | 'original'
export const ARUCO_DICTIONARIES: readonly ArucoDictionary[] = [
  ...SIZES.flatMap((size) => COUNTS.map((count) => `${size}_${count}` as const)),
  'original',
]

/** What results call its markers, and how many of that family it has. */
export const markersOf = (dictionary: ArucoDictionary): { readonly family: TagFamily; readonly tags: number } => {
  if (dictionary === 'original') return { family: 'aruco_original', tags: 1024 }
  const [size, count] = dictionary.split('_') as [(typeof SIZES)[number], string]
  return { family: `aruco_${size}`, tags: Number(count) }
}

/**
 * Most bits that can be told to be wrong: fewer than half of those in which two of its markers differ, turned any way.
 */
export const maxBitsOf = (dictionary: ArucoDictionary): number => {
  if (dictionary === '4x4_1000' || dictionary === 'original') return 0 // they differ in two bits, and in one
  return dictionary.startsWith('4x4') ? 1 : 2 // in three and four; in five and more
}
