// What a device says that would like to be paired with this one. Open to everybody, since nobody is trusted yet: it changes nothing here but what two people
// see, and that only while somebody has opened pairing.
import type { FastifyReply } from 'fastify'
import { askNow } from '../../actors/ask.ts'
import { DIRECTORY } from '../../actors/directory.ts'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { plainAddress } from '../../machines/http/access.ts'
import { HOST_NAME } from '../../machines/http/host-name.ts'
import { areTooMany, TRIES_WINDOW_MS, type Tries, triedAgain } from '../../machines/http/wrong-tokens.ts'
import { NO_IDENTITY, toOthers } from '../../machines/identity/no-identity.ts'
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
import { NO_RUN } from '../../machines/pairing/pairing-faults.ts'
import { documentOf, type SettingsStore } from '../../machines/settings/store.ts'
import type { Command } from '../../machines/supervision/actors.ts'
import type { Given } from '../../machines/token.ts'
import { trustCollection } from '../../machines/trust/trust-entry.ts'
import { idOfCertificate } from '../../machines/trust/trust-id.ts'
import { monotonicMs } from '../../native/clock/port.ts'
import { type DeviceIdentity, IDENTITY } from '../../native/identity/port.ts'
import { PAIRING_CODES } from '../../native/pairing/port.ts'
import { clientFingerprint } from '../connections/client-certificates.ts'
import { sendDocument } from '../endpoints/answer.ts'
import { areaOf } from '../endpoints/area.ts'
import { custom } from '../endpoints/custom.ts'
import { area, type Call } from '../endpoints/endpoint.ts'
import { fault } from '../problems/problem.ts'

const needs = { directory: DIRECTORY, identity: IDENTITY, hostName: HOST_NAME, codes: PAIRING_CODES }
type Parts = Given<typeof needs>

const row = {
  because:
    'each run has a chance of its own: no answer may be kept for a repeat, and none is given to whoever has shown no certificate',
  access: 'open',
} as const
const FAULTS = [
  ...(['actor.ended', 'actor.timeout', 'actor.unavailable', 'pairing.no_certificate'] as const),
  ...([...NO_IDENTITY, 'pairing.no_run', 'pairing.too_many_tries', 'peer.self'] as const),
]
const ABOUT =
  'Over TLS, with the certificate of the device that calls. Ten refusals within a minute, and an address is not listened to until that is over.'

const PAIRING_ID = '3c'.repeat(16)
const [NONCE, COMMITMENT] = ['5a'.repeat(32), 'c0'.repeat(32)]
const EXAMPLE = { device_id: '0d0c2a5e-9c1b-4a52-8c0f-3f2b7c1d9e10', name: 'front-camera' }
const followedAnswer = {
  status: 'ok',
  mediaType: 'application/json',
  schema: PairingFollowed,
  example: { state: 'comparing' },
} as const

export const devicePairingArea = areaOf(needs, (parts) => {
  const { hostName, codes, directory } = parts
  const requests = new PairingRequests(parts)
  return area('interdevice', 'What other devices that run this service see and do here.', [
    custom('POST', PAIRING_PATH, {
      ...row,
      summary: 'Call a device to be paired with it',
      about: `Only while pairing is open there; one device at a time, three in all. ${ABOUT}`,
      publishes: [pairingChanged],
      body: {
        schema: PairingCall,
        example: { version: 1, ...EXAMPLE, commitment: COMMITMENT },
      },
      answer: {
        status: 'ok',
        mediaType: 'application/json',
        schema: PairingCalled,
        example: { pairing_id: PAIRING_ID, ...EXAMPLE, nonce: NONCE },
      },
      serve: ({ request, body: { device_id, name, commitment } }, reply) => {
        const { pairing_id, nonce } = { pairing_id: codes.id(), nonce: codes.nonce() } // made after the promise has come
        return requests.serve(
          { request, reply },
          (fingerprint) => {
            const run = { pairing_id, nonce, commitment, other: { fingerprint, device_id, name } }
            return { type: 'other.calls', run }
          },
          (_, { device_id }) => ({ pairing_id, device_id, nonce, name: pairingNameOf(hostName.value, device_id) }),
        )
      },
      faults: [...FAULTS, 'pairing.not_open'],
    }),

    custom('POST', REVEAL_PATH, {
      ...row,
      about: ABOUT,
      publishes: [pairingChanged],
      summary: 'Show what was promised',
      body: { schema: PairingReveal, example: { pairing_id: PAIRING_ID, nonce: NONCE } },
      answer: followedAnswer,
      serve: ({ request, body }, reply) =>
        requests.serve(
          { request, reply },
          (fingerprint) => ({ type: 'other.reveals', fingerprint, ...body, atMs: monotonicMs(directory.clock) }),
          (state) => ({ state }),
        ),
      faults: [...FAULTS, 'pairing.disturbed'],
    }),

    custom('POST', WITHDRAW_PATH, {
      ...row,
      publishes: [pairingChanged],
      summary: 'Give up a call before both have a code',
      about: `The run is named by what was promised, since the caller may not have heard its name yet; the device waits for the next call, where there may be one. ${ABOUT}`,
      body: { schema: PairingWithdrawal, example: { commitment: COMMITMENT } },
      answer: { ...followedAnswer, example: { state: 'failed' } },
      serve: ({ request, body }, reply) =>
        requests.serve(
          { request, reply },
          (fingerprint) => ({ type: 'other.withdraws', fingerprint, ...body }),
          (state) => ({ state }),
        ),
      faults: FAULTS,
    }),

    custom('POST', FOLLOW_PATH, {
      ...row,
      about: ABOUT,
      summary: 'How far a device is with pairing',
      body: { schema: PairingFollow, example: { pairing_id: PAIRING_ID, confirmed: false } },
      answer: followedAnswer,
      serve: ({ request, body }, reply) =>
        requests.serve(
          { request, reply },
          (fingerprint) => {
            const { pairing_id, confirmed, ended = false } = body
            const ofRun = { pairing_id, fingerprint }
            return ended ? { type: 'other.ends', ...ofRun } : { type: 'other.asks', ...ofRun, confirmed }
          },
          (state) => ({ state }),
          (fingerprint) =>
            !body.ended && isEntered(directory.settings, fingerprint, body.pairing_id) ? DONE : undefined,
        ),
      faults: FAULTS,
    }),
  ])
})

