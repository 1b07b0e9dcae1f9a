// The side-car of a recording: JSON lines, first what was recorded and when, then the result of each processed frame,
// on the time base of the file.

import type { CropPlace } from '../cameras/crop.ts'
import { header, type Result } from '../engine/result.ts'
import { rowDocuments } from '../engine/row-documents.ts'

/** The first line. */
export interface SidecarHead {
  /** Unix time of pts 0. */
  readonly epoch_ms: number
  /** The same instant, CLOCK_MONOTONIC of the boot in which it was recorded. */
  readonly monotonic_us_of_pts_0: number
  readonly stream: string
  readonly mode: {
    readonly pixel_format: string
    readonly width_px: number
    readonly height_px: number
    readonly fps: number
  }
  /** What of the camera's pictures these are; all when it is missing. */
  readonly crop?: CropPlace
}

/** Every other line. */
export interface SidecarRecord {
  /** Of the picture in the file. */
  readonly pts_us: number
  readonly seq: number
  readonly width_px: number
  readonly height_px: number
  readonly latency_us: number
  readonly cpu_us: number
  /** There was more in it than can be looked at in time, so that small things may be missed. */
  readonly too_full?: true
  /** By port, rows as the API shows them. */
  readonly outputs: Readonly<Record<string, readonly object[]>>
}

/** The line of a result; undefined for a frame that was captured before the first that was recorded. */
export const recordOf = (result: Result, firstUs: number): SidecarRecord | undefined => {
  const capturedUs = header(result, 'captured_us')
  if (capturedUs < firstUs) return undefined
  return {
    pts_us: capturedUs - firstUs,
    seq: header(result, 'seq'),
    width_px: header(result, 'width_px'),
    height_px: header(result, 'height_px'),
    latency_us: header(result, 'finished_us') - capturedUs,
    cpu_us: header(result, 'cpu_us'),
    ...(header(result, 'too_full') === 1 && { too_full: true }),
    outputs: Object.fromEntries(
      result.layout.outputs.map(({ port, kind }) => [port, rowDocuments(result, port, kind) ?? []]),
    ),
  }
}
