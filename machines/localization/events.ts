// What is published about localization and the field maps.
import { documentEvent, eventKind } from '../events/kind.ts'
import { oneLine } from '../schema/one-line.ts'
import Type from '../schema/type.ts'
import { LocalizationState } from './state.ts'

const strict = { additionalProperties: false } as const

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
    at once, and within two seconds where the system does not tell of changes. What is found at the start is no news.`,
  reference: {},
  data: null,
  revised: false,
  example: { resource_ref: {} },
})

/** It stands otherwise with localization. */
export const localizationStateChanged = eventKind({
  kind: 'localization_state_changed',
  about: oneLine`
    Localization has gone over into another state: it follows the robot, has lost it, waits for a stream that can be
    used, or was switched on or off.
  `,
  reference: {},
  data: Type.Object(
    { state: LocalizationState },
    { ...strict, title: 'LocalizationStateChange', description: 'How it stands with localization from now on.' },
  ),
  revised: false,
  example: { resource_ref: {}, data: { state: 'tracking' } },
})
