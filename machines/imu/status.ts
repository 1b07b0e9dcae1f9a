// How it stands with the IMU, as everybody is told.
import type { Static } from 'typebox'
import { orNull } from '../schema/or-null.ts'
import Type from '../schema/type.ts'
import { FoundImu, ImuWay } from './found.ts'
import { ImuBias } from './settings.ts'
import { ImuState } from './state.ts'

const strict = { additionalProperties: false } as const

const axes = (description: string) =>
  Type.Array(Type.Number(), { minItems: 3, maxItems: 3, description: `${description} X, y, z of the robot.` })

/** What it says now. */
export const ImuReadingDocument = Type.Object(
  {
    at_us: Type.Number({ description: 'When, CLOCK_MONOTONIC, µs: the time base of every frame.' }),
    quat: Type.Array(Type.Number(), {
      minItems: 4,
      maxItems: 4,
      description: 'The rotation from the robot to the world: w, x, y, z.',
    }),
    roll_deg: Type.Number({ description: 'Positive when the left side goes up.' }),
    pitch_deg: Type.Number({ description: 'Positive when the front goes down.' }),
    yaw_deg: Type.Number({ description: 'Counter-clockwise, without a jump; 0 at the start.' }),
    gyro_dps: axes('Degrees in a second, without the bias.'),
    accel_g: axes('Specific force; at rest and level 0, 0, 1.'),
  },
  { ...strict, title: 'ImuReading', description: 'Where the robot points, and what it feels.' },
)

/** All that is known of the IMU now. */
export const ImuStatus = Type.Object(
  {
    state: ImuState,
    imu: orNull(FoundImu, 'The one that is used; null: none is.'),
    found: Type.Array(FoundImu, { maxItems: 64, description: 'All that there are, the best first.' }),
    looked_for: Type.Array(Type.String({ maxLength: 500 }), {
      maxItems: 64,
      description: 'Where was looked, in sentences for people.',
    }),
    way: orNull(ImuWay, 'How it is read; null: it is not.'),
    rate_hz: orNull(Type.Number(), 'Samples in a second that it was set to.'),
    measured_hz: orNull(Type.Number(), 'Samples in a second that came within the last second.'),
    temperature_c: orNull(Type.Number(), 'Of the chip.'),
    bias: orNull(ImuBias, 'What is taken off its turns and forces; null: nothing was measured.'),
    remainder_dps: orNull(
      axes('What is found of a bias beyond that while it is used, degrees in a second.'),
      'Null: nothing is read.',
    ),
    is_at_rest: Type.Boolean({ description: 'Whether it has held still for more than a second.' }),
    reading: orNull(ImuReadingDocument, 'The newest; null: there is none yet.'),
    fault: orNull(
      Type.Object(
        {
          code: Type.String({ maxLength: 100, description: 'As in the error history.' }),
          detail: Type.String({ maxLength: 2000, description: 'What happened and what to do, for people.' }),
        },
        { ...strict, title: 'ImuFault', description: 'What went wrong.' },
      ),
      'Why it is not running; null: nothing is wrong.',
    ),
  },
  { ...strict, title: 'ImuStatus', description: 'How it stands with the IMU.' },
)
export type ImuStatus = Static<typeof ImuStatus>
