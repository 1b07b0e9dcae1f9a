// What can be taken from a stream when the device has too little for all, and how much of it is taken.

/** What can be cut, the most dispensable first. */
export const LEVERS = ['preview_rate', 'preview_size', 'recording', 'pipeline_rate', 'pause'] as const
export type Lever = (typeof LEVERS)[number]

/** How far each is cut; 0: not at all. */
export type StreamLevel = { readonly [Each in Lever]: number }

/** Nothing is taken away. */
export const FULL: StreamLevel = { preview_rate: 0, preview_size: 0, recording: 0, pipeline_rate: 0, pause: 0 }

/** Down to the first a driver still steers by them; by the second he sees that the camera works, and what it sees. */
const PREVIEW_FPS = [null, 15, 5] as const

/** A smaller picture is no longer of use for what a driver aims at. */
const PREVIEW_WIDTH_PX = [null, 640, 320] as const

/** What a stream is told. */
export interface StreamLimit {
  /** Pictures a second that each viewer gets at most; null: as many as it asked for. */
  readonly preview_fps: number | null
  /** How wide they are at most; null: as wide as they were asked for. */
  readonly preview_width_px: number | null
  /** How many pictures are left out after each that is processed. */
  readonly skip: number
  /** Nothing of it is recorded. */
  readonly stops_recording: boolean
  /** Nothing of it runs: no engine, and the camera is closed. */
  readonly is_paused: boolean
}

/** No limit at all. */
export const NO_LIMIT: StreamLimit = {
  preview_fps: null,
  preview_width_px: null,
  skip: 0,
  stops_recording: false,
  is_paused: false,
}

const FEWEST_WITHOUT = 3 // of a camera that has not said how many it gives, at most three of four are left out

/**
 * How many pictures are left out after each, at each level of `pipeline_rate`: first every other one, then as many as a
 * stream can do without. fps: of the camera; undefined: it has not said. min_results_per_s: what must be left.
 */
export const skipsOf = (fps: number | undefined, min_results_per_s: number): readonly number[] => {
  const most = fps === undefined ? FEWEST_WITHOUT : Math.max(0, Math.floor(fps / min_results_per_s) - 1)
  return most <= 1 ? [0, most].slice(0, most + 1) : [0, 1, most]
}

/** What of the camera a limit depends on, and what is set. */
export interface LimitParts {
  /** Pictures a second of the camera; undefined: it has not said. */
  readonly fps: number | undefined
  /** What a stream that runs must have. */
  readonly min_results_per_s: number
}

/** What a stream with that level is told. */
export const limitOf = (level: StreamLevel, { fps, min_results_per_s }: LimitParts): StreamLimit => {
  const skips = skipsOf(fps, min_results_per_s)
  return {
    preview_fps: PREVIEW_FPS[level.preview_rate] ?? null,
    preview_width_px: PREVIEW_WIDTH_PX[level.preview_size] ?? null,
    skip: skips[Math.min(level.pipeline_rate, skips.length - 1)] as number,
    stops_recording: level.recording > 0,
    is_paused: level.pause > 0,
  }
}

/** Whether anything is taken away. */
export const isCut = (level: StreamLevel): boolean => LEVERS.some((lever) => level[lever] > 0)

/** Whether something is that people count on: more than previews. */
export const givesUp = (level: StreamLevel): boolean => level.recording + level.pipeline_rate + level.pause > 0
