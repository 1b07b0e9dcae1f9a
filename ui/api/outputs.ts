// What was found in a frame, as the service tells it with the frame and on the socket of results.
import type { Documents } from './documents.ts'

/** What an output of a pipeline found in a frame. */
export type Output =
  | { readonly kind: 'detections'; readonly rows: readonly Documents['Detection'][] }
  | { readonly kind: 'points'; readonly rows: readonly Documents['TagPoints'][] }
  | { readonly kind: 'tag_poses'; readonly rows: readonly Documents['TagPose'][] }
  | { readonly kind: 'field_pose'; readonly rows: readonly Documents['FieldPose'][] }
  | { readonly kind: 'contours'; readonly rows: readonly Documents['Contour'][] }
  | { readonly kind: 'targets'; readonly rows: readonly Documents['Target'][] }
  | { readonly kind: 'circles'; readonly rows: readonly Documents['Circle'][] }
  | { readonly kind: 'objects'; readonly rows: readonly Documents['FoundObject'][] }
  | { readonly kind: 'classes'; readonly rows: readonly Documents['FoundClass'][] }
  | { readonly kind: 'barcodes'; readonly rows: readonly Documents['Barcode'][] }
  | { readonly kind: 'exposure'; readonly rows: readonly Documents['ExposureStats'][] }
  | { readonly kind: 'focus'; readonly rows: readonly Documents['FocusMetric'][] }
  | { readonly kind: 'values'; readonly rows: readonly Documents['ValuesRow'][] }
  | { readonly kind: 'truth'; readonly rows: readonly Documents['Truth'][] }
  | { readonly kind: 'visible'; readonly rows: readonly Documents['VisibleTag'][] }

/** What was found in a frame, by the names of the outputs. */
export type Outputs = Readonly<Record<string, Output>>

/** What a picture brings with it. */
export interface FrameResults {
  /** The number of the frame. */
  readonly seq?: number
  /** When it was taken, on the clock of the samples. */
  readonly captured_us?: number
  /** Of the picture that places in the rows are of. */
  readonly width_px?: number
  readonly height_px?: number
  /** Whether there was more in it than could be looked at. */
  readonly too_full?: boolean
  readonly outputs: Outputs
}
