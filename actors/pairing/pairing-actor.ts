// Pairing with its effects: the calls to the other device, the code, and what is stored in the end.

import * as Effect from 'effect/Effect'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { type Agreement, agreementOf } from '../../machines/pairing/agreement.ts'
import { pairingChanged } from '../../machines/pairing/events.ts'
import {
  calledIn,
  FOLLOW_PATH,
  type FollowedState,
  followedIn,
  PAIRING_PATH,
  PAIRING_VERSION,
  type PairingCall,
  type PairingFollow,
  type PairingReveal,
  type PairingWithdrawal,
  REVEAL_PATH,
  WITHDRAW_PATH,
} from '../../machines/pairing/messages.ts'
import { DISTURBED, otherCertificateAt } from '../../machines/pairing/pairing-faults.ts'
import {
  type Called,
  type Callee,
  type Calling,
  type Followed,
  type Left,
  type Paired,
  type PairingActions,
  type PairingEffects,
  type PairingEvent,
  type PairingRun,
  pairingMachine,
} from '../../machines/pairing/pairing-machine.ts'
import { jsonIn } from '../../machines/schema/json.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { putOrder } from '../../machines/settings/commit.ts'
import { documentOf, type SettingsStore } from '../../machines/settings/store.ts'
import { trustCollection } from '../../machines/trust/trust-entry.ts'
import { idOfCertificate } from '../../machines/trust/trust-id.ts'
import { type Clock, monotonicMs } from '../../native/clock/port.ts'
import type { DeviceIdentity } from '../../native/identity/port.ts'
import type { PairingCodes } from '../../native/pairing/port.ts'
import type { PeerTarget, PeerWire } from '../../native/peers/port.ts'
import type { EventBus } from '../events/event-bus.ts'
import type { RegisterPeer } from '../peers/register-peer.ts'
import { fromEffect, fromScoped, orFail } from '../run.ts'
import type { WriteSettings } from '../settings/write-settings.ts'

/** What pairing works with. */
export interface PairingParts {
  readonly wire: Pick<PeerWire, 'identify' | 'ask'>
  readonly codes: PairingCodes
  /** This device, or why it is nobody for now. */
  readonly own: () => Pick<DeviceIdentity, 'device_id' | 'fingerprint'> | Fault
  /** What it is called. */
  readonly name: (device_id: string) => string
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicUs'>
  readonly settings: SettingsStore
  readonly write: WriteSettings
  readonly register: RegisterPeer
  readonly agreements: Agreements
  readonly events: Pick<EventBus, 'publish'>
  /** Enters a fault in the error history. */
  readonly record: (fault: Fault) => void
  /** For tests, which do not wait for so long. */
  readonly followEveryMs?: number
}

/** What people have confirmed here, on the disk. id: of the entry in the trust list. */
export interface Agreements {
  readonly keep: (id: string, agreement: Agreement) => Effect.Effect<void, Fault>
  /** Does nothing where there is none. */
  readonly drop: (id: string) => Effect.Effect<void, Fault>
}

const CALL_LIMIT_MS = 4_000
const MAX_ANSWER_BYTES = 4 * 1024
const FOLLOW_EVERY_MS = 1_000
const [OK, NOT_FOUND] = [200, 404]

/** Takes the orders of people (`pairing.*`) and what other devices say (`other.*`). */
export const pairingActor = (parts: PairingParts) =>
  pairingMachine.provide({
    actions: {
      tell: (_, state) => void parts.events.publish(pairingChanged, { resource_ref: {}, data: { state } }),
      record: (_, fault) => parts.record({ resource: 'pairing', ...fault }),
    } satisfies Required<PairingActions>,
    actors: {
      callOther: fromScoped<Called, Callee | null, PairingEvent>((callee, { send }) =>
        called(parts, callee, (calling) => send({ type: 'call.begun', ...calling })),
      ),
      checkReveal: fromEffect(({ run, nonce }: { readonly run: PairingRun | null; readonly nonce: string }) =>
        checked(parts, run, nonce),
      ),
      followOther: fromScoped<never, Followed, PairingEvent>((followed, { send }) =>
        follow(parts, followed, (state) => send({ type: 'other.told', state })),
      ),
      takeLeave: fromEffect((left: Left | null) => (left ? lastWord(parts, left) : Effect.void)),
      storeTrust: fromEffect((paired: Pick<Followed, 'run' | 'callee'>) => stored(parts, paired)),
    } satisfies Required<PairingEffects>,
  })

