// Requests that their sender may repeat: what is remembered of one, so that a repeat gets the first answer again and
// changes nothing a second time.

import type { Fault } from '../errors/fault.ts'
import { oneLine } from '../schema/one-line.ts'
import Type from '../schema/type.ts'

/** How a request is known again. At most 128 visible ASCII characters: a UUID, as a rule. */
export const RequestId = Type.String({
  pattern: '^[!#-\\[\\]-~]{1,128}$',
  description: oneLine`
    1 to 128 visible ASCII characters without quotes and backslashes, another one for each request. A repeat gets the
    first answer again. The same as Idempotency-Key.
  `,
})

/** What tells a repeat from another request with the same key. */
export interface RequestMark {
  /** Of a device that is a peer, behind who that is and a space. */
  readonly key: string
  /** Of the whole request. */
  readonly fingerprint: string
}

/** The key stands for another request. */
export const reused = ({ key }: RequestMark): Fault => ({
  code: 'request_id.reused',
  detail: oneLine`
    the request_id ${key.slice(key.indexOf(' ') + 1)} was used for another request; each request needs one of its own,
    and only a repeat of the same has the same
  `,
})

/** An answer as it went out. */
export interface GivenAnswer {
  readonly status: number
  /** Null when it had none. */
  readonly mediaType: string | null
  /** Null when it had none. */
  readonly etag: string | null
  readonly body: string
  /** In how many seconds it is worth asking again. Such an answer is not kept; left out: it stays as it is. */
  readonly retryAfterS?: number | undefined
}

/** What a request left: a document, a media item or a job, and its revision. A job has none: 0. */
export interface LeftBehind {
  readonly id: string
  readonly revision: number
}

/** What is kept of a request that was carried out. */
export interface KeptRequest extends RequestMark {
  /**
   * What it left, when it changed something that is kept, and when (Unix time); stored in one transaction with the
   * change.
   */
  readonly written: (LeftBehind & { readonly at_ms: number }) | null
  /**
   * Null when the process ended before it was given, or when it is too long or too old to be kept whole: then it is
   * made again from what was written.
   */
  readonly answer: GivenAnswer | null
}