/** Whether a device was entered by a run that nobody here remembers: it ended long ago, or before the last start. */
const isEntered = (settings: SettingsStore, fingerprint: string, pairing_id: string): boolean =>
  documentOf(settings, trustCollection, idOfCertificate(fingerprint))?.value.pairing_id === pairing_id

const DONE = { state: 'done' } as const

const MAX_ADDRESSES = 1_000 // the longest known are forgotten first

/** What devices ask that nobody knows yet: it wants a certificate, counts refusals, and says the same to all that guess. */
class PairingRequests {
  readonly #parts: Parts
  readonly #refused = new Map<string, Tries>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  async serve(
    { request, reply }: Pick<Call, 'request'> & { readonly reply: FastifyReply },
    order: (fingerprint: string) => Command<'pairing'>,
    answer: (state: string | undefined, own: DeviceIdentity) => object,
    known?: (fingerprint: string) => object | undefined,
  ): Promise<FastifyReply> {
    const address = plainAddress(request.ip)
    if (this.#isTired(address)) {
      reply.header('retry-after', String(TRIES_WINDOW_MS / 1_000))
      return sendDocument(reply, 'ok', TOO_MANY_TRIES)
    }
    const fingerprint = clientFingerprint(request.raw.socket)
    const asked = await this.#ask(fingerprint, order, answer)
    const isUnknown = isFault(asked) && asked.code === NO_RUN.code && fingerprint !== undefined
    const found = (isUnknown ? known?.(fingerprint) : undefined) ?? asked
    if (isFault(found)) this.#count(address)
    return sendDocument(reply, 'ok', found)
  }

  async #ask(
    fingerprint: string | undefined,
    order: (fingerprint: string) => Command<'pairing'>,
    answer: (state: string | undefined, own: DeviceIdentity) => object,
  ): Promise<object | Fault> {
    const { directory, identity } = this.#parts
    if (fingerprint === undefined) return NO_CERTIFICATE
    const own = identity.now()
    if (isFault(own)) return toOthers(own)
    if (fingerprint === own.fingerprint) return SELF
    const actor = directory.actor('pairing')
    if (!actor) return fault('actor.unavailable', 'pairing is being restarted; begin again in a second')
    const reply = await askNow(actor, order(fingerprint))
    return reply.outcome === 'done' ? answer(reply.value, own) : reply.fault
  }

  #isTired(address: string): boolean {
    const tries = this.#refused.get(address)
    return tries !== undefined && this.#nowMs() - tries.sinceMs < TRIES_WINDOW_MS && areTooMany(tries)
  }

  #count(address: string): void {
    this.#refused.set(address, triedAgain(this.#refused.get(address), this.#nowMs()))
    const [longest] = this.#refused.size > MAX_ADDRESSES ? this.#refused.keys() : []
    if (longest !== undefined) this.#refused.delete(longest)
  }

  #nowMs(): number {
    return monotonicMs(this.#parts.directory.clock)
  }
}

const NO_CERTIFICATE = fault(
  'pairing.no_certificate',
  'devices are paired by their certificates: ask over TLS, and show one',
)
const SELF = fault('peer.self', 'this device has called itself')
const TOO_MANY_TRIES = fault(
  'pairing.too_many_tries',
  'this address was refused ten times within a minute; until that is over it is not listened to',
)
