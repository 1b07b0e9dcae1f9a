// The rows of surveys: what a drive says of map and rig.
import { DIRECTORY } from '../../actors/directory.ts'
import { SURVEY_WORK } from '../../actors/localization/tokens.ts'
import { STREAM_REGISTRY } from '../../actors/stream/tokens.ts'
import type { ClientCode } from '../../machines/errors/catalogue.ts'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { localizationConfigIn } from '../../machines/localization/config-collection.ts'
import {
  fieldMapImported,
  localizationConfigChanged,
  localizationSurveyChanged,
} from '../../machines/localization/events.ts'
import { LOOK_FOR_MAPS, MAP_HASH } from '../../machines/localization/field-map.ts'
import { type Proposal, ProposedTag } from '../../machines/localization/rig-and-map/proposal.ts'
import { StoredSurvey, surveyCollection } from '../../machines/localization/rig-and-map/stored-survey.ts'
import { SurveyId } from '../../machines/localization/rig-and-map/survey-id.ts'
import { type KeptSurvey, type PresentRig, planAcceptance, planUndo } from '../../machines/rig/survey-acceptance.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { StreamId } from '../../machines/schema/stream-id.ts'
import Type from '../../machines/schema/type.ts'
import { severalOrder } from '../../machines/settings/commit.ts'
import { documentOf } from '../../machines/settings/store.ts'
import { streamChanged } from '../../machines/stream/events.ts'
import type { Given } from '../../machines/token.ts'
import { command } from '../endpoints/command.ts'
import { resource } from '../endpoints/resource.ts'
import { jobAnswer, jobNeeds } from '../jobs/answer.ts'
import { configExample } from './wire.ts'

/** The needs of the rows. */
export const surveyNeeds = {
  ...jobNeeds,
  directory: DIRECTORY,
  survey: SURVEY_WORK,
  look: LOOK_FOR_MAPS,
  hash: MAP_HASH,
  streams: STREAM_REGISTRY,
}
type SurveyParts = Given<typeof surveyNeeds>

const strict = { additionalProperties: false } as const
const PATH = '/v1/localization/surveys'

const DEFAULT_ROUNDS = 300
const DEFAULT_DURATION_S = 180

const SurveyBody = Type.Object(
  {
    rounds: Type.Optional(
      Type.Integer({
        minimum: 30,
        maximum: 1000,
        description: `How many places are enough. Default: ${DEFAULT_ROUNDS}.`,
      }),
    ),
    duration_s: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1800,
        description: `After that it goes on with what there is. Default: ${DEFAULT_DURATION_S}.`,
      }),
    ),
  },
  { ...strict, title: 'LocalizationSurveyRequest', description: 'How long is surveyed.' },
)

const Every = Type.Enum(['all', 'wrong'], {
  title: 'ChosenOfSurvey',
  description: 'all: each of which it says something. wrong: those that somebody should look at.',
})

const AcceptBody = Type.Object(
  {
    tags: Type.Optional(
      Type.Union(
        [
          Every,
          Type.Array(
            Type.Object(
              { family: ProposedTag.properties.family, id: ProposedTag.properties.id },
              { ...strict, title: 'ChosenTag', description: 'A tag of the survey.' },
            ),
            { maxItems: 1000 },
          ),
        ],
        { description: 'Which tags. Default: all.' },
      ),
    ),
    cameras: Type.Optional(
      Type.Union([Every, Type.Array(StreamId, { maxItems: 16 })], {
        description: 'Which cameras, by their streams. Default: all.',
      }),
    ),
    errors: Type.Optional(
      Type.Boolean({ description: '`errors` of the config too: sensible where all is accepted. Default: false.' }),
    ),
  },
  { ...strict, title: 'LocalizationSurveyChoice', description: 'What of a survey is accepted.' },
)

const SurveyResult = Type.Object(
  { survey_id: SurveyId },
  { ...strict, title: 'LocalizationSurveyResult', description: 'Under which id the survey is found.' },
)

const SurveyStatus = Type.Object(
  {
    wrong_tags: Type.Integer({ minimum: 0, description: 'How many tags somebody should look at.' }),
    wrong_cameras: Type.Integer({ minimum: 0, description: 'How many cameras somebody should look at.' }),
  },
  { ...strict, title: 'LocalizationSurveyStatus', description: 'What of it asks for somebody.' },
)

const before = { x_m: 4.02, y_m: 4.03, z_m: 1.12, roll_deg: 0, pitch_deg: 0, yaw_deg: 180 }

/** As it is stored; a busy device has it. */
export const surveyExample: StoredSurvey = {
  made_at_ms: 1_767_225_600_000,
  proposal: {
    map: { id: 'demo', hash: '1f3a9c0d5b7e2f4861a3c5d7e9f10b2d4f6a8c0e1b3d5f7092a4c6e8f0a1b2c3' },
    rounds: 300,
    misfit: 1.02,
    tags: [
      {
        family: 'tag36h11',
        id: 1,
        before,
        after: { ...before, y_m: 4.08 },
        moved_m: 0.05,
        moved_std_m: 0.003,
        turned_deg: 0.4,
        turned_std_deg: 0.2,
        is_wrong: true,
        rounds: 48,
      },
    ],
    cameras: [],
    errors: { map_m: 0.0025, map_deg: 0.05, mount_m: 0.0024, mount_deg: 0.1 },
  },
  accepted: {
    accepted_at_ms: 1_767_225_660_000,
    map_id: null,
    tag_count: 0,
    cameras: ['front'],
    streams_before: [],
    has_errors: false,
    config_before: { map_id: null, errors: configExample.errors },
  },
}

