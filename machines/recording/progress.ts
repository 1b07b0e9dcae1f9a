// The progress of a recording, in numbers.

/** Of one file. */
export interface RecordingProgress {
  /** In the file or about to be. */
  readonly pictures: number
  /** Those for which a slow disk or processor left no room. */
  readonly pictures_lost: number
  readonly results: number
  /** Those that are not in the sidecar. */
  readonly results_lost: number
  /** Of its whole fragments. */
  readonly bytes: number
  /** From the first picture to the last. */
  readonly duration_us: number
  /** When the first was taken, CLOCK_MONOTONIC; null: there is none yet. */
  readonly first_us: number | null
}

/** Of one that has not begun. */
export const noProgress: RecordingProgress = {
  pictures: 0,
  pictures_lost: 0,
  results: 0,
  results_lost: 0,
  bytes: 0,
  duration_us: 0,
  first_us: null,
}
