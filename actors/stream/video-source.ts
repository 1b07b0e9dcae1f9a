// From a source of videos to the file that its engine opens.
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import type { CanonicalFileSource } from '../../machines/stream/sources/file.ts'
import type { FileTask } from '../../native/engine/port.ts'
import type { MediaStore } from '../../native/media/port.ts'

/** Where recordings lie. */
export type RecordingPaths = Pick<MediaStore, 'pathOf'>

/** Looked up at each opening: the recording may be gone by then. */
export const videoSource = async (
  { media, path = '', pace, loop }: CanonicalFileSource,
  store: RecordingPaths,
): Promise<FileTask | Fault> => {
  const found = media === undefined ? path : await store.pathOf(media)
  if (!isFault(found)) return { backend: 'file', path: found, pace, loop }
  if (found.code !== 'media.not_found') return found
  return { code: 'camera.missing', detail: `There is no recording ${media} any more; give the stream another one.` }
}
