// One picture of an item as a file of its own: of a recording that at a time, of a picture all of it.
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import type { MediaStore, OpenMedia } from '../../native/media/port.ts'
import type { ServedFile } from '../endpoints/file.ts'
import { fault } from '../problems/problem.ts'
import { served } from './side-cars.ts'

/** The first picture of an item that was not taken before a time. */
export const onePicture = async (store: MediaStore, name: string, fromUs: number): Promise<ServedFile | Fault> => {
  const found = await store.open(name, 'content')
  if (isFault(found)) return found
  if (found.item.kind === 'picture') return served(found, 'content')
  const picture = await pictureOf(found, fromUs)
  await found.close()
  return picture
}

const pictureOf = async ({ item, pictures }: OpenMedia, fromUs: number): Promise<ServedFile | Fault> => {
  const recorded = await pictures(fromUs)
  if (isFault(recorded)) return recorded
  for await (const { pts_us, pieces } of recorded) {
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
