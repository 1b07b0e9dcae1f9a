// Maps that came with a profile, until they are files: stored in the same transaction as all else that came with it.
import { quote } from '../../schema/quote.ts'
import { collection } from '../../settings/collection.ts'
import { fieldMapImported } from '../events.ts'
import { FieldMap } from '../field-map.ts'

/** As many as a profile may bring. */
export const MAX_IMPORTED_MAPS = 100

/** They count before files of the same id. */
export const importedMapCollection = collection({
  name: 'imported_maps',
  id: FieldMap.properties.id,
  schema: FieldMap,
  limit: MAX_IMPORTED_MAPS,
  changed: fieldMapImported,
  notFound: (id) => ({ code: 'document.unknown', detail: `no map ${quote(id)} waits to become a file` }),
})
