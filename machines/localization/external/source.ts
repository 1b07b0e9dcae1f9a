// A source of poses outside of this service: another program, which sends them.
import type { Static } from 'typebox'
import { filled, inputOf, withDefault } from '../../schema/defaults.ts'
import type { SchemaError } from '../../schema/explain.ts'
import { oneLine } from '../../schema/one-line.ts'
import { quote } from '../../schema/quote.ts'
import Type from '../../schema/type.ts'
import { collection } from '../../settings/collection.ts'
import { externalSourceChanged } from '../events.ts'
import { PoseDocument } from '../pose.ts'
import { PoseBody, poseOfBody } from '../pose-body.ts'
import { SentDeviations } from './deviations.ts'
import { ExternalSourceId, OutputKey } from './names.ts'

const strict = { additionalProperties: false } as const

/** More is a mistake in a script. */
export const MAX_EXTERNAL_SOURCES = 16
export const MAX_EXTERNAL_OUTPUTS = 16

/** Whether a source says places, or only motion. */
export const ExternalKind = Type.Enum(['absolute', 'relative'], {
  title: 'ExternalKind',
  description: oneLine`
    \`absolute\`: it says where the robot is on the field. \`relative\`: it says how the robot moved, from an origin of
    its own that drifts and jumps, as odometry by pictures does: it never says a place.
  `,
})

/** Where the frame has its origin that poses are given in. */
export const ExternalOrigin = Type.Enum(['blue', 'red', 'centre', 'own'], {
  title: 'ExternalOrigin',
  description: oneLine`
    Where the frame has its origin that poses are given in. \`blue\`: the blue corner, x towards the red wall. \`red\`:
    the corner opposite, x towards the blue wall. \`centre\`: the middle of the field, axes as of blue. \`own\`:
    wherever it was switched on; only of a relative one.
  `,
})

/** Whose pose it is. */
export const ExternalOf = Type.Enum(['robot', 'sensor'], {
  description: 'Whose pose it is: `robot`, or `sensor`, which sits on the robot as `mount` says.',
})

/** How it says when a pose was true. */
export const ExternalTimeBase = Type.Enum(['server_us', 'age_us', 'arrival'], {
  title: 'ExternalTimeBase',
  description: oneLine`
    How it says when a pose was true. \`server_us\`: \`captured_us\` in the time of the NT4 server. \`age_us\`: how old
    it was when it was sent, as the sender measured. \`arrival\`: nothing is said, and it is taken to be true as it
    comes.
  `,
})

/** What its poses are used for. */
export const ExternalUse = Type.Enum(['solve', 'show'], {
  description: 'What its poses are used for. `solve`: they count beside the cameras. `show`: they are only shown.',
})

const Output = Type.Object(
  {
    output_key: OutputKey,
    data_type: Type.Enum(['pose'], { description: '`pose`: where the robot or the sensor is.' }),
  },
  { ...strict, title: 'ExternalOutput', description: 'Something that an external source sends.' },
)

const DEFAULT_STD: SentDeviations = { x_m: 0.1, y_m: 0.1, z_m: 0.1, roll_deg: 3, pitch_deg: 3, yaw_deg: 3 }

/** That of the solve: a pose that claims more is not believed. */
const DEFAULT_FLOOR: SentDeviations = {
  x_m: 0.005,
  y_m: 0.005,
  z_m: 0.005,
  roll_deg: 0.1,
  pitch_deg: 0.1,
  yaw_deg: 0.1,
}

const ABOUT_MOUNT = 'Where the sensor sits on the robot, as the pose of a camera; null: it is the pose of the robot.'

const ABOUT_DEVIATIONS = '`std_devs`: of samples that say none; `std_floor`: no sample is taken to be surer.'

