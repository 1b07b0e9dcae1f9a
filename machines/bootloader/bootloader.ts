// The firmware that starts the device before the system does, as clients see it.
import type { Static } from 'typebox'
import { enumOf } from '../schema/enum-of.ts'
import { oneLine } from '../schema/one-line.ts'
import Type from '../schema/type.ts'

const strict = { additionalProperties: false } as const

const STATES = {
  'up-to-date': 'it is the newest that is known',
  available: 'a newer one is there; it can be staged',
  staged: 'a newer one is written where the next start of the device finds it, and puts it in',
  frozen: 'its configuration says that it stays as it is',
  unknown: 'who could say it does not; `detail` says why',
  'not-supported': 'nothing on this device can say or change it; `detail` says what is true',
} as const
export type BootloaderState = keyof typeof STATES

const version = (description: string) =>
  Type.Union(
    [
      Type.Object(
        {
          version: Type.String({ description: 'As its maker writes it.' }),
          built_at_ms: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
            description: 'When it was built, Unix time; null: it does not say.',
          }),
        },
        { ...strict, title: 'BootloaderVersion', description: 'A version of the firmware.' },
      ),
      Type.Null(),
    ],
    { description },
  )

/** The document. */
export const Bootloader = Type.Object(
  {
    by: Type.Enum(['rpi-eeprom-update', 'fwupd', 'none'], {
      description: oneLine`
        Who says it, and puts in another. rpi-eeprom-update: the program of Raspberry Pi. fwupd: that of PCs and others.
        none: there is none here.
      `,
    }),
    state: enumOf(STATES, 'BootloaderState'),
    current: version('The one that started the device; null: not known.'),
    latest: version('The newest that is known; null: none is.'),
    detail: Type.String({ description: 'The same in words, with what comes next.' }),
  },
  { ...strict, title: 'Bootloader', description: 'The firmware that starts the device before the system does.' },
)
export type Bootloader = Static<typeof Bootloader>

/** As the references show it. */
export const bootloaderExample: Bootloader = {
  by: 'rpi-eeprom-update',
  state: 'available',
  current: { version: '2024-02-16', built_at_ms: 1_708_097_321_000 },
  latest: { version: '2024-09-23', built_at_ms: 1_727_099_456_000 },
  detail: 'A newer one is there; stage it, and start the device again.',
}

/** What is true where nobody can say anything. */
export const noBootloader = (model: string | null, current: Bootloader['current']): Bootloader => ({
  by: 'none',
  state: 'not-supported',
  current,
  latest: null,
  detail: oneLine`
    Neither rpi-eeprom-update nor fwupd is installed on this ${model ?? 'device'}, so that its boot firmware can be
    changed with the tools of its maker alone. On a Raspberry Pi 4 or 5 install rpi-eeprom, elsewhere fwupd.
  `,
})
