// The rows of sources outside of the service: what they are, and what they send.
import type { Static } from 'typebox'
import { DIRECTORY } from '../../actors/directory.ts'
import { EXTERNAL_SAMPLES } from '../../actors/localization/tokens.ts'
import { isFault } from '../../machines/errors/fault.ts'
import { externalSourceChanged } from '../../machines/localization/events.ts'
import {
  ExternalSourceId,
  isOutputKey,
  OUTPUT_KEY_FORM,
  OutputKey,
} from '../../machines/localization/external/names.ts'
import { ExternalSample, MAX_SAMPLE_BYTES, SampleReason } from '../../machines/localization/external/sample.ts'
import {
  ExternalSource,
  externalSourceCollection,
  SentExternalSource,
  wholeExternalSource,
} from '../../machines/localization/external/source.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { orNull } from '../../machines/schema/or-null.ts'
import Type from '../../machines/schema/type.ts'
import { putOrder } from '../../machines/settings/commit.ts'
import { documentOf } from '../../machines/settings/store.ts'
import type { Given } from '../../machines/token.ts'
import { sendDocument } from '../endpoints/answer.ts'
import { command } from '../endpoints/command.ts'
import { custom } from '../endpoints/custom.ts'
import { read } from '../endpoints/read.ts'
import { resource } from '../endpoints/resource.ts'
import { unfit } from './config.ts'
import { malformedKey } from './malformed-key.ts'
import { ExternalPlace, externalPlace, externalPlaceExample } from './samples.ts'

/** The needs of the rows. */
export const externalNeeds = { directory: DIRECTORY, external: EXTERNAL_SAMPLES }
type ExternalParts = Given<typeof externalNeeds>

const strict = { additionalProperties: false } as const
const PATH = '/v1/localization/external/sources'

const Count = Type.Integer({ minimum: 0 })

const OutputStatus = Type.Object(
  {
    output_key: OutputKey,
    age_ms: orNull(Type.Number(), 'How long ago the newest was true; null: none has come.'),
    stale: Type.Boolean({ description: 'Whether the newest is too old, or the source has lost its way.' }),
    accepted: { ...Count, description: 'How many samples were the newest when they came.' },
    skipped: { ...Count, description: 'How many of these came beyond 200 a second and were not given to the solve.' },
    refused: Type.Record(Type.String(), Count, { description: 'How many were not used, by the reason.' }),
  },
  { ...strict, title: 'ExternalOutputStatus', description: 'What came of an output since the source was declared.' },
)

const Status = Type.Object(
  { outputs: Type.Array(OutputStatus, { description: 'In the order of the spec.' }) },
  { ...strict, title: 'ExternalSourceStatus', description: 'What has come of a source.' },
)

const Answer = Type.Object(
  {
    accepted: Type.Boolean({ description: 'Whether it is the newest of its output now.' }),
    reason: orNull(SampleReason, 'Why not; null: it is.'),
    age_ms: orNull(Type.Number(), 'How long ago it was true, by what it says; null: nobody knows.'),
  },
  { ...strict, title: 'ExternalSampleAnswer', description: 'What became of a sample.' },
)

const sentExample: SentExternalSource = {
  kind: 'absolute',
  origin: 'blue',
  of: 'robot',
  time_base: 'age_us',
  outputs: [{ output_key: 'pose', data_type: 'pose' }],
  use: 'show',
}

/** As it is stored; a busy device has it, as `questnav`. */
export const externalExample = wholeExternalSource(sentExample) as ExternalSource

const outputExample = { output_key: 'pose', age_ms: 12.5, stale: false, accepted: 120, skipped: 0, refused: {} }

const sampleExample = {
  output_key: 'pose',
  age_us: 12_500,
  pose: { x_m: 4.02, y_m: 3.11, z_m: 0, quaternion: { w: 1, x: 0, y: 0, z: 0 } },
  std_devs: { x_m: 0.05, y_m: 0.05, z_m: 0.05, roll_deg: 1, pitch_deg: 1, yaw_deg: 1 },
}