/**
 * From here on the one certificate that was seen first is the only one that is spoken to; it is in the code that people
 * compare.
 */
const called = (
  parts: PairingParts,
  callee: Callee | null,
  begun: (calling: Calling) => void,
): Effect.Effect<Called, Fault> =>
  Effect.gen(function* () {
    const { wire, codes, name, clock } = parts
    const own = yield* present(parts)
    const origin = callee?.base_url ?? ''
    const fingerprint = yield* wire.identify(origin, CALL_LIMIT_MS)
    const target = { origin, fingerprint, token: null }
    const certificates = { caller: own.fingerprint, called: fingerprint }
    const callerNonce = codes.nonce()
    const commitment = codes.commitment({ ...certificates, callerNonce })
    const call: PairingCall = {
      version: PAIRING_VERSION,
      device_id: own.device_id,
      name: name(own.device_id),
      commitment,
    }
    begun({ fingerprint, commitment })
    const answer = yield* say(parts, target, PAIRING_PATH, call, calledIn)
    const { pairing_id, device_id, name: itsName, nonce: calledNonce } = answer
    const reveal: PairingReveal = { pairing_id, nonce: callerNonce }
    yield* say(parts, target, REVEAL_PATH, reveal, followedIn)
    return {
      run: { pairing_id, other: { fingerprint, device_id, name: itsName }, nonce: callerNonce, commitment: null },
      code: codes.code({ ...certificates, callerNonce, calledNonce }),
      atMs: monotonicMs(clock),
    }
  })

const present = ({ own }: Pick<PairingParts, 'own'>) => Effect.suspend(() => orFail(own()))

const checked = (
  { codes, ...parts }: PairingParts,
  run: PairingRun | null,
  callerNonce: string,
): Effect.Effect<string, Fault> =>
  Effect.flatMap(present(parts), (own) => {
    const certificates = { caller: run?.other.fingerprint ?? '', called: own.fingerprint }
    const isKept = codes.isKept(run?.commitment ?? '', { ...certificates, callerNonce })
    return run && isKept
      ? Effect.succeed(codes.code({ ...certificates, callerNonce, calledNonce: run.nonce }))
      : Effect.fail(DISTURBED)
  })

/**
 * The one that was called asks nothing: it is asked. An answer that does not come is silence, and the machine knows how
 * long that may last. Another device that answers is the end.
 */
const follow = (
  parts: PairingParts,
  { run, callee, confirmed }: Followed,
  told: (state: FollowedState) => void,
): Effect.Effect<never, Fault> => {
  if (!run || !callee) return Effect.never
  const target = { origin: callee.base_url, fingerprint: run.other.fingerprint, token: null }
  const body: PairingFollow = { pairing_id: run.pairing_id, confirmed }
  // Before the other device hears of it: from then on it may enter this one, and by what is kept here this one follows.
  const kept = confirmed
    ? parts.agreements.keep(idOfCertificate(run.other.fingerprint), agreementOf(run, callee))
    : Effect.void
  const ask = say(parts, target, FOLLOW_PATH, body, followedIn).pipe(
    Effect.map(({ state }) => told(state)),
    Effect.catch((fault: Fault) => {
      if (fault.code === 'pairing.wrong_certificate') return Effect.fail(fault)
      return Effect.sync(() => {
        if (fault.context?.code === 'pairing.no_run') told('failed')
      })
    }),
  )
  return Effect.andThen(kept, Effect.forever(Effect.andThen(ask, Effect.sleep(parts.followEveryMs ?? FOLLOW_EVERY_MS))))
}

/** Who does not hear it notices the silence. */
const lastWord = (parts: PairingParts, { callee, fingerprint, run }: Left): Effect.Effect<void> => {
  const target = { origin: callee.base_url, fingerprint, token: null }
  const [path, body]: [string, PairingFollow | PairingWithdrawal] =
    'commitment' in run ? [WITHDRAW_PATH, run] : [FOLLOW_PATH, { ...run, confirmed: false, ended: true }]
  return Effect.ignore(say(parts, target, path, body, followedIn))
}

/** What it takes to store what came of a run. */
export type StoreParts = Pick<PairingParts, 'clock' | 'settings' | 'write' | 'register' | 'agreements'>