const statusOf = ({ tags, cameras }: Proposal) => ({
  wrong_tags: tags.filter(({ is_wrong }) => is_wrong).length,
  wrong_cameras: cameras.filter(({ is_wrong }) => is_wrong).length,
})

const example = { id: 's1k2m3n4p', spec: surveyExample, status: statusOf(surveyExample.proposal) }

/** The rows. */
export const surveyRows = ({ jobs, directory, survey, look, hash, streams }: SurveyParts) => {
  const { settings, clock } = directory
  const keptOf = (id: string): KeptSurvey | (Fault & { readonly code: ClientCode }) => {
    const stored = documentOf(settings, surveyCollection, id)
    return stored ? { id, ...stored } : surveyCollection.notFound(id)
  }
  const present = async (): Promise<PresentRig> => ({
    config: localizationConfigIn(settings).value,
    maps: (await look()).maps,
    hash,
    streams: streams.all().map(({ manifest }) => manifest),
    nowMs: clock.nowMs(),
  })
  const surveys = resource(PATH, {
    collection: surveyCollection,
    title: 'LocalizationSurvey',
    about: 'What a drive says of map and rig.',
    spec: StoredSurvey,
    status: SurveyStatus,
    example,
    statusOf: (id) => {
      const stored = documentOf(directory.settings, surveyCollection, id)
      return stored && statusOf(stored.value.proposal)
    },
  })
  const answer = {
    schema: surveys.document,
    example: { revision: 2, ...example },
    canBeGone: true as const,
    of: (call: Parameters<typeof surveys.viewAt>[0] & { readonly params: { readonly id: string } }) =>
      documentOf(settings, surveyCollection, call.params.id) && surveys.viewAt(call, call.params.id),
  }
  return [
    command('POST', PATH, {
      summary: 'Survey map and rig',
      about: oneLine`
        Drive the robot slowly over the whole field while cameras see tags, and turn now and then: where the tags hang
        and how the cameras sit is solved from all of it. A job: its progress, result and end are at the \`Location\`.
        Nothing is changed by it; what it proposes is at \`/v1/localization/surveys/{survey_id}\`.
      `,
      body: { schema: SurveyBody, example: { rounds: 300, duration_s: 180 } },
      to: 'job-keeper',
      send: ({ body: { rounds = DEFAULT_ROUNDS, duration_s = DEFAULT_DURATION_S } }) =>
        jobs.order({
          kind: 'localization_survey',
          resource_ref: {},
          work: survey({ rounds, durationMs: 1000 * duration_s }),
        }),
      answer: jobAnswer({
        jobs,
        kind: 'localization_survey',
        title: 'LocalizationSurveyJob',
        result: SurveyResult,
        resource_ref: {},
      }),
      faults: ['job.too_many'],
    }),

    surveys.list({ summary: 'All surveys of map and rig', order: 'The oldest first.' }),

    surveys.read({ summary: 'One survey of map and rig' }),

    command('POST', `${PATH}/:id/accept`, {
      params: { id: SurveyId },
      summary: 'Accept what a survey proposes, or some of it',
      about: oneLine`
        In one transaction, or nothing: tags make a new map, which the streams and the config use that used the surveyed
        one; cameras get their new poses; \`errors\` of the config become those of the survey. Refused where map or rig
        are others by now. What was accepted of it before is undone. It can be undone.
      `,
      publishes: [localizationSurveyChanged, localizationConfigChanged, streamChanged, fieldMapImported],
      body: { schema: AcceptBody, example: { tags: 'wrong', cameras: 'all', errors: true } },
      to: 'settings',
      send: async ({ params: { id }, body: { tags = 'all', cameras = 'all', errors = false } }) => {
        const kept = keptOf(id)
        if (isFault(kept)) return kept
        const orders = planAcceptance(kept, { tags, cameras, errors }, await present())
        return isFault(orders) ? orders : severalOrder(orders)
      },
      answer,
      faults: ['survey.not_found', 'survey.not_possible'],
    }),

    command('POST', `${PATH}/:id/undo`, {
      params: { id: SurveyId },
      summary: 'Undo what was accepted of a survey',
      about: oneLine`
        Map, poses and \`errors\` are as they were before, but for what somebody has changed since. The corrected map
        stays among the maps.
      `,
      publishes: [localizationSurveyChanged],
      to: 'settings',
      send: async ({ params: { id } }) => {
        const kept = keptOf(id)
        if (isFault(kept)) return kept
        const orders = planUndo(kept, await present())
        return isFault(orders) ? orders : severalOrder(orders)
      },
      answer,
      faults: ['survey.not_found', 'survey.not_possible'],
    }),

    surveys.delete({
      summary: 'Forget a survey of map and rig',
      about: 'What was accepted of it stays, and cannot be undone any more.',
    }),
  ]
}
