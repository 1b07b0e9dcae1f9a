// A collection that takes everything, for tests of what holds for all collections.
import Type from 'typebox'
import { collection, collectionsByName } from '../../machines/settings/collection.ts'

/** `streams`, with any id and any value, but no more than a hundred. */
export const anyDocuments = collectionsByName([
  collection({ name: 'streams', id: Type.String(), schema: Type.Unknown(), limit: 100 }),
])
