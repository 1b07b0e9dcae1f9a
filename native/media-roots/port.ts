// Where the files of streams may lie, and where a path really leads.
import type { MediaRoot } from '../../machines/stream/sources/media-roots.ts'
import { token } from '../../machines/token.ts'

/** Never rejects, and answers within 2 s even when a file system hangs. */
export interface MediaRootsPort {
  /** The media roots as they are now. */
  readonly roots: () => Promise<readonly MediaRoot[]>
  /**
   * The place of an absolute path, with every symbolic link followed; what is not there yet keeps its name below the
   * folders that are. null: it cannot be known, as of a link that leads nowhere.
   */
  readonly realPlace: (path: string) => Promise<string | null>
}

/** The files of this device. */
export const MEDIA_ROOTS = token<MediaRootsPort>('media-roots')
