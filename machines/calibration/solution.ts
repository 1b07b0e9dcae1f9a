// What the program that solves calibrations has found (native/addon/calibration/task_text.cc), and what it was given.

/** A picture's part in a calibration. */
export interface SolvedView {
  /** Whether it counts: one that fits twice as badly as the others is left out. */
  readonly is_used: boolean
  readonly rms_px: number
  readonly worst_px: number
  /** By which share the mean predicted error would be larger without it. */
  readonly adds: number
  /** Of the board out of the plane of the picture, about the upright axis. */
  readonly tilt_x_deg: number
  /** Of the board out of the plane of the picture, about the level axis. */
  readonly tilt_y_deg: number
  /** Of the picture's width that its corners span. */
  readonly width_share: number
  /** Of the picture's height that its corners span. */
  readonly height_share: number
  /** Of the board in the camera's frame: x, y, z in metres, then w, x, y, z of its quaternion. */
  readonly pose: readonly number[]
}

/** A number of coefficients that was tried. */
export interface TriedModel {
  readonly coefficients: number
  readonly rms_px: number
  /** Of pictures that were held out; null: too few pictures. */
  readonly held_out_px: number | null
}

/** A solved calibration. Numbers that are not finite are null. */
export interface Solution {
  readonly coefficients: 4 | 5 | 8
  /** fx, fy, cx, cy, then the distortion in OpenCV's order. */
  readonly lens: readonly (number | null)[]
  /** Standard deviations of `lens`. */
  readonly deviations: readonly (number | null)[]
  /** Of `lens` with itself, row by row. */
  readonly covariance: readonly (number | null)[]
  readonly has_bend: boolean
  /** By which the board's middle stands out against its sides: along its width, along its height. */
  readonly bend_m: readonly [number, number]
  readonly bend_deviations_m: readonly [number, number]
  readonly rms_px: number | null
  readonly sigma_px: number | null
  /** Of the equations, each unknown in its own unit. */
  readonly condition: number | null
  readonly map_columns: number
  readonly map_rows: number
  /** Predicted error over the picture from edge to edge, row by row. */
  readonly map_px: readonly (number | null)[]
  readonly mean_px: number | null
  readonly max_px: number | null
  /** By which the odd and the even pictures disagree, the mean over the picture; null: too few. */
  readonly halves_px: number | null
  /** The lens shows nothing twice within the picture. */
  readonly is_one_to_one: boolean
  /** Of the same pictures under the lens that was given to be tried; null: none was. */
  readonly given_rms_px?: number | null
  readonly tried: readonly TriedModel[]
  readonly views: readonly SolvedView[]
}

/** Of what a calibration was solved. */
export interface SolvedPictures {
  readonly width_px: number
  readonly height_px: number
  /** The larger side of the board. */
  readonly board_m: number
}
