// The fragments of a recording, each of which is whole by itself.

/**
 * Of the second that a crash may lose at most: on a busy machine the picture that ends a fragment, and the writing,
 * take as long again. With 500 one of a hundred lost 1.13 s.
 */
export const FRAGMENT_MS = 300

const DAY_MS = 24 * 60 * 60 * 1000

/** As many as a whole day has. What is sent to the device and has more is no recording, but made to keep it busy. */
export const MAX_FRAGMENTS = DAY_MS / FRAGMENT_MS

/** Boxes in a file of so many fragments: two for each, and those that stand before and between them. */
export const MAX_BOXES = 2 * MAX_FRAGMENTS + 1_000
