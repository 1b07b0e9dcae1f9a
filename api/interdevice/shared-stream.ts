// A stream that another device names.
import type { StreamRuntime } from '../../actors/stream/stream-runtime.ts'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { isShared } from '../../machines/interdevice/listing.ts'
import { ofStream, streamNotFound } from '../stream/of-stream.ts'
import type { StreamParts } from '../stream/parts.ts'

/** `stream.not_found` also of one that is this device's own business. */
export const sharedStream = (parts: Pick<StreamParts, 'streams'>, id: string): StreamRuntime | Fault => {
  const stream = ofStream(parts, id, (found) => found)
  return isFault(stream) || isShared(stream.manifest) ? stream : streamNotFound(id)
}
