// The modes of a camera, with what was measured of them.
import type { Documents } from '../../api/client.ts'

export type Mode = Documents['CameraMode']
type Measured = Documents['MeasuredMode']

/** A mode, and what it is worth here; undefined: it was not measured. */
export interface RankedMode extends Mode {
  readonly measured: Measured | undefined
}

/** Whether two are one. */
export const isSameMode = (one: Mode, other: Mode): boolean =>
  one.pixel_format === other.pixel_format &&
  one.width_px === other.width_px &&
  one.height_px === other.height_px &&
  one.fps === other.fps

/** Those that were measured in their order, then the others as the camera lists them. */
export const rankModes = (
  rates: readonly Documents['ModeRates'][],
  ranking: readonly Measured[],
): readonly RankedMode[] => {
  const all = rates.flatMap(({ fps, ...size }) => fps.map((rate) => ({ ...size, fps: rate })))
  const ranked = ranking.map((measured) => {
    const { pixel_format, width_px, height_px, fps } = measured
    return { pixel_format, width_px, height_px, fps, measured }
  })
  const others = all.filter((mode) => !ranking.some((measured) => isSameMode(measured, mode)))
  return [...ranked, ...others.map((mode) => ({ ...mode, measured: undefined }))]
}
