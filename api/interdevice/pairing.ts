// What a device says that would like to be paired with this one. Open to everybody, since nobody is trusted yet: it
// changes nothing here but what two people see, and that only while somebody has opened pairing.

import { DIRECTORY } from '../../actors/directory.ts'
import { HOST_NAME } from '../../machines/http/host-name.ts'
import { pairingChanged } from '../../machines/pairing/events.ts'
import {
  FOLLOW_PATH,
  PAIRING_PATH,
  PairingCall,
  PairingCalled,
  PairingFollow,
  PairingFollowed,
  PairingReveal,
  PairingWithdrawal,
  pairingNameOf,
  REVEAL_PATH,
  WITHDRAW_PATH,
} from '../../machines/pairing/messages.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { documentOf, type SettingsStore } from '../../machines/settings/store.ts'
import { trustCollection } from '../../machines/trust/trust-entry.ts'
import { idOfCertificate } from '../../machines/trust/trust-id.ts'
import { monotonicMs } from '../../native/clock/port.ts'
import { IDENTITY } from '../../native/identity/port.ts'
import { PAIRING_CODES } from '../../native/pairing/port.ts'
import { areaOf } from '../endpoints/area.ts'
import { area } from '../endpoints/endpoint.ts'
import { PairingRequests, pairing } from './pairing-row.ts'

const needs = { directory: DIRECTORY, identity: IDENTITY, hostName: HOST_NAME, codes: PAIRING_CODES }

const ABOUT = oneLine`
  Over TLS, with the certificate of the device that calls. Ten refusals within a minute, and an address is not
  listened to until that is over.
`

const PAIRING_ID = '3c'.repeat(16)
const [NONCE, COMMITMENT] = ['5a'.repeat(32), 'c0'.repeat(32)]
const EXAMPLE = { device_id: '0d0c2a5e-9c1b-4a52-8c0f-3f2b7c1d9e10', name: 'front-camera' }
const followedAnswer = { schema: PairingFollowed, example: { state: 'comparing' } } as const

export const devicePairingArea = areaOf(needs, (parts) => {
  const { hostName, codes, directory } = parts
  const requests = new PairingRequests(parts)
  return area('interdevice', 'What other devices that run this service see and do here.', [
    pairing(PAIRING_PATH, requests, {
      summary: 'Call a device to be paired with it',
      about: `Only while pairing is open there; one device at a time, three in all. ${ABOUT}`,
      publishes: [pairingChanged],
      body: {
        schema: PairingCall,
        example: { version: 1, ...EXAMPLE, commitment: COMMITMENT },
      },
      answer: {
        schema: PairingCalled,
        example: { pairing_id: PAIRING_ID, ...EXAMPLE, nonce: NONCE },
      },
      take: ({ device_id, name, commitment }) => {
        // made after the promise has come
        const { pairing_id, nonce } = { pairing_id: codes.id(), nonce: codes.nonce() }
        return {
          order: (fingerprint) => {
            const run = { pairing_id, nonce, commitment, other: { fingerprint, device_id, name } }
            return { type: 'other.calls', run }
          },
          answer: (_, { device_id }) => ({
            pairing_id,
            device_id,
            nonce,
            name: pairingNameOf(hostName.value, device_id),
          }),
        }
      },
      faults: ['pairing.not_open'],
    }),

    pairing(REVEAL_PATH, requests, {
      about: ABOUT,
      publishes: [pairingChanged],
      summary: 'Show what was promised',
      body: { schema: PairingReveal, example: { pairing_id: PAIRING_ID, nonce: NONCE } },
      answer: followedAnswer,
      take: (body) => ({
        order: (fingerprint) => ({ type: 'other.reveals', fingerprint, ...body, atMs: monotonicMs(directory.clock) }),
        answer: (state) => ({ state }),
      }),
      faults: ['pairing.disturbed'],
    }),

    pairing(WITHDRAW_PATH, requests, {
      publishes: [pairingChanged],
      summary: 'Give up a call before both have a code',
      about: oneLine`
        The run is named by what was promised, since the caller may not have heard its name yet; the device waits for
        the next call, where there may be one. ${ABOUT}
      `,
      body: { schema: PairingWithdrawal, example: { commitment: COMMITMENT } },
      answer: { ...followedAnswer, example: { state: 'failed' } },
      take: (body) => ({
        order: (fingerprint) => ({ type: 'other.withdraws', fingerprint, ...body }),
        answer: (state) => ({ state }),
      }),
    }),

    pairing(FOLLOW_PATH, requests, {
      about: ABOUT,
      summary: 'How far a device is with pairing',
      body: { schema: PairingFollow, example: { pairing_id: PAIRING_ID, confirmed: false } },
      answer: followedAnswer,
      take: ({ pairing_id, confirmed, ended = false }) => ({
        order: (fingerprint) => {
          const ofRun = { pairing_id, fingerprint }
          return ended ? { type: 'other.ends', ...ofRun } : { type: 'other.asks', ...ofRun, confirmed }
        },
        answer: (state) => ({ state }),
        known: (fingerprint) =>
          !ended && isEntered(directory.settings, fingerprint, pairing_id) ? { state: 'done' } : undefined,
      }),
    }),
  ])
})

/** Whether a device was entered by a run that nobody here remembers: it ended long ago, or before the last start. */
const isEntered = (settings: SettingsStore, fingerprint: string, pairing_id: string): boolean =>
  documentOf(settings, trustCollection, idOfCertificate(fingerprint))?.value.pairing_id === pairing_id
