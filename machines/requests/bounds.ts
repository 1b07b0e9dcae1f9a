// How many requests are remembered, how long, and how long an answer may be to be kept whole.

/** A request is kept until so many newer ones came and so much time passed. */
export const KEPT_REQUESTS = 10_000
/** See above. */
export const KEPT_MS = 10 * 60_000

/**
 * Never more: 54 writes a second for ten minutes, or what is on the disk would grow without bound. Reached, the oldest
 * of the sender who has most go early.
 */
export const MAX_REQUESTS = 32_768

/**
 * A longer answer, compressed, is not kept whole: 10,000 of these are 20 MiB. A stream with the usual pipeline has 900
 * bytes.
 */
export const MAX_ANSWER_BYTES = 2_048
