// What two devices say to each other while they are paired. The one that began asks, the one in pairing mode answers.

import type { Static } from 'typebox'
import { DeviceId } from '../interdevice/hello.ts'
import { schemaErrors } from '../schema/errors.ts'
import { Name } from '../schema/name.ts'
import { oneLine } from '../schema/one-line.ts'
import Type from '../schema/type.ts'

export const PAIRING_PATH = '/v1/interdevice/pairing'
export const REVEAL_PATH = `${PAIRING_PATH}/reveal` as const
export const FOLLOW_PATH = `${PAIRING_PATH}/state` as const
export const WITHDRAW_PATH = `${PAIRING_PATH}/withdraw` as const

/** Of the way in which devices are paired; it is part of what the code is made of. */
export const PAIRING_VERSION = 1

const strict = { additionalProperties: false } as const
const hex = (bytes: number, description: string) =>
  Type.String({
    pattern: `^[0-9a-f]{${bytes * 2}}$`,
    description: `${bytes * 2} hex digits, lower case. ${description}`,
    examples: ['5a'.repeat(bytes)],
  })

const PairingId = hex(16, 'The run, as the device in pairing mode has named it.')
const Nonce = hex(32, '32 random bytes.')
const Commitment = hex(32, 'A promise of the nonce that follows: SHA-256, with both certificates in it.')
const MAX_NAME_LENGTH = 60
export const DeviceName = Name(MAX_NAME_LENGTH, 'What the device is called.')

/** What a device says that it is called. hostName: its name in the network, if it has one that people can read. */
export const pairingNameOf = (hostName: string | undefined, device_id: string): string => {
  const name = hostName?.slice(0, MAX_NAME_LENGTH) ?? ''
  return schemaErrors(DeviceName, name).length === 0 ? name : `vedette-${device_id.slice(0, 8)}`
}

/** The first word: who calls, and its promise. */
export const PairingCall = Type.Object(
  {
    version: Type.Integer({
      minimum: PAIRING_VERSION,
      maximum: PAIRING_VERSION,
      description: 'Of the way in which devices are paired.',
    }),
    device_id: DeviceId,
    name: DeviceName,
    commitment: Commitment,
  },
  { ...strict, title: 'PairingCall', description: 'A device that would like to be paired with this one.' },
)
export type PairingCall = Static<typeof PairingCall>

const calledFields = { pairing_id: PairingId, device_id: DeviceId, name: DeviceName, nonce: Nonce }

/** The answer to it. */
export const PairingCalled = Type.Object(calledFields, {
  ...strict,
  title: 'PairingCalled',
  description: 'The run that has begun, and the chance of this side.',
})
export type PairingCalled = Static<typeof PairingCalled>

/** The nonce that was promised. */
export const PairingReveal = Type.Object(
  { pairing_id: PairingId, nonce: Nonce },
  { ...strict, title: 'PairingReveal', description: 'The nonce that was promised.' },
)
export type PairingReveal = Static<typeof PairingReveal>

/**
 * The last word of a device that gives up before both have a code: it may not have heard yet how the run is named. An
 * older device does not know it, and waits for the nonce until its time is over.
 */
export const PairingWithdrawal = Type.Object(
  { commitment: Commitment },
  { ...strict, title: 'PairingWithdrawal', description: 'A call that is not meant any more, by its promise.' },
)
export type PairingWithdrawal = Static<typeof PairingWithdrawal>

/** How far the one that asks is; asked again and again. */
export const PairingFollow = Type.Object(
  {
    pairing_id: PairingId,
    confirmed: Type.Boolean({ description: 'Whether somebody has confirmed the code at the device that asks.' }),
    ended: Type.Optional(
      Type.Boolean({ description: 'Whether the run has ended at the device that asks: its last word. Default: no.' }),
    ),
  },
  { ...strict, title: 'PairingFollow', description: 'How far the other device is.' },
)
export type PairingFollow = Static<typeof PairingFollow>

export const FOLLOWED_STATES = ['comparing', 'confirmed', 'done', 'failed'] as const
export type FollowedState = (typeof FOLLOWED_STATES)[number]

const followedFields = {
  state: Type.Enum([...FOLLOWED_STATES], {
    description: oneLine`
      comparing: nobody has confirmed the code here yet. confirmed: somebody has. done: the device that asks is
      trusted here. failed: the run has ended, and nobody is.
    `,
  }),
}

/** How far this side is. */
export const PairingFollowed = Type.Object(followedFields, {
  ...strict,
  title: 'PairingFollowed',
  description: 'How far a run is on this device.',
})
export type PairingFollowed = Static<typeof PairingFollowed>

/** The least that answers of another device must say; a newer one may say more. */
const [HeardCalled, HeardFollowed] = [Type.Object(calledFields), Type.Object(followedFields)]

/** Reads the answer of a device that was called; undefined: it makes no sense. */
export const calledIn = (said: unknown): PairingCalled | undefined =>
  schemaErrors(HeardCalled, said).length === 0 ? (said as PairingCalled) : undefined

/** Reads how far a device is; undefined: it makes no sense. */
export const followedIn = (said: unknown): PairingFollowed | undefined =>
  schemaErrors(HeardFollowed, said).length === 0 ? (said as PairingFollowed) : undefined
