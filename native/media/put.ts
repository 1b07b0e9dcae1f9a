// Pictures that are in memory already: written, and whole or not there.
import { open } from 'node:fs/promises'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import type { MediaItem } from '../../machines/media/item.ts'
import { withHuffmanTables } from './content/jpeg-tables.ts'
import type { MadeMedia, MediaRequest } from './port.ts'
import type { StoreInternals } from './store-internals.ts'

/** See the port. */
export const put = async (
  store: StoreInternals,
  wanted: MediaRequest,
  { bytes, results, ...facts }: MadeMedia,
): Promise<MediaItem | Fault> => {
  const content = wanted.media_type === 'image/jpeg' ? withHuffmanTables(bytes) : bytes
  const draft = await store.begin({ ...wanted, bytes: content.length + (results?.length ?? 0) })
  if (isFault(draft)) return draft
  const written = await store.attempt(
    Promise.all([write(draft.path, content), results !== undefined && write(draft.sidecarPath, results)]),
  )
  if (!isFault(written)) return draft.complete(facts)
  await draft.abandon()
  return written
}

const write = async (path: string, content: Uint8Array | string): Promise<void> => {
  await using file = await open(path, 'w')
  await file.writeFile(content)
}