const plain = {
  kind: ExternalKind,
  origin: ExternalOrigin,
  of: withDefault(ExternalOf, 'robot'),
  time_base: ExternalTimeBase,
  max_age_ms: withDefault(
    Type.Integer({
      minimum: 10,
      maximum: 2_000,
      description: 'After that time without a newer one a sample is stale.',
    }),
    500,
  ),
  outputs: Type.Array(Output, { minItems: 1, maxItems: MAX_EXTERNAL_OUTPUTS, description: 'What it sends.' }),
  use: withDefault(ExternalUse, 'show'),
}

/** As it is sent: what has a default may be left out, and a mount may be turned by a quaternion. */
export const SentExternalSource = Type.Object(
  {
    ...inputOf(plain, {}).properties,
    mount: Type.Optional(Type.Union([PoseBody, Type.Null()], { description: `${ABOUT_MOUNT} Default: null.` })),
    std_devs: Type.Optional(SentDeviations),
    std_floor: Type.Optional(SentDeviations),
  },
  {
    ...strict,
    title: 'ExternalSourceInput',
    description: oneLine`
      What another program sends, and in which frame. ${ABOUT_DEVIATIONS} Defaults: 0.1 m and 3 degrees, never below
      0.005 m and 0.1 degrees.
    `,
  },
)
export type SentExternalSource = Static<typeof SentExternalSource>

/** As it is stored and shown. */
export const ExternalSource = Type.Object(
  {
    ...plain,
    mount: Type.Union([PoseDocument, Type.Null()], { description: ABOUT_MOUNT }),
    std_devs: SentDeviations,
    std_floor: SentDeviations,
  },
  {
    ...strict,
    title: 'ExternalSourceSpec',
    description: `What another program sends, and in which frame. ${ABOUT_DEVIATIONS}`,
  },
)
export type ExternalSource = Static<typeof ExternalSource>

/** What was sent, with the defaults of what was left out; or what is wrong with it. */
export const wholeExternalSource = ({
  mount = null,
  std_devs = DEFAULT_STD,
  std_floor = DEFAULT_FLOOR,
  ...sent
}: SentExternalSource): ExternalSource | readonly SchemaError[] => {
  const pose = mount && poseOfBody(mount)
  if (pose && !('x_m' in pose)) return pose.map((flaw) => ({ ...flaw, pointer: `/mount${flaw.pointer}` }))
  const whole = filled(ExternalSource, { ...sent, mount: pose, std_devs, std_floor }) as ExternalSource
  const flaws = flawsOf(whole)
  return flaws.length > 0 ? flaws : whole
}

/** What its schema cannot say. */
const flawsOf = ({ kind, origin, of, mount, outputs }: ExternalSource): readonly SchemaError[] => {
  const keys = outputs.map(({ output_key }) => output_key)
  return [
    ...(kind === 'relative' && origin !== 'own'
      ? [{ pointer: '/origin', message: 'must be "own" of a relative source: it knows no place on the field' }]
      : []),
    ...(kind === 'absolute' && origin === 'own'
      ? [{ pointer: '/origin', message: 'must be "blue", "red" or "centre" of an absolute source' }]
      : []),
    ...(of === 'sensor' && mount === null
      ? [{ pointer: '/mount', message: 'is missing; say where the sensor sits on the robot' }]
      : []),
    ...(of === 'robot' && mount !== null
      ? [
          {
            pointer: '/mount',
            message: 'stands beside the pose of the robot itself; leave it out, or say of: "sensor"',
          },
        ]
      : []),
    ...keys.flatMap((key, n) =>
      keys.indexOf(key) < n ? [{ pointer: `/outputs/${n}/output_key`, message: `is ${quote(key)} once more` }] : [],
    ),
  ]
}

/** The declared sources; samples are no part of them, and are lost at the end of the service. */
export const externalSourceCollection = collection({
  name: 'external_sources',
  id: ExternalSourceId,
  schema: ExternalSource,
  limit: MAX_EXTERNAL_SOURCES,
  changed: externalSourceChanged,
  notFound: (id) => ({
    code: 'external_source.not_found',
    detail: `there is no external source ${quote(id)}; GET /v1/localization/external/sources lists them`,
  }),
  check: flawsOf,
})
