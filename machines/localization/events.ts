// What is published about the field maps.
import { eventKind } from '../events/kind.ts'
import { oneLine } from '../schema/one-line.ts'

/** There are other maps, or a file cannot be used. */
export const fieldMapsChanged = eventKind({
  kind: 'field_maps_changed',
  about: oneLine`
    A file in the folder of the maps came, went or was changed: read \`GET /v1/localization/maps\` again. It is noticed
    at once, and within two seconds where the system does not tell of changes. What is found at the start is no news.`,
  reference: {},
  data: null,
  revised: false,
  example: { resource_ref: {} },
})
