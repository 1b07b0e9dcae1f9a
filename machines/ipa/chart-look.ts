// What the program that looks for a chart has seen of it.

/** A place in a picture: pixels from its upper left corner. */
export interface PixelPoint {
  readonly x: number
  readonly y: number
}

/** A patch of the chart, as it is in the picture. */
export interface PatchLook {
  /** Red, green, blue: robust means, 0 to 1 of what the picture can hold. */
  readonly rgb: readonly [number, number, number]
  /** Share of its pixels of which a channel is at its end. */
  readonly clipped: number
  /** Pixels that were looked at. */
  readonly pixels: number
}

/** By what a chart was found: its own markers, the lattice of its patches, or corners that somebody gave. */
export const FOUND_BY = {
  markers: 'by the four markers in the margin of a chart that this service has drawn',
  search: 'by the lattice of its patches',
  corners: 'by the corners that were given',
} as const
export type FoundBy = keyof typeof FOUND_BY

/** A chart in a picture. */
export interface ChartLook {
  readonly width_px: number
  readonly height_px: number
  readonly found_by: FoundBy
  /** Of the lattice of patches, from that of the first patch on, clockwise. */
  readonly corners: readonly PixelPoint[]
  /** 24, row by row from dark skin. */
  readonly patches: readonly PatchLook[]
}
