// The families of tags that can be found.
import Type from '../schema/type.ts'

/** Those of libapriltag. */
export const APRILTAG_FAMILIES = [
  ...(['tag36h11', 'tag25h9', 'tag16h5', 'tag36h10', 'tagCircle21h7'] as const),
  ...(['tagCircle49h12', 'tagCustom48h12', 'tagStandard41h12', 'tagStandard52h13'] as const),
] as const

/** Those of ArUco markers, each with all markers of its size. */
const ARUCO_FAMILIES = ['aruco_4x4', 'aruco_5x5', 'aruco_6x6', 'aruco_7x7', 'aruco_original'] as const

/** Index = the `family` field of a row. */
export const TAG_FAMILIES = [...APRILTAG_FAMILIES, ...ARUCO_FAMILIES] as const
export type TagFamily = (typeof TAG_FAMILIES)[number]

/** How many tags a family has, and of how many bits each is. */
export const FAMILY_SIZES: Readonly<Record<TagFamily, { readonly tags: number; readonly bits: number }>> = {
  tag36h11: { tags: 587, bits: 36 },
  tag25h9: { tags: 35, bits: 25 },
  tag16h5: { tags: 30, bits: 16 },
  tag36h10: { tags: 2320, bits: 36 },
  tagCircle21h7: { tags: 38, bits: 21 },
  tagCircle49h12: { tags: 65_535, bits: 49 },
  tagCustom48h12: { tags: 42_211, bits: 48 },
  tagStandard41h12: { tags: 2115, bits: 41 },
  tagStandard52h13: { tags: 48_714, bits: 52 },
  aruco_4x4: { tags: 1000, bits: 16 },
  aruco_5x5: { tags: 1000, bits: 25 },
  aruco_6x6: { tags: 1000, bits: 36 },
  aruco_7x7: { tags: 1000, bits: 49 },
  aruco_original: { tags: 1024, bits: 25 },
}

/** A family, by its name. */
export const TagFamilyName = Type.Enum([...TAG_FAMILIES], {
  title: 'TagFamily',
  description: 'A family of AprilTags, or of ArUco markers of one size.',
})
