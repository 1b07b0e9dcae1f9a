// Surveys as they are stored: what each proposes, and what was accepted of it.
import type { Static } from 'typebox'
import { StreamId } from '../../schema/stream-id.ts'
import Type from '../../schema/type.ts'
import { collection } from '../../settings/collection.ts'
import { LocalizationConfig } from '../config.ts'
import { localizationSurveyChanged } from '../events.ts'
import { FieldMap } from '../field-map.ts'
import { PoseDocument } from '../pose.ts'
import { Proposal } from './proposal.ts'
import { SurveyId } from './survey-id.ts'

const strict = { additionalProperties: false } as const

const ChangedStream = Type.Object(
  {
    stream_id: StreamId,
    map_id: Type.String({ description: 'Of the map that it used.' }),
    pose: Type.Union([PoseDocument, Type.Null()], { description: 'As it was; null: nobody had said one.' }),
  },
  { ...strict, title: 'StreamBeforeSurvey', description: 'A stream that was changed, as it was.' },
)

/** What was accepted, and what was there before: that is what undoing puts back. */
export const AcceptedSurvey = Type.Object(
  {
    accepted_at_ms: Type.Integer({ minimum: 0, description: 'Unix time.' }),
    map_id: Type.Union([FieldMap.properties.id, Type.Null()], {
      description: 'The new map that has the tags that were accepted; null: no tag was.',
    }),
    tag_count: Type.Integer({ minimum: 0, description: 'How many tags were accepted.' }),
    cameras: Type.Array(StreamId, { description: 'Streams of the cameras whose poses were accepted.' }),
    streams_before: Type.Array(ChangedStream, { description: 'All streams that were changed, as they were.' }),
    has_errors: Type.Boolean({ description: 'Whether `errors` of the config were.' }),
    config_before: Type.Object(
      { map_id: LocalizationConfig.properties.map_id, errors: LocalizationConfig.properties.errors },
      { ...strict, description: 'What of the config was changed, as it was.' },
    ),
  },
  { ...strict, title: 'AcceptedSurvey', description: 'What was accepted of a survey, and what was there before.' },
)
export type AcceptedSurvey = Static<typeof AcceptedSurvey>

/** A survey. */
export const StoredSurvey = Type.Object(
  {
    made_at_ms: Type.Integer({ minimum: 0, description: 'Unix time.' }),
    proposal: Proposal,
    accepted: Type.Union([AcceptedSurvey, Type.Null()], { description: 'null: nothing of it is in force.' }),
  },
  { ...strict, title: 'LocalizationSurveySpec', description: 'What a drive says of map and rig.' },
)
export type StoredSurvey = Static<typeof StoredSurvey>

/** More would only be mistaken for each other. */
export const MAX_SURVEYS = 10

export const surveyCollection = collection({
  name: 'localization_surveys',
  id: SurveyId,
  schema: StoredSurvey,
  limit: MAX_SURVEYS,
  changed: localizationSurveyChanged,
  notFound: (id) => ({
    code: 'survey.not_found',
    detail: `there is no survey ${JSON.stringify(id)}; GET /v1/localization/surveys lists them`,
  }),
})
