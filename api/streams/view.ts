// Streams as the API sees them: what the user wants, and what is the case.
import type { StreamRuntime } from '../../actors/stream/stream-runtime.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import { streamCollection } from '../../machines/stream/collection.ts'
import type { CanonicalManifest } from '../../machines/stream/manifest.ts'
import type { StreamStatus } from '../../machines/stream/status.ts'
import type { StreamParts } from './parts.ts'

/** A stream on the wire. */
export interface StreamView {
  readonly id: string
  readonly revision: number
  readonly spec: CanonicalManifest
  readonly status: StreamStatus
}

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

/** The stream as a document, or `stream.not_found`. */
export const streamView = (parts: StreamParts, id: string): StreamView | Fault => ofStream(parts, id, viewOf)

/** All streams in the order of their creation. */
export const allStreams = ({ streams }: StreamParts): readonly StreamView[] => streams.all().map(viewOf)

const viewOf = (stream: StreamRuntime): StreamView => ({
  id: stream.id,
  revision: stream.stored.revision,
  spec: stream.manifest,
  status: stream.status(),
})
