// A stream that a request names.
import type { StreamRuntime } from '../../actors/stream/stream-runtime.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import type { PlanOf } from '../../machines/pipeline/plan.ts'
import { streamCollection } from '../../machines/stream/collection.ts'
import { graphsIn, plansFor } from '../../machines/stream/known-graphs.ts'
import type { GraphOf } from '../../machines/stream/slots.ts'
import type { StreamParts } from './parts.ts'

export const streamNotFound = streamCollection.notFound

/** What `answer` makes of a stream, or `stream.not_found`. */
export const ofStream = <Answer>(
  { streams }: Pick<StreamParts, 'streams'>,
  id: string,
  answer: (stream: StreamRuntime) => Answer,
): Answer | Fault => {
  const stream = streams.get(id)
  return stream ? answer(stream) : streamNotFound(id)
}

/** Looks stored pipelines up, for the slots of streams. */
export const graphOf = ({ directory }: Pick<StreamParts, 'directory'>): GraphOf => graphsIn(directory.settings)

/** Plans pipelines that are to run on this device. */
export const planOf = (parts: Pick<StreamParts, 'unavailable' | 'models'>): PlanOf => plansFor(parts)
