// A collection that takes everything, for tests of what holds for all collections.
import Type from 'typebox'
import { type Collection, collection, collectionsByName } from '../../machines/settings/collection.ts'

/** What a test has nothing to say of. */
export const unsaid: Pick<Collection, 'reference' | 'notFound'> = {
  reference: 'thing_id',
  notFound: (id) => ({ code: 'document.unknown', detail: `there is no ${id}` }),
}

/** `streams`, with any id and any value, but no more than a hundred. */
export const anyStreams = collection({
  name: 'streams',
  id: Type.String(),
  schema: Type.Unknown(),
  limit: 100,
  ...unsaid,
  reference: 'stream_id',
})

export const anyDocuments = collectionsByName([anyStreams])
