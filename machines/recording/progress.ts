// The progress of a recording, in numbers.

/**
 * Of one file. pictures: in the file or about to be. bytes: of its whole fragments. duration_us: from the first picture to the last. pictures_lost: those for
 * which a slow disk or processor left no room; results_lost: those that are not in the sidecar.
 */
export interface RecordingProgress {
  readonly pictures: number
  readonly pictures_lost: number
  readonly results: number
  readonly results_lost: number
  readonly bytes: number
  readonly duration_us: number
}

/** Of one that has not begun. */
export const noProgress: RecordingProgress = {
  pictures: 0,
  pictures_lost: 0,
  results: 0,
  results_lost: 0,
  bytes: 0,
  duration_us: 0,
}
