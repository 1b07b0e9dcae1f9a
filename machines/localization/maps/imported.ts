// Maps that came with a profile, until they are files: stored in the same transaction as all else that came with it.
import { documentEvent } from '../../events/kind.ts'
import { quote } from '../../schema/quote.ts'
import { collection } from '../../settings/collection.ts'
import { FieldMap } from '../field-map.ts'

/** A map came with a profile, or its file was written. */
export const fieldMapImported = documentEvent({
  kind: 'field_map_imported',
  about: 'A field map came with a profile; and once more, deleted, when it has become a file like any other.',
  of: { field: 'map_id', id: FieldMap.properties.id, example: 'gym' },
})

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
