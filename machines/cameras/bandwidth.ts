// How much a mode asks of a bus, and which mode would fit beside others.
import type { CameraMode, PixelFormat } from './mode.ts'

/** Formats without compression, the cheapest to take grey pictures from first. */
export const RAW_FORMATS: readonly PixelFormat[] = ['grey', 'y10', 'nv12', 'yuyv', 'uyvy']

const BYTES_PER_PIXEL: Readonly<Record<PixelFormat, number>> = {
  grey: 1,
  nv12: 1.5,
  yuyv: 2,
  uyvy: 2,
  y10: 2,
  mjpeg: 0.35, // webcams write 0.1 to 0.3; they reserve for the most
}

/** An isochronous endpoint of USB 2 carries no more. */
export const USB2_CAMERA_BYTES_PER_S = 24_600_000

/** Of all cameras together; measured 35 to 40 MB/s on one controller. */
export const USB2_BUS_BYTES_PER_S = 37_000_000
/** Of 500 MB/s, after coding and protocol. */
export const USB3_BUS_BYTES_PER_S = 350_000_000

/** Of the pictures alone. */
export const bytesPerSecond = ({ pixel_format, width_px, height_px, fps }: CameraMode): number =>
  BYTES_PER_PIXEL[pixel_format] * width_px * height_px * fps

/** A stream whose camera is on the same bus. */
export interface BusUser {
  readonly stream_id: string
  readonly mode: CameraMode
}

/** What could be left for a camera of this speed; never less than nothing. */
export const bytesLeft = (speed_mbit_s: number | null, others: readonly BusUser[]): number => {
  const isUsb2 = (speed_mbit_s ?? 0) <= 480
  const all = isUsb2 ? USB2_BUS_BYTES_PER_S : USB3_BUS_BYTES_PER_S
  const used = others.reduce((sum, { mode }) => sum + bytesPerSecond(mode), 0)
  return Math.max(0, Math.min(all - used, isUsb2 ? USB2_CAMERA_BYTES_PER_S : all))
}

/** `1280x720 mjpeg at 30 fps`. */
export const modeText = ({ pixel_format, width_px, height_px, fps }: CameraMode): string =>
  `${width_px}x${height_px} ${pixel_format} at ${Math.round(fps * 10) / 10} fps`