/**
 * The entry first: without it a peer would be of no use, and it can be seen and deleted. A device that was entered
 * before keeps the name that people gave it.
 */
export const stored = (
  { clock, settings, write, register, agreements }: StoreParts,
  { run, callee }: Pick<Followed, 'run' | 'callee'>,
): Effect.Effect<Paired, Fault> =>
  Effect.gen(function* () {
    const { fingerprint, device_id, name } = (run as PairingRun).other
    const trust_id = idOfCertificate(fingerprint)
    const known = documentOf(settings, trustCollection, trust_id)?.value
    yield* write(
      putOrder(trustCollection, trust_id, {
        name: known?.name ?? callee?.name ?? name,
        fingerprint,
        token_hash: null,
        device_id,
        expires_at_ms: null,
        created_at_ms: known?.created_at_ms ?? clock.nowMs(),
        pairing_id: (run as PairingRun).pairing_id,
      }),
    )
    if (!callee) return { trust_id, peer_id: null }
    const peer = { base_url: callee.base_url, fingerprint, integration: 'native' } as const
    const found = yield* Effect.promise(() => register({ ...peer, ...(callee.name !== null && { name: callee.name }) }))
    yield* Effect.ignore(agreements.drop(trust_id))
    return isFault(found) ? yield* Effect.fail(notRegistered(trust_id, found)) : { trust_id, peer_id: found.id }
  })

/**
 * A certificate other than the first one is refused by the wire, in the handshake, and entered in the error history
 * here.
 */
export const say = <Value>(
  { wire, record }: Pick<PairingParts, 'wire' | 'record'>,
  target: PeerTarget,
  path: string,
  body: object,
  read: (said: unknown) => Value | undefined,
): Effect.Effect<Value, Fault> =>
  wire.ask(target, { method: 'POST', path, body, limitMs: CALL_LIMIT_MS, maxBytes: MAX_ANSWER_BYTES }).pipe(
    Effect.catch((fault: Fault) => {
      if (fault.code !== 'peer.wrong_certificate') return Effect.fail(fault)
      const found = otherCertificateAt(target.origin)
      record({ resource: 'pairing', ...found })
      return Effect.fail(found)
    }),
    Effect.flatMap((answer) => {
      const said = jsonIn(answer.body.toString())
      if (answer.status !== OK) return Effect.fail(refusedThere(target.origin, answer.status, said))
      const found = read(said)
      return found === undefined ? Effect.fail(senseless(target.origin)) : Effect.succeed(found)
    }),
  )

/** A code of the other side is one that is known here, or is not repeated. */
const refusedThere = (origin: string, status: number, said: unknown): Fault => {
  const code = (said as { readonly code?: unknown } | null | undefined)?.code
  return { code: 'pairing.refused_there', detail: `${origin} ${whyRefused(status, code)}`, context: { code } }
}

const whyRefused = (status: number, code: unknown): string => {
  if (code === 'pairing.not_open')
    return oneLine`
      is not waiting to be paired, or is being paired with another device just now. Open pairing on that device first
      (POST /v1/peers/pairing with {}), then begin here again within two minutes
    `
  if (code === 'pairing.too_many_tries')
    return 'was called too often from here. Wait a minute, open pairing there again, and begin here again'
  if (code === 'pairing.no_run') return 'has ended this pairing: its screen says why. Begin again'
  if (code === 'pairing.disturbed')
    return oneLine`
      did not hear what this device has said: somebody stands between the two and changes it, or shows a certificate of
      its own. Nobody was trusted. Connect the two by a cable of your own, and begin again
    `
  if (status === NOT_FOUND)
    return oneLine`
      cannot be paired by a code: it is no device of this kind, or has an older version. Update it, or enter each in the
      trust list of the other by its fingerprint (POST /v1/peers/trust)
    `
  return `does not take part (${status}). Is it a device of this kind, and does it have the same version?`
}

const senseless = (origin: string): Fault => ({
  code: 'peer.bad_answer',
  detail: `what ${origin} answers to pairing makes no sense; it may have another version, or be no device of this kind`,
})

const notRegistered = (trust_id: string, { code, detail }: Fault): Fault => ({
  code,
  detail: oneLine`
    the two devices trust each other (${trust_id} in the trust list), but the other one was not entered among the peers:
    ${detail}. Register it with its fingerprint (POST /v1/peers)
  `,
})
