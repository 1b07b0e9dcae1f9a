// A collection that takes everything, for tests of what holds for all collections.
import Type from 'typebox'
import { documentEvent } from '../../../machines/events/kind.ts'
import { type Collection, collection, collectionsByName } from '../../../machines/settings/collection.ts'
import { streamChanged } from '../../../machines/stream/events.ts'

/** What a test has nothing to say of. */
export const unsaid: Pick<Collection, 'changed' | 'notFound'> = {
  changed: documentEvent({ kind: 'thing_changed', about: 'A thing was changed.', of: null }),
  notFound: (id) => ({ code: 'document.unknown', detail: `there is no ${id}` }),
}

/** `streams`, with any id and any value, but no more than a hundred. */
export const anyStreams = collection({
  name: 'streams',
  id: Type.String(),
  schema: Type.Unknown(),
  limit: 100,
  ...unsaid,
  changed: streamChanged,
})

export const anyDocuments = collectionsByName([anyStreams])
