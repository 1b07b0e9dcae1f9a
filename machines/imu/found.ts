// The IMUs that a device has, as they were found.
import type { Static } from 'typebox'
import { enumOf } from '../schema/enum-of.ts'
import { orNull } from '../schema/or-null.ts'
import Type from '../schema/type.ts'

const strict = { additionalProperties: false } as const

/** How samples come. */
export const ImuWay = enumOf(
  {
    buffer: 'the kernel stamps each sample and hands over many at once',
    polling: 'its files are read again and again, which is slower and less exact',
    fake: 'a made-up one',
  },
  'ImuWay',
)
export type ImuWay = Static<typeof ImuWay>

/** One IMU, of one device of the system or of two that belong together. */
export const FoundImu = Type.Object(
  {
    id: Type.String({ maxLength: 200, description: 'The same after every start.' }),
    name: Type.String({ maxLength: 200, description: 'As its driver calls it.' }),
    way: ImuWay,
    devices: Type.Array(Type.String({ maxLength: 200 }), {
      maxItems: 2,
      description: 'As the system calls them; two where turns and forces come from devices of their own.',
    }),
    rates_hz: Type.Array(Type.Number(), {
      maxItems: 64,
      description: 'Samples in a second that it offers; empty: it does not say.',
    }),
    detail: orNull(Type.String({ maxLength: 500 }), 'What speaks against its use, for people; null: nothing does.'),
  },
  { ...strict, title: 'FoundImu', description: 'An IMU that this device has.' },
)
export type FoundImu = Static<typeof FoundImu>

/** All that there are, and where was looked. */
export interface FoundImus {
  readonly imus: readonly FoundImu[]
  /** Sentences for people. */
  readonly looked_for: readonly string[]
}
