// What is set of the IMU: whether it is used, which, how fast, how it sits on the robot, and its bias.
import type { Static } from 'typebox'
import { oneLine } from '../schema/one-line.ts'
import { orNull } from '../schema/or-null.ts'
import Type from '../schema/type.ts'
import { ImuMount } from './mount.ts'

const strict = { additionalProperties: false } as const

/** No chip that turns less than 2000 degrees in a second says more at rest. */
const MAX_BIAS_DPS = 100

/** What the chip says at rest that it should not. */
export const ImuBias = Type.Object(
  {
    imu: Type.String({ maxLength: 200, description: 'The `id` of the IMU that it was measured on.' }),
    gyro_dps: Type.Array(Type.Number({ minimum: -MAX_BIAS_DPS, maximum: MAX_BIAS_DPS }), {
      minItems: 3,
      maxItems: 3,
      description: 'Degrees in a second that it says at rest, along the x, y and z axes of the chip.',
    }),
    temperature_c: orNull(Type.Number(), 'Of the chip as it was measured; null: it does not say.'),
    measured_at_ms: Type.Integer({ minimum: 0, description: 'When, Unix time.' }),
  },
  { ...strict, title: 'ImuBias', description: 'What the chip says of its turns while it holds still.' },
)
export type ImuBias = Static<typeof ImuBias>

/** As it is shown. */
export const ImuSettings = Type.Object(
  {
    enabled: Type.Boolean({ description: 'Whether it is used.' }),
    imu: orNull(
      Type.String({ minLength: 1, maxLength: 200 }),
      'The `id` of the one that is used; null: the best that there is.',
    ),
    rate_hz: Type.Integer({
      minimum: 10,
      maximum: 4_000,
      description: oneLine`
        Samples in a second that are asked for; the chip takes the nearest that it has. What is read by polling gives
        100 at most.
      `,
    }),
    mount: ImuMount,
  },
  { ...strict, title: 'ImuSettings', description: 'What people want of the IMU.' },
)
export type ImuSettings = Static<typeof ImuSettings>

/** As they are stored: what is null is left out, since null in a change takes a field away. */
export const StoredImuSettings = Type.Object(
  {
    ...ImuSettings.properties,
    imu: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    bias: Type.Optional(ImuBias),
  },
  strict,
)
export type StoredImuSettings = Static<typeof StoredImuSettings>

/** As long as nobody has changed anything. 200 samples in a second follow a robot that shakes. */
export const DEFAULT_IMU_SETTINGS = {
  enabled: true,
  rate_hz: 200,
  mount: { roll_deg: 0, pitch_deg: 0, yaw_deg: 0 },
} as const satisfies StoredImuSettings
