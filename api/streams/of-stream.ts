// A stream that a request names.
import type { StreamRuntime } from '../../actors/stream/stream-runtime.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import { streamCollection } from '../../machines/stream/collection.ts'
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
