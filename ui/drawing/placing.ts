// Where a picture lies in the box that it is shown in.

/** contain: all of it, with bars. cover: the box is full, and its rims may be cut off. */
export type Fit = 'contain' | 'cover'

/** A size. */
export interface Size {
  readonly width: number
  readonly height: number
}

/** Where the picture lies in the box. */
export interface Placing extends Size {
  readonly left: number
  readonly top: number
  /** Units of the box for one pixel of the picture. */
  readonly scale: number
}

/** Places a picture in the middle of a box. For pointers: (x - left) / scale is the pixel below one. */
export const placingOf = (picture: Size, box: Size, fit: Fit = 'contain'): Placing => {
  const [across, down] = [box.width / picture.width, box.height / picture.height]
  const scale = fit === 'contain' ? Math.min(across, down) : Math.max(across, down)
  const [width, height] = [picture.width * scale, picture.height * scale]
  return { left: (box.width - width) / 2, top: (box.height - height) / 2, width, height, scale }
}
