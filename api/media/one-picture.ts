// One picture of an item as a file of its own: of a recording that at a time, of a picture all of it.
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import type { MediaStore, OpenMedia } from '../../native/media/port.ts'
import type { ServedFile } from '../endpoints/file.ts'
import { fault } from '../problems/problem.ts'
import { served } from './side-cars.ts'

/** It is held as a whole; cameras give a tenth of this, and a recording may be an upload that says anything. */
const MAX_PICTURE_BYTES = 32 * 1024 * 1024

/** The first picture of an item that was not taken before a time. */
export const onePicture = async (store: MediaStore, name: string, fromUs: number): Promise<ServedFile | Fault> => {
  const found = await store.open(name, 'content')
  if (isFault(found)) return found
  if (found.item.kind === 'picture') return served(found, 'content')
  try {
    return await pictureOf(found, fromUs)
  } finally {
    await found.close()
  }
}

const pictureOf = async ({ item, pictures }: OpenMedia, fromUs: number): Promise<ServedFile | Fault> => {
  const recorded = await pictures(fromUs)
  if (isFault(recorded)) return recorded
  for await (const { pts_us, size_bytes, pieces } of recorded) {
    if (size_bytes > MAX_PICTURE_BYTES) return tooLong(item.name, size_bytes)
    const bytes = await buffer(pieces())
    return {
      name: `${item.name}.jpg`,
      mediaType: 'image/jpeg',
      sizeBytes: bytes.length,
      etag: `"${item.etag?.slice(1, -1)}-at-${pts_us}"`,
      isShown: true,
      stream: (first, last) => Readable.from([bytes.subarray(first, last + 1)], { objectMode: false }),
      close: async () => {},
    }
  }
  return fault('media.no_pictures', `${item.name} ends before ${fromUs / 1000} ms; ask for an earlier picture`)
}

const tooLong = (name: string, bytes: number): Fault =>
  fault(
    'media.no_pictures',
    `a picture of ${name} has ${bytes} bytes, and ${MAX_PICTURE_BYTES} is the most; read its content and play that`,
  )
