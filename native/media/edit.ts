// Another version of a picture. The picture itself stays as it is until it is deleted.
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { type Edit, sizeAfter } from '../../machines/media/edits.ts'
import type { MediaItem } from '../../machines/media/item.ts'
import { nameOfEdit } from '../../machines/media/name.ts'
import { notReady } from '../../machines/media/orders.ts'
import type { RequestMark } from '../../machines/requests/request.ts'
import { bytesOf } from './content/bytes.ts'
import { type Content, inspect } from './content/inspect.ts'
import { sizeSeen, uprightEdits } from './content/upright.ts'
import { openPlain } from './folder.ts'
import type { StoreInternals } from './store-internals.ts'

interface OrderedEdit {
  readonly name: string
  readonly edits: readonly Edit[]
  readonly request: RequestMark | undefined
}

/** See the port. */
export const edit = async (
  store: StoreInternals,
  { name, edits, request }: OrderedEdit,
): Promise<MediaItem | Fault> => {
  const item = await store.get(name)
  if (isFault(item)) return item
  if (item.state !== 'ready') return notReady(name)
  await store.placed(name)
  if (item.kind !== 'picture') return noPicture(name)
  const content = await store.attempt(lookedThrough(store, name))
  if (isFault(content)) return content
  const planned = sizeAfter(content, edits) // people count from the corner that they see
  if (isFault(planned)) return planned
  const { orientation } = content
  const all = [...uprightEdits(orientation), ...edits]
  const draft = await store.begin({
    kind: 'picture',
    origin: 'edit',
    media_type: item.media_type,
    name: nameOfEdit(name),
    bytes: item.size_bytes,
    edited_from: name,
    metadata: item.metadata,
    ...(item.stream_id !== null && { stream_id: item.stream_id }),
    ...(item.captured_at_ms !== null && { captured_ms: item.captured_at_ms }),
    ...(request && { request }),
  })
  if (isFault(draft)) return draft
  const stored = sizeSeen(content, orientation)
  const made = await store.attempt(store.editor(store.folder.at(name), draft.path, all, stored))
  if (!isFault(made)) return draft.complete(made)
  await draft.abandon()
  return made
}

/** From the file itself: which size it has, and how it was stored. */
const lookedThrough = async ({ folder }: StoreInternals, name: string): Promise<Content | Fault> => {
  await using file = await openPlain(folder.at(name))
  return await inspect(bytesOf(file, (await file.stat()).size))
}

const noPicture = (name: string): Fault => ({
  code: 'media.invalid',
  detail: `${name} is no picture; only pictures can be changed`,
})
