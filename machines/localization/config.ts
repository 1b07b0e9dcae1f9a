// What is set of localization: one document.
import type { Static, TProperties } from 'typebox'
import { filled, inputOf, withDefault } from '../schema/defaults.ts'
import { oneLine } from '../schema/one-line.ts'
import { StreamId } from '../schema/stream-id.ts'
import Type from '../schema/type.ts'
import { FieldMap } from './field-map.ts'

const strict = { additionalProperties: false } as const

/** A number that has a default. */
const number = (value: number, minimum: number, maximum: number, description: string) =>
  withDefault(Type.Number({ minimum, maximum, description }), value)

/** A part of the document, whole and as it may be sent: then each of its fields may be left out. */
const group = <Fields extends TProperties>(title: string, description: string, fields: Fields) => {
  const whole = Type.Object(fields, { ...strict, title, description })
  const sent = inputOf(fields, { ...strict, title: `${title}Input`, description })
  return { whole: withDefault(whole, filled(whole, {}) as Static<typeof whole>), sent: Type.Optional(sent) }
}

const IgnoredTag = Type.Object(
  {
    tag_id: Type.Integer({ minimum: 0, maximum: 100_000, description: 'Of any family.' }),
    why: Type.String({ maxLength: 200, description: 'For people.' }),
  },
  { ...strict, title: 'IgnoredTag', description: 'A tag that is not used.' },
)

const priors = group('LocalizationPriors', 'What is known without tags.', {
  z_std_m: number(0.1, 0.005, 10, 'How far above or below the floor the robot may be.'),
  tilt_std_deg: number(8, 0.1, 45, 'How far the robot may be tilted.'),
})

const heading = group('LocalizationHeading', "What the robot's heading is taken for.", {
  use: withDefault(
    Type.Boolean({ description: "Whether the robot's heading is used once its offset is known." }),
    true,
  ),
  std_deg: number(0.5, 0.05, 45, 'How far the heading may be off when its offset is known.'),
  learn_offset: withDefault(
    Type.Boolean({ description: 'Whether its offset is learnt from tags; if not, it is taken to be zero.' }),
    true,
  ),
  use_imu: withDefault(
    Type.Boolean({
      description: oneLine`
        Whether the heading of this device's IMU stands in while the robot says none, neither by itself nor in its
        odometry. Its offset is learnt from tags in any case.`,
    }),
    false,
  ),
})

const odometry = group('LocalizationOdometry', 'Where the motion of the robot between pictures comes from.', {
  source: withDefault(
    Type.Enum(['nt4', 'none'], {
      description: oneLine`
        \`nt4\`: the topic \`/vedette/localization/odometry\`, while it comes, else a relative source of another
        program. \`none\`: from the tags alone.`,
    }),
    'nt4',
  ),
})

const errors = group('LocalizationErrors', 'How far map, mounts and lenses may be off; one sigma.', {
  map_m: number(0.01, 0.0001, 1, 'How far a tag may hang from where the map says.'),
  map_deg: number(0.5, 0.001, 45, 'How far it may be turned.'),
  mount_m: number(0.005, 0.0001, 1, 'How far a camera may sit from where its pose says.'),
  mount_deg: number(0.3, 0.001, 45, 'How far it may be turned.'),
  lens_share: number(0.003, 0, 0.2, 'How far its focal length may be off, as a share of it.'),
})

const gate = group('LocalizationGate', 'What is refused.', {
  tag_chi2: number(30, 8, 1000, 'Above that of its eight numbers, a tag that the others contradict is left out.'),
  fused_chi2: number(16.3, 3, 1000, 'Above that of its three numbers, the filter refuses a pose.'),
  max_std_m: number(0.3, 0.01, 2, 'A pose less sure than that is not given to the robot.'),
})

const plain = {
  enabled: withDefault(Type.Boolean({ description: 'Whether all cameras are solved together.' }), true),
  map_id: withDefault(
    Type.Union([FieldMap.properties.id, Type.Null()], { description: 'null: the map that the streams use.' }),
    null,
  ),
  streams: withDefault(
    Type.Union([Type.Literal('all'), Type.Array(StreamId, { maxItems: 16 })], {
      description: 'Those whose cameras are used, each once; `all`: also those that come later.',
    }),
    'all',
  ),
  ignored: withDefault(
    Type.Array(IgnoredTag, { maxItems: 1000, description: 'Tags that are not used, each once.' }),
    [],
  ),
}

const wait = {
  round_wait_ms: withDefault(
    Type.Integer({ minimum: 5, maximum: 200, description: 'How long a round waits for other cameras, at most.' }),
    40,
  ),
}

/** As it is sent: what has a default may be left out, also within a group. */
export const SentLocalizationConfig = Type.Object(
  {
    ...inputOf(plain, {}).properties,
    priors: priors.sent,
    heading: heading.sent,
    odometry: odometry.sent,
    errors: errors.sent,
    gate: gate.sent,
    ...inputOf(wait, {}).properties,
  },
  {
    ...strict,
    title: 'LocalizationConfigInput',
    description: 'How all cameras are solved together; what is left out has its default.',
  },
)
export type SentLocalizationConfig = Static<typeof SentLocalizationConfig>

/** As it is stored and shown. */
export const LocalizationConfig = Type.Object(
  {
    ...plain,
    priors: priors.whole,
    heading: heading.whole,
    odometry: odometry.whole,
    errors: errors.whole,
    gate: gate.whole,
    ...wait,
  },
  {
    ...strict,
    title: 'LocalizationConfig',
    description: 'How all cameras are solved together.',
  },
)
export type LocalizationConfig = Static<typeof LocalizationConfig>

/** What was sent, with the defaults of what was left out. */
export const wholeLocalizationConfig = (sent: SentLocalizationConfig): LocalizationConfig =>
  filled(LocalizationConfig, sent) as LocalizationConfig

/** As long as nobody has changed anything. */
export const DEFAULT_LOCALIZATION_CONFIG = wholeLocalizationConfig({})
