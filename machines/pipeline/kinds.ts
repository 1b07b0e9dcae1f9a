// The kinds of values that travel along the edges of a graph.

/**
 * An output of `image` is a picture, made for its viewers; all others are results. By the index of the addon's Kind.
 */
export const PORT_KINDS = [
  'image',
  'detections',
  'points',
  'tag_poses',
  'field_pose',
  'contours',
  'targets',
  'circles',
  'objects',
  'classes',
  'barcodes',
  'exposure',
  'focus',
  'values',
] as const
export type PortKind = (typeof PORT_KINDS)[number]

/** gray: a byte for each pixel. colour: three. mask: a byte, 0 or 255. */
export type ImageFormat = 'gray' | 'colour' | 'mask'

/**
 * The pixels of a port of kind image. An input of `any` takes all, one of `gray` also a mask. An output of `same` gives
 * what the first input of its node has.
 */
export const PORT_FORMATS = ['gray', 'colour', 'mask', 'any', 'same'] as const
export type PortFormat = (typeof PORT_FORMATS)[number]

/** Whether a port takes such pixels as they are. A mask counts as grey where only levels matter. */
export const takes = (wanted: PortFormat | undefined, given: ImageFormat): boolean => {
  if (wanted === 'gray') return given !== 'colour'
  return wanted === given || (wanted !== 'colour' && wanted !== 'mask')
}

/** Whether the planner makes what a port takes of such pixels. */
export const isConverted = (wanted: PortFormat | undefined, given: ImageFormat | undefined): boolean =>
  wanted === 'gray' && given === 'colour'
