// Our own form, as /v1/localization/maps/{id} shows it.
import { schemaErrors } from '../../schema/errors.ts'
import Type from '../../schema/type.ts'
import { FieldMap } from '../field-map.ts'
import type { DraftRead, MapHints, MapPlaces } from './map-draft.ts'

const PLACES: MapPlaces = { tags: '/tags', length: '/length_m', size: '', id: '/id', pose: '/pose' }

/** What a shown document says beside the map: of a file that is worked out again. */
const SHOWN = { hash: Type.Unknown(), origin: Type.Unknown(), warnings: Type.Unknown() }

const OwnForm = Type.Object(
  {
    ...FieldMap.properties,
    ...Type.Partial(Type.Object(SHOWN)).properties,
    tags: Type.Array(FieldMap.properties.tags.items, { minItems: 1, maxItems: 1000 }),
  },
  { additionalProperties: false },
)

type Shown = FieldMap & { readonly hash?: unknown; readonly origin?: unknown }

/** Reads it. */
export const readOwnForm = (json: object, hints: MapHints): DraftRead => {
  const errors = schemaErrors(OwnForm, json)
  if (errors.length > 0) return errors
  const { id, name, length_m, width_m, family, tag_size_m, tags, hash, origin } = json as Shown
  return {
    map: { id: hints.id ?? id, name: hints.name ?? name, length_m, width_m, family, tag_size_m, tags },
    places: PLACES,
    sizeFrom: 'file',
    warnings: [],
    ...(origin === 'uploaded' && { uploadedAs: hash }),
  }
}
