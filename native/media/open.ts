// The files of items, open for reading. Who reads one that is deleted meanwhile reads it to its end.
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { mediaNotFound } from '../../machines/media/item.ts'
import { noSideCar, notReady } from '../../machines/media/orders.ts'
import { openPlain, type Part } from './folder.ts'
import type { OpenMedia } from './port.ts'
import { recordedPictures } from './recorded-pictures.ts'
import type { StoreInternals } from './store-internals.ts'

/** See the port. */
export const openMedia = async (store: StoreInternals, name: string, part: Part): Promise<OpenMedia | Fault> => {
  const item = await store.get(name)
  if (isFault(item)) return item
  if (item.state !== 'ready') return notReady(name)
  await store.placed(name)
  const beside = part === 'content' ? undefined : item.side_cars[part]
  if (beside === null) return noSideCar(name, part as Exclude<Part, 'content'>)
  try {
    const file = await openPlain(store.folder.at(name, part))
    const { size } = await file.stat()
    return {
      item,
      size_bytes: size,
      media_type: beside?.media_type ?? item.media_type,
      stream: (first, last) => file.createReadStream({ start: first, end: last }),
      pictures: async (fromUs) =>
        item.kind === 'picture'
          ? onePicture(name)
          : store.attempt(recordedPictures(file, size, fromUs, store.places.of(item.etag ?? name))),
      close: () => file.close(),
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return mediaNotFound(name)
    throw error
  }
}

const onePicture = (name: string): Fault => ({
  code: 'media.no_pictures',
  detail: `${name} is one picture; only recordings are played, so ask for it without as=multipart`,
})
