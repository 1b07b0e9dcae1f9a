// What those take over the network who are told of a stream's results, as one look after the other finds it.
import { OVERHEAD } from '../../machines/bandwidth/ladder.ts'
import { decaySlowly } from '../../machines/bandwidth/slow-decay.ts'
import type { StreamRuntime } from '../stream/stream-runtime.ts'

/** A shorter time tells nothing: there may be one message in it, or none. */
const MIN_MEASURED_US = 300_000

/** With each look, once a second: what is found in pictures comes and goes. */
const RATE_FALL = 0.2

/** What one look found. */
export class FollowedResults {
  readonly stream: StreamRuntime
  readonly listeners: number
  /** Since the look before. */
  readonly sentBytes: number
  /** What is reckoned with, bytes a second as the network sees them. */
  readonly bytesPerS: number
  readonly #bytes: number
  readonly #measured: { readonly bytes: number; readonly us: number }

  /** before: what the last look found. */
  constructor(stream: StreamRuntime, nowUs: number, before: FollowedResults | undefined) {
    const { listeners, bytes } = stream.viewers.results.metered
    const since = before ? before.#measured : { bytes, us: nowUs }
    const seconds = (nowUs - since.us) / 1e6
    const isMeasured = nowUs - since.us >= MIN_MEASURED_US
    const measured = isMeasured ? (OVERHEAD * (bytes - since.bytes)) / seconds : undefined
    const known = before?.bytesPerS ?? 0
    this.stream = stream
    this.listeners = listeners
    this.sentBytes = bytes - (before ? before.#bytes : bytes)
    this.bytesPerS = listeners === 0 ? 0 : measured === undefined ? known : decaySlowly(known, measured, RATE_FALL)
    this.#bytes = bytes
    this.#measured = isMeasured ? { bytes, us: nowUs } : since
  }
}
