// A message of the frames of a stream: a head, what was found in the frame, the picture.
import type { Documents } from '../api/documents.ts'

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

/** A message, read. */
export interface Packet {
  /** When the picture was taken, Unix time of its device. */
  readonly takenAtMs: number
  /** Whether it is no picture but says in words why none comes. */
  readonly isPlaceholder: boolean
  /** undefined: the device is of a version that sends none. */
  readonly results: FrameResults | undefined
  readonly jpeg: Uint8Array<ArrayBuffer>
}

const HEAD_BYTES = 13
const PLACEHOLDER = 4
const RESULTS = 8
const LENGTH_BYTES = 4

/** Reads a message. */
export const readPacket = (message: ArrayBuffer): Packet => {
  const view = new DataView(message)
  const flags = view.getUint8(12)
  const hasResults = (flags & RESULTS) !== 0
  const textBytes = hasResults ? view.getUint32(HEAD_BYTES) : 0
  const textAt = HEAD_BYTES + (hasResults ? LENGTH_BYTES : 0)
  const text = new TextDecoder().decode(new Uint8Array(message, textAt, textBytes))
  return {
    takenAtMs: Number(view.getBigUint64(4)) / 1000,
    isPlaceholder: (flags & PLACEHOLDER) !== 0,
    results: hasResults ? (JSON.parse(text) as FrameResults) : undefined,
    jpeg: new Uint8Array(message, textAt + textBytes),
  }
}
