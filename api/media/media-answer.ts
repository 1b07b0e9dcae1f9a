// The answer of a command that makes a media item: the item, as it is by then.
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import type { MediaItem } from '../../machines/media/item.ts'
import type { LeftBehind } from '../../machines/requests/request.ts'
import type { MediaStore } from '../../native/media/port.ts'
import { Done } from '../endpoints/command.ts'

/** The result of a command that has made an item. */
export const toDone = (item: MediaItem | Fault): Done | Fault =>
  isFault(item) ? item : new Done({ id: item.name, revision: item.revision } satisfies LeftBehind)

/** The item; undefined: it was deleted meanwhile. */
export const findKept = async (
  store: Pick<MediaStore, 'get'>,
  name: string,
): Promise<MediaItem | Fault | undefined> => {
  const item = await store.get(name)
  return isFault(item) && item.code === 'media.not_found' ? undefined : item
}

/** The `answer` of such a row. */
export const showMadeItem = (store: Pick<MediaStore, 'get'>) => ({
  canBeGone: true as const,
  of: (_call: unknown, { id }: LeftBehind) => findKept(store, id),
  location: ({ name }: MediaItem) => `/v1/media/${name}`,
})
