// When a camera counts as silent: looked at now and then, by how many frames have come.

/**
 * From one look to the next, ms: a stall is noticed half a second late at most. Each look wakes the service, whose
 * caches have gone cold.
 */
export const LOOK_EVERY_MS = 500

/**
 * A camera that shows no frame for so long is asked about. Asking costs nothing: an engine that is only slow answers.
 */
export const FRAME_LIMIT_MS = 3_000

/**
 * The same for a camera with its own rate: three frame times, where those are longer. fps: undefined while it is not
 * known.
 */
const frameLimitMs = (fps = 1): number => Math.max(FRAME_LIMIT_MS, 3_000 / fps)

/** What the looks have shown. */
export interface Watched {
  /** How many had come. */
  readonly frames: number
  /** For how long none came. */
  readonly quietMs: number
}

/** What another look shows, LOOK_EVERY_MS after the one before. */
export const lookedAgain = (before: Watched, frames: number): Watched => ({
  frames,
  quietMs: frames === before.frames ? before.quietMs + LOOK_EVERY_MS : 0,
})

/** Whether the camera has shown nothing for too long. */
export const isSilent = ({ quietMs }: Watched, fps: number | undefined): boolean => quietMs >= frameLimitMs(fps)
