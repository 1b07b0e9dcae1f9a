// A stream that a request names.
import { DIRECTORY } from '../../actors/directory.ts'
import type { StreamRuntime } from '../../actors/stream/stream-runtime.ts'
import { STREAM_REGISTRY } from '../../actors/stream/tokens.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import { STORED_MODELS } from '../../machines/models/stored-models.ts'
import { UNAVAILABLE_NODES } from '../../machines/pipeline/availability.ts'
import type { PlanOf } from '../../machines/pipeline/plan.ts'
import { streamCollection } from '../../machines/stream/collection.ts'
import { graphsIn, plansFor } from '../../machines/stream/known-graphs.ts'
import type { GraphOf } from '../../machines/stream/slots.ts'
import type { Given } from '../../machines/token.ts'

/** The needs of `ofStream`. */
export const ofStreamNeeds = { streams: STREAM_REGISTRY }

/** The needs of `graphOf`. */
export const graphOfNeeds = { directory: DIRECTORY }

/** The needs of `planOf`. */
export const planNeeds = { unavailable: UNAVAILABLE_NODES, models: STORED_MODELS }

export const streamNotFound = streamCollection.notFound

/** What `answer` makes of a stream, or `stream.not_found`. */
export const ofStream = <Answer>(
  { streams }: Given<typeof ofStreamNeeds>,
  id: string,
  answer: (stream: StreamRuntime) => Answer,
): Answer | Fault => {
  const stream = streams.get(id)
  return stream ? answer(stream) : streamNotFound(id)
}

/** Looks stored pipelines up, for the slots of streams. */
export const graphOf = ({ directory }: Given<typeof graphOfNeeds>): GraphOf => graphsIn(directory.settings)

/** Plans pipelines that are to run on this device. */
export const planOf = (parts: Given<typeof planNeeds>): PlanOf => plansFor(parts)
