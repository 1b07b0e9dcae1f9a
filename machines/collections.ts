// All collections of stored documents.

import { nt4Collection } from './nt4/settings.ts'
import { collectionsByName } from './settings/collection.ts'
import { streamCollection } from './stream/collection.ts'

/** What the settings may hold. Documents of other collections are those of a newer version: kept, not shown. Add a new collection here. */
export const storedCollections = collectionsByName([streamCollection, nt4Collection])
