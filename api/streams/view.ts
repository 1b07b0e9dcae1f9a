// Streams as the API sees them: the wish from the settings, the condition from the desk. A stream exists when its manifest is stored; its desk follows.
import type { Directory } from '../../actors/directory.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import { documentOf, documentsOf, type Kept, listRevisionOf } from '../../machines/settings/store.ts'
import { streamCollection } from '../../machines/stream/collection.ts'
import type { CanonicalManifest } from '../../machines/stream/manifest.ts'
import type { StreamStatus } from '../../machines/stream/status.ts'
import type { StreamParts } from './parts.ts'

/** A stored manifest with its revision. */
export type StoredStream = Kept<CanonicalManifest>

/** A stream on the wire. */
export interface StreamView {
  readonly id: string
  readonly revision: number
  readonly spec: CanonicalManifest
  readonly status: StreamStatus
}

export const storedStream = (directory: Directory, id: string): StoredStream | undefined =>
  documentOf(directory.settings, streamCollection, id)

/** By id. */
export const storedStreams = (directory: Directory): Readonly<Record<string, StoredStream>> =>
  documentsOf(directory.settings, streamCollection)

export const streamNotFound = streamCollection.notFound

/** The stream as a document, or `stream.not_found`. */
export const streamView = (parts: StreamParts, id: string): StreamView | Fault => {
  const stored = storedStream(parts.directory, id)
  return stored ? viewOf(parts, id, stored) : streamNotFound(id)
}

/** All streams in the order of their creation. */
export const streamList = (parts: StreamParts): { revision: number; streams: StreamView[] } => ({
  revision: listRevisionOf(parts.directory.settings, streamCollection),
  streams: Object.entries(storedStreams(parts.directory)).map(([id, stored]) => viewOf(parts, id, stored)),
})

const viewOf = ({ directory, desks }: StreamParts, id: string, stored: StoredStream): StreamView => ({
  id,
  revision: stored.revision,
  spec: stored.value,
  status: desks.get(id)?.status(directory.clock.monotonicUs()) ?? statusBeforeDesk(directory),
})

/** For the moment between the commit of a manifest and the supervisor's taking it up. */
const statusBeforeDesk = (directory: Directory): StreamStatus => ({
  state: 'starting',
  since_ms: directory.clock.nowMs(),
  applied_revision: null,
  fault: null,
  warnings: [],
  width_px: null,
  height_px: null,
  pixel_format: null,
  fps: null,
  viewers: 0,
  restarts: 0,
  extcam_table: null,
})
