// What is in the device and on it, besides cameras.
import type { Static } from 'typebox'
import { oneLine } from '../schema/one-line.ts'
import { orNull } from '../schema/or-null.ts'
import Type from '../schema/type.ts'

const strict = { additionalProperties: false } as const
/** Who drives a fan. */
export const FAN_MODES = ['full', 'manual', 'automatic'] as const

/** A fan of the device. */
export const Fan = Type.Object(
  {
    name: Type.String({ maxLength: 64, description: 'As the system calls it.' }),
    rpm: orNull(Type.Integer({ minimum: 0 }), 'Turns a minute. null: it is not measured.'),
    duty: orNull(Type.Number({ minimum: 0, maximum: 1 }), 'The share of its full drive. null: it is not told.'),
    mode: orNull(
      Type.Enum(FAN_MODES),
      oneLine`
        full: it is driven as much as can be. manual: as somebody said. automatic: by the temperature. null: it is not
        told.
      `,
    ),
    level: orNull(
      Type.Integer({ minimum: 0 }),
      'The step of cooling that the system has chosen. null: it is not told.',
    ),
    max_level: orNull(Type.Integer({ minimum: 0 }), 'The highest of these steps.'),
    trouble: orNull(Type.String(), 'What is wrong with it and what can be done, for people. null: nothing.'),
  },
  { ...strict, title: 'Fan', description: 'A fan of the device.' },
)
export type Fan = Static<typeof Fan>

export const fanExample: Fan = {
  name: 'pwmfan',
  rpm: 3_120,
  duty: 0.49,
  mode: 'automatic',
  level: 2,
  max_level: 4,
  trouble: null,
}

const DRIVEN = 0.2 // below, a fan may stand still by design

/** A fan as it was read, with what is wrong with it. */
export const fanOf = (read: Omit<Fan, 'trouble'>): Fan => ({
  ...read,
  trouble:
    read.rpm === 0 && (read.duty ?? 0) > DRIVEN
      ? oneLine`
          The fan is driven and does not turn: look whether a cable holds it, whether it is plugged in, and whether it
          turns by hand.
        `
      : null,
})

/** What sorts of parts are listed. */
export const PERIPHERAL_KINDS = ['fan', 'power-meter', 'thermometer', 'sensor', 'light', 'chip', 'clock'] as const

/** A part of the device, besides cameras. */
export const Peripheral = Type.Object(
  {
    kind: Type.Enum(PERIPHERAL_KINDS, {
      description: oneLine`
        fan, power-meter (of voltages, currents), thermometer, sensor (of motion, light and the like), light (an LED),
        chip (on an I2C bus, whatever it does), clock (that runs without power).
      `,
    }),
    name: Type.String({ maxLength: 64, description: 'As the system calls it.' }),
    place: orNull(Type.String({ maxLength: 256 }), 'Where it sits in the tree of devices. null: nowhere known.'),
  },
  { ...strict, title: 'Peripheral', description: 'A part of the device, besides cameras.' },
)
export type Peripheral = Static<typeof Peripheral>

export const peripheralExample: Peripheral = {
  kind: 'fan',
  name: 'pwmfan',
  place: '/sys/devices/platform/cooling_fan',
}
