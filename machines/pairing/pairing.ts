// Pairing with another device, as people see it.

import type { Static } from 'typebox'
import { FaultDocument } from '../errors/fault-document.ts'
import { DeviceId, Fingerprint } from '../interdevice/hello.ts'
import { PeerId } from '../peers/peer.ts'
import { about } from '../schema/about.ts'
import { Name } from '../schema/name.ts'
import { oneLine } from '../schema/one-line.ts'
import { orNull } from '../schema/or-null.ts'
import Type from '../schema/type.ts'
import { TrustId } from '../trust/trust-id.ts'
import { DeviceName } from './messages.ts'

const strict = { additionalProperties: false } as const

const STATES = ['closed', 'open', 'calling', 'waiting', 'comparing', 'confirmed', 'storing', 'done', 'failed'] as const
export type PairingState = (typeof STATES)[number]

export const PairingStateName = Type.Enum([...STATES], {
  description: oneLine`
    closed: nobody is being paired. open: this device waits to be called. calling: it calls another one. waiting: it
    was called, and waits for the rest. comparing: both show a code, and people compare. confirmed: somebody has
    confirmed it here, and not yet there. storing: both have. done: the two trust each other. failed: nothing came of
    it; \`fault\` says why.
  `,
})

/** Six digits, as they are shown: `271 828`. */
const Code = Type.String({
  pattern: '^[0-9]{3} ?[0-9]{3}$',
  description: 'Six digits, with or without a blank in the middle.',
  examples: ['271 828'],
})

/** A code as it is shown. */
export const shownCode = (code: string): string => `${code.slice(0, 3)} ${code.slice(3)}`

/** A code as it was typed, without its blank. */
export const typedCode = (text: string): string => text.replace(' ', '')

/** The other device. */
const PairedDevice = Type.Object(
  {
    name: DeviceName,
    device_id: DeviceId,
    fingerprint: Fingerprint,
  },
  {
    ...strict,
    title: 'PairedDevice',
    description:
      'The other device: its certificate, and what it says of itself. Only the code shows that nobody stands between.',
  },
)

/** Pairing as the API shows it. */
export const Pairing = Type.Object(
  {
    state: PairingStateName,
    code: orNull(Code, 'What this device shows: to be compared with what the other one shows. null: there is none.'),
    other: orNull(PairedDevice, 'null: nobody has called, or was reached, yet.'),
    base_url: orNull(Type.String(), 'Where the other device was called; null: it is the other one that calls.'),
    remaining_ms: orNull(
      Type.Integer({ minimum: 0 }),
      'How long this can still take before it is given up, ms; null: nothing waits for anybody.',
    ),
    trust_id: orNull(TrustId, 'The entry of the other device in the trust list here; null: none was made.'),
    peer_id: orNull(PeerId, 'The other device among the peers, where it was called from here; null: it is none.'),
    fault: orNull(FaultDocument, 'Why it has failed; null: it has not.'),
  },
  { ...strict, title: 'Pairing', description: 'How far this device is paired with another one.' },
)
export type Pairing = Static<typeof Pairing>

/** What is sent to begin. */
export const PairingOrder = Type.Object(
  {
    base_url: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 2_048,
        description: oneLine`
          The device to call, over TLS: \`https://10.12.34.11:5801\`. It must be in pairing mode. Without one, this
          device goes into pairing mode and waits to be called.
        `,
      }),
    ),
    name: Type.Optional(Name(60, 'A name for the device that is called; default: its own.')),
  },
  { ...strict, title: 'PairingOrder', description: 'Whom to pair this device with.' },
)

/** What is sent to confirm. */
export const PairingConfirmation = Type.Object(
  { code: about(Code, 'What the *other* device shows: read it there, not here.') },
  { ...strict, title: 'PairingConfirmation', description: 'The code that the other device shows.' },
)
