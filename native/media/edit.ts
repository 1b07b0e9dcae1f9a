// Another version of a picture. The picture itself stays as it is until somebody deletes it.
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { type Edit, sizeAfter } from '../../machines/media/edits.ts'
import type { MediaItem } from '../../machines/media/item.ts'
import { nameOfEdit } from '../../machines/media/name.ts'
import { notReady } from '../../machines/media/orders.ts'
import type { RequestMark } from '../../machines/requests/request.ts'
import { bytesOf } from './content/bytes.ts'
import { uprightEdits } from './content/upright.ts'
import { openPlain } from './folder.ts'
import type { Inside } from './inside.ts'

interface OrderedEdit {
  readonly name: string
  readonly edits: readonly Edit[]
  readonly request: RequestMark | undefined
}

/** See the port. */
export const edit = async (store: Inside, { name, edits, request }: OrderedEdit): Promise<MediaItem | Fault> => {
  const item = await store.get(name)
  if (isFault(item)) return item
  if (item.state !== 'ready') return notReady(name)
  await store.placed(name)
  const { width_px, height_px } = item
  if (item.kind !== 'picture' || width_px === null || height_px === null) return noPicture(name)
  const size = { width_px, height_px }
  const upright = await uprightEditsOf(store, item)
  if (isFault(upright)) return upright
  const shown = sizeAfter(size, upright)
  const planned = isFault(shown) ? shown : sizeAfter(shown, edits)
  if (isFault(planned)) return planned
  const draft = await store.begin({
    ...{ kind: 'picture', origin: 'edit', media_type: item.media_type, name: nameOfEdit(name), bytes: item.size_bytes },
    ...{ edited_from: name, metadata: item.metadata },
    ...(item.stream_id !== null && { stream_id: item.stream_id }),
    ...(item.captured_at_ms !== null && { captured_ms: item.captured_at_ms }),
    ...(request && { request }),
  })
  if (isFault(draft)) return draft
  const made = await store.attempt(store.editor(store.folder.at(name), draft.path, [...upright, ...edits], size))
  if (!isFault(made)) return draft.complete(made)
  await draft.abandon()
  return made
}

/** What sets a picture upright before anything else is done with it: people count from the corner that they see. */
const uprightEditsOf = (store: Inside, { name, media_type }: MediaItem): Promise<readonly Edit[] | Fault> => {
  const look = async () => {
    await using file = await openPlain(store.folder.at(name))
    return await uprightEdits(bytesOf(file, (await file.stat()).size))
  }
  return media_type === 'image/jpeg' ? store.attempt(look()) : Promise.resolve([])
}

const noPicture = (name: string): Fault => ({
  code: 'media.invalid',
  detail: `${name} is no picture; only pictures can be changed`,
})
