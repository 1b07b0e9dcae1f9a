// How long and how much a peer is trusted with, and how long viewers are waited for.

/** All in milliseconds. */
export interface TunnelLimits {
  /** For the answer to a request, up to the end of its head; and as long again for the body of a refusal. */
  readonly answerMs: number
  /** For a part or a message, from its first byte to its last. */
  readonly partMs: number
  /** A viewer that has taken no whole picture for so long is gone or asleep; when it wakes up it asks again. */
  readonly stallMs: number
  /**
   * When all viewers have missed pictures for so long, the peer is not listened to until one of them has room, so that
   * it need not send what nobody gets.
   */
  readonly pauseMs: number
  /** How often all that is looked at. */
  readonly lookMs: number
}

export const DEFAULT_LIMITS: TunnelLimits = {
  answerMs: 5_000,
  partMs: 5_000,
  lookMs: 500,
  stallMs: 30_000,
  pauseMs: 2_000,
}

/** Of an answer's head, and of the head of a part. */
export const MAX_HEAD_BYTES = 8_192

/** Of a picture, whether it comes as a part, as a message or as an answer: a JPEG of 20 megapixels. */
export const MAX_PICTURE_BYTES = 8 * 1_024 * 1_024

/** Of what a peer says when it refuses. */
export const MAX_REFUSAL_BYTES = 65_536

/** Beside the pings of the link, which know sooner; a stream that stands may be silent for long. */
export const KEEP_ALIVE_MS = 3_000
