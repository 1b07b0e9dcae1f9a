// The learned models among the media.
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import type { MediaItem } from '../../machines/media/item.ts'
import type { MediaPage } from '../../machines/media/query.ts'
import type { StoredModel, StoredModels } from '../../machines/models/stored-models.ts'
import { token } from '../../machines/token.ts'
import type { MediaStore } from '../../native/media/port.ts'

const MAX_LISTED = 100 // in a sentence, or tried one after the other

/**
 * The models in memory, since a plan is made without waiting. read: to be called once, before anybody asks; why they
 * cannot be read.
 */
export interface ModelList extends StoredModels {
  readonly read: () => Promise<Fault | undefined>
}

/** The models of this device, for the one who has them read. */
export const MODEL_LIST = token<ModelList>('model-list')

/** Those that were there when they were read, and from then on what becomes of them. */
export const modelsIn = (store: Pick<MediaStore, 'page' | 'news'>): ModelList => {
  const known = new Map<string, StoredModel>() // in order of age
  let newest: readonly StoredModel[] | undefined
  const note = (name: string, model: StoredModel | undefined) => {
    if (model) known.set(name, model)
    else known.delete(name)
    newest = undefined
  }
  store.news.add(({ name, item }) => {
    if (item ? item.kind === 'model' : known.has(name)) note(name, item ? modelOf(item) : undefined)
  })
  const read = async (after?: MediaPage['next']): Promise<Fault | undefined> => {
    const page = await store.page({ order: 'created', limit: MAX_LISTED, kind: 'model', ...(after && { after }) })
    if (isFault(page)) return page
    for (const item of page.items) if (!known.has(item.name)) note(item.name, modelOf(item))
    return page.next ? read(page.next) : undefined
  }
  return {
    read: () => read(),
    find: (name) => known.get(name),
    all: () => {
      newest ??= [...known.values()].slice(-MAX_LISTED).toReversed()
      return newest
    },
  }
}

const modelOf = ({ name, state, model }: MediaItem): StoredModel | undefined =>
  state === 'ready' && model ? { name, model } : undefined