/** The rows. */
export const externalRows = (parts: ExternalParts) => {
  const source = resource(PATH, {
    collection: externalSourceCollection,
    title: 'ExternalSource',
    about: 'A source of poses outside of this service.',
    spec: ExternalSource,
    status: Status,
    example: { id: 'questnav', spec: externalExample, status: { outputs: [outputExample] } },
    statusOf: (id) => statusOf(parts, id),
  })
  return [
    source.list({
      summary: 'All sources of poses outside of this service',
      order: 'In the order of their declaration.',
    }),

    command('PUT', `${PATH}/:id`, {
      params: { id: ExternalSourceId },
      summary: 'Declare a source of poses outside of this service, or change it',
      about: oneLine`
        What another program sends, and in which frame. What is left out has its default. Its samples begin again where
        it is declared otherwise. \`PUT\` makes one that is not there yet.
      `,
      conditional: true,
      creates: true,
      publishes: [externalSourceChanged],
      to: 'settings',
      body: { schema: SentExternalSource, example: sentExample, invalid: 'localization.invalid' },
      send: ({ params, body, expected }) => {
        const whole = wholeExternalSource(body)
        return 'kind' in whole ? putOrder(externalSourceCollection, params.id, whole, expected) : unfit(whole)
      },
      answer: {
        schema: source.document,
        example: { id: 'questnav', revision: 1, spec: externalExample, status: { outputs: [outputExample] } },
        canBeGone: true,
        of: (call) =>
          documentOf(call.directory.settings, externalSourceCollection, call.params.id) &&
          source.viewAt(call, call.params.id),
      },
      faults: ['external_source.not_found', 'localization.invalid'],
    }),

    source.delete({ summary: 'Remove a source of poses outside of this service' }),

    custom('POST', `${PATH}/:id/sample`, {
      because: 'it writes a slot that is lost with the service: no actor stores it, and no repeat is remembered',
      params: { id: ExternalSourceId },
      summary: 'Send a pose',
      about: oneLine`
        Kept as the newest of its output, and lost when the service ends. One that comes too late, or says a time that
        cannot be, is answered with the reason and not used; one that says nonsense is refused. Of a source that counts
        beside the cameras 200 a second do; the newest is shown whatever comes.
      `,
      body: {
        schema: ExternalSample,
        example: sampleExample,
        invalid: 'localization.invalid',
        maxBytes: MAX_SAMPLE_BYTES,
      },
      answer: {
        status: 'ok',
        mediaType: 'application/json',
        schema: Answer,
        example: { accepted: true, reason: null, age_ms: 12.5 },
      },
      serve: ({ params, body }, reply) => {
        const verdict = parts.external.take(params.id, body)
        if (isFault(verdict)) return sendDocument(reply, 'ok', verdict)
        if ('flaws' in verdict) return sendDocument(reply, 'ok', unfit(verdict.flaws))
        const { accepted, reason, ageUs } = verdict
        return sendDocument(reply, 'ok', { accepted, reason, age_ms: ageUs === null ? null : ageUs / 1000 })
      },
      faults: ['external_source.not_found', 'output.not_found', 'localization.invalid'],
    }),

    read('GET', '/v1/localization/external/:id/outputs/:output_key', {
      params: { id: ExternalSourceId, output_key: OutputKey },
      summary: 'Newest sample of an output of an external source',
      about: 'One that is stale is not shown: `sample` is null then.',
      answer: ExternalPlace,
      example: externalPlaceExample,
      get: ({ params: { id, output_key } }) => {
        if (!isOutputKey(output_key)) return malformedKey(output_key, OUTPUT_KEY_FORM)
        const slot = parts.external.output(id, output_key)
        return isFault(slot) ? slot : externalPlace(parts.directory.clock, slot, output_key)
      },
      faults: ['external_source.not_found', 'output.not_found', 'output_key.malformed'],
    }),
  ]
}

const statusOf = ({ directory: { clock }, external }: ExternalParts, id: string): Static<typeof Status> | undefined => {
  const source = external.source(id)
  if (isFault(source)) return undefined
  const nowUs = clock.monotonicUs()
  return {
    outputs: [...source.outputs].map(([output_key, slot]) => {
      const ageUs = slot.ageUs(nowUs)
      return {
        output_key,
        age_ms: ageUs === undefined ? null : ageUs / 1000,
        stale: slot.isStale(nowUs),
        ...slot.counts,
      }
    }),
  }
}
