// What something is drawn on.

/** A canvas, in pixels of the page. */
export interface Drawing {
  readonly pen: CanvasRenderingContext2D
  readonly width: number
  readonly height: number
}
