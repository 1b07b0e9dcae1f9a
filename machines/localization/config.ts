// What is set of localization: one document.
import type { Static } from 'typebox'
import { inputOf, withDefault } from '../schema/defaults.ts'
import { StreamId } from '../schema/stream-id.ts'
import Type from '../schema/type.ts'
import { FieldMap } from './field-map.ts'

const strict = { additionalProperties: false } as const

const number = (minimum: number, maximum: number, description: string) => Type.Number({ minimum, maximum, description })

const group = <T extends Parameters<typeof Type.Object>[0]>(title: string, description: string, fields: T) =>
  Type.Object(fields, { ...strict, title, description })

const IgnoredTag = group('IgnoredTag', 'A tag that is not used.', {
  tag_id: Type.Integer({ minimum: 0, maximum: 100_000, description: 'Of any family.' }),
  why: Type.String({ maxLength: 200, description: 'For people.' }),
})

const priors = {
  z_std_m: number(0.005, 10, 'How far above or below the floor the robot may be.'),
  tilt_std_deg: number(0.1, 45, 'How far the robot may be tilted.'),
}
const heading = {
  use: Type.Boolean({ description: "Whether the robot's heading is used once its offset is known." }),
  std_deg: number(0.05, 45, 'How far the heading may be off when its offset is known.'),
  learn_offset: Type.Boolean({
    description: 'Whether its offset is learnt from tags; if not, it is taken to be zero.',
  }),
}
const errors = {
  map_m: number(0.0001, 1, 'How far a tag may hang from where the map says.'),
  map_deg: number(0.001, 45, 'How far it may be turned.'),
  mount_m: number(0.0001, 1, 'How far a camera may sit from where its pose says.'),
  mount_deg: number(0.001, 45, 'How far it may be turned.'),
  lens_share: number(0, 0.2, 'How far its focal length may be off, as a share of it.'),
}
const gate = {
  tag_chi2: number(8, 1000, 'Above that of its eight numbers, a tag that the others contradict is left out.'),
  fused_chi2: number(3, 1000, 'Above that of its three numbers, the filter refuses a pose.'),
  max_std_m: number(0.01, 2, 'A pose less sure than that is not given to the robot.'),
}

const fields = {
  enabled: withDefault(Type.Boolean({ description: 'Whether all cameras are solved together.' }), true),
  map_id: withDefault(
    Type.Union([FieldMap.properties.id, Type.Null()], { description: 'null: the map that the streams use.' }),
    null,
  ),
  streams: withDefault(
    Type.Union([Type.Literal('all'), Type.Array(StreamId, { maxItems: 16, uniqueItems: true })], {
      description: 'Those whose cameras are used.',
    }),
    'all',
  ),
  ignored: withDefault(Type.Array(IgnoredTag, { maxItems: 1000, description: 'Tags that are not used.' }), []),
  priors: withDefault(group('LocalizationPriors', 'What is known without tags.', priors), {
    z_std_m: 0.1,
    tilt_std_deg: 8,
  }),
  heading: withDefault(group('LocalizationHeading', "What the robot's heading is taken for.", heading), {
    use: true,
    std_deg: 0.5,
    learn_offset: true,
  }),
  odometry: withDefault(
    group('LocalizationOdometry', 'Where the motion of the robot between pictures comes from.', {
      source: Type.Union([Type.Literal('nt4'), Type.Literal('none')], {
        description: '`nt4`: the topic `/vedette/localization/odometry`, while it comes. `none`: from the tags alone.',
      }),
    }),
    { source: 'nt4' },
  ),
  errors: withDefault(group('LocalizationErrors', 'How far map, mounts and lenses may be off; one sigma.', errors), {
    map_m: 0.01,
    map_deg: 0.5,
    mount_m: 0.005,
    mount_deg: 0.3,
    lens_share: 0.003,
  }),
  gate: withDefault(group('LocalizationGate', 'What is refused.', gate), {
    tag_chi2: 30,
    fused_chi2: 16.3,
    max_std_m: 0.3,
  }),
  round_wait_ms: withDefault(
    Type.Integer({ minimum: 5, maximum: 200, description: 'How long a round waits for other cameras, at most.' }),
    40,
  ),
}

/** As it is sent: what has a default may be left out. */
export const SentLocalizationConfig = inputOf(fields, {
  ...strict,
  title: 'LocalizationConfigInput',
  description: 'How all cameras are solved together; what is left out has its default.',
})

/** As it is stored and shown. */
export const LocalizationConfig = Type.Object(fields, {
  ...strict,
  title: 'LocalizationConfig',
  description: 'How all cameras are solved together.',
})
export type LocalizationConfig = Static<typeof LocalizationConfig>
