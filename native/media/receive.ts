// Uploads: from their first bytes to a stored item, piece by piece. What they are is found out from themselves.
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import type { MediaItem } from '../../machines/media/item.ts'
import { kindOf } from '../../machines/media/media-type.ts'
import { Arrival } from './arrival.ts'
import { bytesOf } from './content/bytes.ts'
import { type ContentInfo, readContentInfo } from './content/content-info.ts'
import { inspectBeginning } from './content/inspect.ts'
import type { MediaDraft, Upload } from './port.ts'
import type { StoreInternals } from './store-internals.ts'

/** The runtime of models has one in memory as a whole; those that run at the pace of a camera have a tenth of it. */
const MAX_MODEL_BYTES = 256 * 1024 * 1024

const BEGINNING_BYTES = 64 * 1024 // has the header of a picture, unless a thumbnail stands before it

/** See the port. */
export const receive = async (
  store: StoreInternals,
  { name, automatic, ...arriving }: Upload,
): Promise<MediaItem | Fault> => {
  const arrival = new Arrival(arriving, store.patience)
  try {
    const beginning = await arrival.beginning(BEGINNING_BYTES)
    if (isFault(beginning)) return beginning
    const media_type = await inspectBeginning(beginning)
    if (isFault(media_type)) return media_type
    if (media_type === 'application/onnx') arrival.holdTo(MAX_MODEL_BYTES, arriving.length)
    const draft = await store.begin({
      kind: kindOf(media_type),
      origin: 'upload',
      media_type,
      bytes: arriving.length ?? beginning.length,
      ...(name !== undefined && { name }),
      ...(automatic !== undefined && { automatic }),
    })
    if (isFault(draft)) return draft
    const content = await store.attempt(taken(store, draft, arrival))
    if (!isFault(content)) return draft.complete(content.facts)
    await draft.abandon()
    return content
  } finally {
    arrival.close()
  }
}

/** Writes all that arrives, and looks through it. */
const taken = async (
  { checker }: StoreInternals,
  { path, noRoom }: MediaDraft,
  arrival: Arrival,
): Promise<ContentInfo | Fault> => {
  await using file = await open(path, constants.O_RDWR | constants.O_NOFOLLOW)
  for (;;) {
    const piece = await arrival.next()
    if (isFault(piece)) return piece
    if (!piece) return await readContentInfo(path, bytesOf(file, (await file.stat()).size), checker)
    if (noRoom.aborted) return noRoom.reason as Fault
    await file.writeFile(piece) // from where it stands, and all of it
  }
}
