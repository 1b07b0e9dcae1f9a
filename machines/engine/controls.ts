// The controls of a camera: brightness, exposure and their like, as documents have them. The engine and the program
// `cameras` write them alike.

import type { Static } from 'typebox'
import { oneLine } from '../schema/one-line.ts'
import Type from '../schema/type.ts'

const strict = { additionalProperties: false } as const

const MenuEntry = Type.Object(
  {
    value: Type.Integer({ description: 'What the control is set to.' }),
    label: Type.String({ description: 'As the camera calls it.' }),
  },
  { ...strict, title: 'ControlMenuEntry', description: 'A value of a menu; cameras leave some out.' },
)

/** One control, with its present value. */
export const Control = Type.Object(
  {
    id: Type.Integer({ minimum: 0, description: "V4L2's number, by which it is set." }),
    name: Type.String({
      description: oneLine`
        The same for every camera and every version of the system, as far as we have a name: \`brightness\`, \`gain\`,
        \`exposure_auto\`, \`exposure_time_us\`.
      `,
    }),
    type: Type.Enum(['integer', 'boolean', 'menu', 'integer-menu', 'button', 'integer64', 'bitmask'], {
      description:
        'integer, integer64: a number. boolean: 0 or 1. menu: the number of a line of `menu`; integer-menu: the ' +
        'same, where the lines are numbers. bitmask: bits. button: it has no value, and is pressed by writing any.',
    }),
    min: Type.Integer({ description: 'The least value.' }),
    max: Type.Integer({ description: 'The greatest value.' }),
    step: Type.Integer({ description: 'From one value to the next; 0 or 1: all in between.' }),
    default: Type.Integer({ description: 'As it comes from the factory.' }),
    value: Type.Integer({ description: 'At present.' }),
    unit: Type.Union([Type.Literal('us'), Type.Null()], { description: "`us`: microseconds. null: the camera's own." }),
    flags: Type.Array(Type.String(), {
      description: oneLine`
        V4L2's: \`inactive\` (another control, such as an automatic mode, decides), \`read-only\`, \`write-only\`,
        \`volatile\`, \`grabbed\`, \`execute-on-write\`.
      `,
    }),
    menu: Type.Union([Type.Array(MenuEntry), Type.Null()], { description: 'Of a menu; null: it is none.' }),
  },
  {
    ...strict,
    title: 'CameraControl',
    description: 'A control of a camera. Exposure is in microseconds, whatever the camera counts in.',
  },
)
export type Control = Static<typeof Control>

/** What came of setting a control. */
export interface ControlOutcome {
  readonly requested: number
  /** What was read back. */
  readonly applied: number
  readonly ok: boolean
  readonly code: 'control.refused' | 'control.adjusted' | null
  /** A sentence, when it is not ok. */
  readonly why: string | null
}

/** What the times of capture rest on; native/addon/capture/v4l2/v4l2_stamp.h has what that means. */
export const TimestampSource = Type.Enum(['start-of-exposure', 'driver', 'arrival', 'computed', 'file', 'peer'], {
  title: 'TimestampSource',
  description: oneLine`
    What the times of capture rest on. \`start-of-exposure\`: the driver tells when exposure began. \`driver\`: it
    tells another moment, as a rule the end of the picture. \`arrival\`: it tells none, and pictures have the time at
    which they came. \`computed\`: a picture that is computed for its time. \`file\`: the moment at which a picture
    from a file was due; of a video that is played as fast as it goes, its own times, from the moment at which it was
    begun. \`peer\`: the device that took the picture says when, and how far its clock is from the one here is known.
  `,
})
export type TimestampSource = Static<typeof TimestampSource>
