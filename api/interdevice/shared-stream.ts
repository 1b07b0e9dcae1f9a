// A stream that another device names.
import type { StreamRuntime } from '../../actors/stream/stream-runtime.ts'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { isShared } from '../../machines/interdevice/listing.ts'
import type { Given } from '../../machines/token.ts'
import { ofStream, ofStreamNeeds, streamNotFound } from '../stream/of-stream.ts'

/** The needs of finding a shared stream. */
export const sharedStreamNeeds = ofStreamNeeds
type SharedStreamParts = Given<typeof sharedStreamNeeds>

/** `stream.not_found` also of one that is this device's own business. */
export const sharedStream = (parts: SharedStreamParts, id: string): StreamRuntime | Fault => {
  const stream = ofStream(parts, id, (found) => found)
  return isFault(stream) || isShared(stream.manifest) ? stream : streamNotFound(id)
}
