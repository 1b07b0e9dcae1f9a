// What is published about localization and the field maps.
import { documentEvent, eventKind } from '../events/kind.ts'
import { oneLine } from '../schema/one-line.ts'

/** The config of localization was changed. */
export const localizationConfigChanged = documentEvent({
  kind: 'localization_config_changed',
  about: 'The config of localization was changed.',
  of: null,
})

/** There are other maps, or a file cannot be used. */
export const fieldMapsChanged = eventKind({
  kind: 'field_maps_changed',
  about: oneLine`
    A file in the folder of the maps came, went or was changed: read \`GET /v1/localization/maps\` again. It is noticed
    within two seconds, and at once by whoever asks for maps. What is found at the start is no news.`,
  reference: {},
  data: null,
  revised: false,
  example: { resource_ref: {} },
})
