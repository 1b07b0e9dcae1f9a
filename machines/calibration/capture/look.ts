// What the program that guides a capture says of a picture, and of all that it was given so far
// (native/addon/calibration/capture_guide.cc).
import type { FoundCorner } from '../task.ts'

/** A place in the picture: to the right and down, pixels from the centre of the first one. */
export type Place = readonly [u: number, v: number]

/** A picture in which a board may be. */
export interface GuideLook {
  readonly width_px: number
  readonly height_px: number
  readonly markers: number
  readonly corners: readonly FoundCorner[]
  /** Of the edges of its squares; 0: nobody can tell. */
  readonly edge_px: number
  /** By which share the predicted error would be lower with it; once that is small, the condition. */
  readonly lowers: number
  /** The corners of the board, clockwise from its upper left; missing: they cannot be told. */
  readonly outline?: readonly Place[]
}

/** Which side of the board is nearer to the camera than the one across. */
export type NearerSide = 'none' | 'left' | 'right' | 'top' | 'bottom'

/** What is known by the pictures that were taken, and the view that would say most next. */
export interface GuideKnown {
  readonly pictures: number
  readonly width_px: number
  readonly height_px: number
  /** The predicted error, the mean over the picture; null: it is not finite. */
  readonly mean_px: number | null
  /** Deviation of the focal length, as a share of it. */
  readonly focal_share: number | null
  /** Of the equations, each unknown in its own unit: the larger, the more two of them are taken for each other. */
  readonly condition: number | null
  readonly board: GuideBoard
  readonly proposed: ProposedView
}

/** The view that would say most next. */
export interface ProposedView {
  /** The corners of the board, clockwise from its upper left. */
  readonly outline: readonly Place[]
  readonly nearer: NearerSide
  /** As of a look. */
  readonly lowers: number
}

/** The board that was recognised. */
export interface GuideBoard {
  readonly family: string
  readonly columns: number
  readonly rows: number
  readonly starts_white: boolean
  readonly marker_share: number
}

/** An answer of the program. known: where it has changed. detail: why nothing could be seen in the picture. */
export type GuideAnswer = { readonly known?: GuideKnown } & (GuideLook | { readonly detail: string })

/** What a look may rest on: the newest picture with a board in it, and when it was taken. */
export interface TimedLook extends GuideLook {
  /** Milliseconds of the capture's own clock (SeenPicture.at_ms), not Unix time. */
  readonly at_ms: number
}
