// The latest requests that a writer has carried out. A client that repeats one looks on the disk first, and may wait
// here when it gets there: as long as its first order, which nobody waits for any more.
import type { Fault } from '../errors/fault.ts'
import { type RequestMark, reused } from './request.ts'

/** A request, and what it left. */
export interface CarriedOut<Left> {
  readonly request: RequestMark
  readonly left: Left
}

const MAX_CARRIED = 512 // more than come while a pipeline is tried by an engine

/**
 * What a request has left already; `request_id.reused` where its key stands for another one; undefined: it is new, or
 * cannot be told from another.
 */
export const findCarriedOut = <Left>(
  carried: readonly CarriedOut<Left>[],
  request: RequestMark | undefined,
): CarriedOut<Left> | Fault | undefined => {
  const before = carried.find((each) => each.request.key === request?.key)
  return before && before.request.fingerprint !== request?.fingerprint ? reused(before.request) : before
}

/** The list with one that was carried out now; unchanged, if it cannot be repeated. */
export const addCarriedOut = <Left>(
  carried: readonly CarriedOut<Left>[],
  request: RequestMark | undefined,
  left: Left,
): readonly CarriedOut<Left>[] => (request ? [...carried, { request, left }].slice(-MAX_CARRIED) : carried)
