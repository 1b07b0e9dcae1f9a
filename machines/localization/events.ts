// What is published about localization and the field maps.
import { documentEvent, eventKind } from '../events/kind.ts'
import { oneLine } from '../schema/one-line.ts'
import Type from '../schema/type.ts'
import { ExternalSourceId, OutputKey } from './external/names.ts'
import { FieldMap } from './field-map.ts'
import { SurveyId } from './rig-and-map/survey-id.ts'
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
    at once, and within ten seconds where the system does not tell of changes. What is found at the start is no news.`,
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

/** An external source was declared, changed or removed. */
export const externalSourceChanged = documentEvent({
  kind: 'external_source_changed',
  about: 'A source of poses outside of this service was declared, changed or removed.',
  of: { field: 'source_id', id: ExternalSourceId, example: 'questnav' },
})

/** An output of an external source has become fresh, or stale. */
export const externalOutputChanged = eventKind({
  kind: 'external_output_changed',
  about: oneLine`
    Samples of an output of an external source have begun to come, or stopped coming: its newest one is older than
    \`max_age_ms\`. Told at most once a second of each output; samples themselves are not told.
  `,
  reference: { source_id: ExternalSourceId, output_id: OutputKey },
  data: Type.Object(
    { stale: Type.Boolean({ description: 'Whether the newest sample is too old.' }) },
    { ...strict, title: 'ExternalOutputChange', description: 'Whether samples come.' },
  ),
  revised: false,
  example: { resource_ref: { source_id: 'questnav', output_id: 'pose' }, data: { stale: true } },
})

/** A map came with a profile, or its file was written. */
export const fieldMapImported = documentEvent({
  kind: 'field_map_imported',
  about: 'A field map came with a profile; and once more, deleted, when it has become a file like any other.',
  of: { field: 'map_id', id: FieldMap.properties.id, example: 'gym' },
})

/** A survey is there, something of it was accepted or undone, or it is gone. */
export const localizationSurveyChanged = documentEvent({
  kind: 'localization_survey_changed',
  about: 'A survey of map and rig was made, something of it was accepted or undone, or it was removed.',
  of: { field: 'survey_id', id: SurveyId, example: 's1k2m3n4p' },
})
