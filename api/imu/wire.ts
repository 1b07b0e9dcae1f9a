// The IMU as people see it.
import type { Static } from 'typebox'
import { ImuMount, ImuMountName } from '../../machines/imu/mount.ts'
import { DEFAULT_IMU_SETTINGS, ImuBias, ImuSettings } from '../../machines/imu/settings.ts'
import { ImuStatus } from '../../machines/imu/status.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { orNull } from '../../machines/schema/or-null.ts'
import Type from '../../machines/schema/type.ts'

const strict = { additionalProperties: false } as const

/** The answer. */
export const ImuDocument = Type.Object(
  {
    revision: Type.Integer({ minimum: 0, description: 'Of the settings; 0: nobody has changed any.' }),
    settings: ImuSettings,
    mount_name: orNull(ImuMountName, 'The name of the mount; null: it does not sit square.'),
    ...ImuStatus.properties,
  },
  { ...strict, title: 'Imu', description: 'What is set of the IMU, how it stands with it, and what it says.' },
)
export type ImuDocument = Static<typeof ImuDocument>

/** What is changed. */
export const ImuChange = Type.Partial(
  Type.Object({
    enabled: ImuSettings.properties.enabled,
    imu: ImuSettings.properties.imu,
    rate_hz: ImuSettings.properties.rate_hz,
    mount: Type.Union([ImuMount, ImuMountName], { description: 'By angles, or by where two axes of the chip point.' }),
    bias: Type.Null({ description: 'null: it is forgotten. It is measured by `POST /v1/device/imu/bias`.' }),
  }),
  { ...strict, title: 'ImuChange', description: 'What shall be another; what is left out stays as it is.' },
)

const DEFAULT_BIAS_S = 5

/** How it is measured. */
export const BiasRequest = Type.Object(
  {
    duration_s: Type.Optional(
      Type.Integer({
        minimum: 2,
        maximum: 60,
        description: `For how long it is listened to. Default: ${DEFAULT_BIAS_S}.`,
      }),
    ),
  },
  { ...strict, title: 'ImuBiasRequest', description: 'How the bias is measured.' },
)

export const biasDurationOf = ({ duration_s = DEFAULT_BIAS_S }: Static<typeof BiasRequest> = {}): number => duration_s

/** What comes of it. */
export const BiasResult = Type.Object(
  { bias: ImuBias },
  { ...strict, title: 'ImuBiasResult', description: oneLine`What was measured; it is in force, and stored.` },
)

const bias = {
  imu: 'fake:imu',
  gyro_dps: [0.229, -0.172, 0.115],
  temperature_c: 38.5,
  measured_at_ms: 1_767_225_600_000,
}

export const imuExample: ImuDocument = {
  revision: 1,
  settings: { imu: null, ...DEFAULT_IMU_SETTINGS },
  mount_name: 'x_forward_z_up',
  state: 'running',
  imu: {
    id: 'fake:imu',
    name: 'made-up IMU',
    way: 'fake',
    devices: ['fake-imu'],
    rates_hz: [25, 50, 100, 200, 400, 800, 1_600],
    detail: null,
  },
  found: [],
  looked_for: [],
  way: 'fake',
  rate_hz: 200,
  measured_hz: 200,
  temperature_c: 38.5,
  bias,
  remainder_dps: [0.01, -0.01, 0],
  is_at_rest: false,
  reading: {
    at_us: 81_235_000_000,
    quat: [0.966, 0, 0, 0.259],
    roll_deg: 0.1,
    pitch_deg: -0.2,
    yaw_deg: 30,
    gyro_dps: [0, 0.1, 8.6],
    accel_g: [0, 0, 1],
  },
  fault: null,
}
