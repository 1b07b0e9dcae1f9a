// The mode in which a camera serves tags best on this machine (docs/decisions/0073-the-best-mode.md).
import { bytesPerSecond, RAW_FORMATS, USB2_CAMERA_BYTES_PER_S } from './bandwidth.ts'
import type { CameraMode } from './mode.ts'
import { bestFirst } from './rank.ts'

/** What decides beside the modes. */
export interface ModeConditions {
  /** Of the processor. */
  readonly cores: number
  /** Of the bus of the camera; null: it has none. */
  readonly speed_mbit_s: number | null
}

// A picture of 1280x800 at decimate 2 took 49 ms of a core that four programs shared (docs/benchmarks/detector.md): 30
// a second are about what the one thread of a pipeline does, and with four cores encoding, robot link and a second
// camera have theirs.
const PIXELS_PER_S_AND_CORE = (1280 * 800 * 30) / 4
const MAX_PIXELS_PER_S = 1280 * 800 * 30

/** Below this a robot at 3 m/s moves more than 12 cm between pictures. */
const SMOOTH_FPS = 24
const MAX_FPS = 60 // more serves no one who solves poses 50 times a second

const USB2_MBIT_S = 480
const SHARES = 3 // cameras that a team puts on one controller

/** undefined: it has no mode. */
export const bestMode = (modes: readonly CameraMode[], conditions: ModeConditions): CameraMode | undefined =>
  bestFirst(
    modes.filter((mode) => isPossible(mode, conditions)),
    (mode) => rankOf(mode, conditions),
  )[0]

const isPossible = (mode: CameraMode, { speed_mbit_s }: ModeConditions): boolean =>
  speed_mbit_s === null ||
  speed_mbit_s > USB2_MBIT_S ||
  mode.pixel_format === 'mjpeg' ||
  bytesPerSecond(mode) <= USB2_CAMERA_BYTES_PER_S

const rankOf = (mode: CameraMode, { cores, speed_mbit_s }: ModeConditions): readonly number[] => {
  const { width_px, height_px, fps } = mode
  const perSecond = width_px * height_px * Math.min(fps, MAX_FPS)
  const budget = Math.min(MAX_PIXELS_PER_S, cores * PIXELS_PER_S_AND_CORE)
  const fits = perSecond <= budget
  const smooth = Math.min(fps, SMOOTH_FPS)
  const size = fits ? width_px * height_px : -width_px * height_px
  return [Number(fits), smooth, size, Math.min(fps, MAX_FPS), -fps, formatRank(mode, speed_mbit_s)]
}

/** Raw pictures need no decoding; where that would leave no room on the bus for others, JPEGs are the better ones. */
const formatRank = (mode: CameraMode, speed_mbit_s: number | null): number => {
  const { pixel_format } = mode
  if (pixel_format === 'mjpeg') return RAW_FORMATS.length
  const isShared = speed_mbit_s !== null && speed_mbit_s <= USB2_MBIT_S
  const isHeavy = isShared && bytesPerSecond(mode) > USB2_CAMERA_BYTES_PER_S / SHARES
  return (isHeavy ? 0 : RAW_FORMATS.length + 1) + (RAW_FORMATS.length - RAW_FORMATS.indexOf(pixel_format)) / 10
}
