// The learned models among the media.
import { isFault } from '../../machines/errors/fault.ts'
import type { MediaItem } from '../../machines/media/item.ts'
import type { StoredModel, StoredModels } from '../../machines/models/stored.ts'
import type { MediaStore } from '../../native/media/port.ts'

const MOST_LISTED = 100 // in a sentence, or tried one after the other

/** Those that the store has at that moment; none while it is being looked through. Read once until another comes, changes or goes: the names of classes alone may be a megabyte. */
export const modelsIn = (store: Pick<MediaStore, 'get' | 'page' | 'news'>): StoredModels => {
  let all: readonly StoredModel[] | undefined
  store.news.add(({ item }) => {
    if (!item || item.kind === 'model') all = undefined
  })
  const listed = (): readonly StoredModel[] => {
    if (all) return all
    const page = store.page({ order: '-created', limit: MOST_LISTED, kind: 'model' })
    if (isFault(page)) return []
    all = page.items.flatMap((item) => modelOf(item) ?? [])
    return all
  }
  return {
    find: (name) => {
      const known = listed().find((each) => each.name === name)
      if (known) return known
      const item = store.get(name)
      return isFault(item) ? undefined : modelOf(item)
    },
    all: listed,
  }
}

const modelOf = ({ name, state, model }: MediaItem): StoredModel | undefined =>
  state === 'ready' && model ? { name, model } : undefined
