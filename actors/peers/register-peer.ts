// Registering a peer: it is greeted, so that the one who registers hears at once of a mistake, and the same device is
// never registered twice.

import * as Effect from 'effect/Effect'
import * as Semaphore from 'effect/Semaphore'
import type { Fault } from '../../machines/errors/fault.ts'
import { isOwnIdentityMissing } from '../../machines/identity/no-identity.ts'
import { readOwnName } from '../../machines/interdevice/own-name.ts'
import { isRefusal } from '../../machines/peers/greeting.ts'
import {
  baseOf,
  mayBeNative,
  type PeerRegistration,
  peerCollection,
  type StoredPeer,
} from '../../machines/peers/peer.ts'
import type { RequestMark } from '../../machines/requests/request.ts'
import { freeId } from '../../machines/schema/free-id.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { changeOrder, putOrder } from '../../machines/settings/commit.ts'
import { documentOf, type SettingsStore } from '../../machines/settings/store.ts'
import { addressComplaints } from '../../machines/stream/sources/camera-address.ts'
import type { AnswerOf } from '../../machines/supervision/actors.ts'
import type { PeerSecrets } from '../../native/peer-secrets/port.ts'
import type { PeerWire } from '../../native/peers/port.ts'
import { answerOf } from '../run.ts'
import type { OrderSettings } from '../settings/write-settings.ts'
import { type Greeting, greet } from './greet.ts'
import type { PeerRegistry } from './peer-registry.ts'
import type { EarlyGreeting, PeerRuntime } from './peer-runtime.ts'
import { metOf } from './store-identity.ts'

/** What a peer is registered with. */
export interface RegisterParts {
  readonly peers: Pick<PeerRegistry, 'all' | 'ofDevice' | 'meet' | 'settle'>
  readonly order: OrderSettings
  readonly wire: Pick<PeerWire, 'ask' | 'identify'>
  readonly secrets: PeerSecrets
  readonly settings: SettingsStore
  /** The id of this device; null: it has none yet. */
  readonly own: () => string | null
  readonly nowMs: () => number
  /** Enters a fault in the error history. */
  readonly record: (fault: Fault) => void
}

/**
 * Stores a peer as it was registered, and answers with its id and revision, or why it cannot be: `body.invalid`,
 * `peer.self`, or what the storage says. mark: of the request, kept with what is stored.
 */
export type RegisterPeer = (
  wanted: PeerRegistration,
  mark?: RequestMark,
) => Promise<Pick<AnswerOf<'settings'>, 'id' | 'revision'> | Fault>

const GREETING_LIMIT_MS = 2_500 // somebody waits; one that takes longer is greeted again by its link
const CERTIFICATE_LIMIT_MS = 1_000 // before it
const MAX_TRIES = 3 // who deletes peers while others register them shall not keep both busy

/**
 * Devices are greeted at the same time, and stored one after the other: what the second of two that are the same finds
 * is the peer of the first.
 */
export const registering = (parts: RegisterParts): RegisterPeer => {
  const inTurn = Semaphore.makeUnsafe(1)
  return (wanted, mark) => {
    const registered = Effect.flatMap(met(parts, wanted), (each) =>
      inTurn.withPermits(1)(stored(parts, each, mark, MAX_TRIES)),
    )
    return answerOf(registered)
  }
}

/** A device that is to be registered, once it was greeted. */
interface Met {
  readonly wanted: PeerRegistration
  /** The fingerprint that nobody said, and that is its own from then on. */
  readonly shown: string | null
  readonly base: string
  readonly greeting: Greeting
  /** What it answered; undefined: nothing, or it was not asked. */
  readonly early: EarlyGreeting | undefined
}

const met = (parts: RegisterParts, wanted: PeerRegistration): Effect.Effect<Met, Fault> =>
  Effect.gen(function* () {
    const { peers, wire, own, nowMs, record } = parts
    const isNative = mayBeNative(wanted)
    const found = baseOf(wanted.base_url, isNative)
    if ('wrong' in found) return yield* Effect.fail(invalid('/base_url', found.wrong))
    for (const [n, { url }] of (wanted.streams ?? []).entries())
      for (const why of addressComplaints(url, OF_ITS_STREAM))
        return yield* Effect.fail(invalid(`/streams/${n}/url`, why))
    const { base } = found
    if (wanted.fingerprint !== undefined && !base.startsWith('https:'))
      return yield* Effect.fail(invalid('/fingerprint', NO_CERTIFICATE))
    const before = atBase(peers, base)
    const kept = before && mayHaveToken(before.stored.value, wanted) ? before.address.token : null
    const bare = { origin: new URL(base).origin, token: isNative ? (wanted.token ?? kept) : null }
    const said = wanted.fingerprint ?? before?.stored.value.fingerprint ?? null
    const shown = said === null && bare.token !== null ? yield* shownAt(wire, bare.origin) : null
    const address = { ...bare, fingerprint: said ?? shown }
    const greeting = { address, own: own(), known: null }
    const stopping = isNative ? stops : stopsOthers
    const greeted = yield* Effect.catch(greet(wire, greeting, { limitMs: GREETING_LIMIT_MS }), (fault: Fault) => {
      if (fault.code === 'peer.wrong_certificate') record({ ...fault, resource: 'peers' }) // somebody may stand between
      return stopping(fault) ? Effect.fail(atBaseUrl(fault)) : Effect.succeed(undefined)
    })
    return {
      wanted,
      shown,
      base,
      greeting,
      early: isNative && greeted ? { address, greeted, atMs: nowMs() } : undefined,
    }
  })

/** A token has to go to somebody. Who says no fingerprint trusts the certificate that is met now; null: none is. */
const shownAt = (wire: Pick<PeerWire, 'identify'>, origin: string): Effect.Effect<string | null> =>
  Effect.catch(wire.identify(origin, CERTIFICATE_LIMIT_MS), () => Effect.succeed(null))

const stored = (
  parts: RegisterParts,
  each: Met,
  mark: RequestMark | undefined,
  tries: number,
): Effect.Effect<AnswerOf<'settings'>, Fault> =>
  Effect.gen(function* () {
    const { peers, order, secrets, settings, wire } = parts
    const { wanted, shown, base, greeting, early } = each
    const { token, ...said } = wanted
    const hello = early?.greeted.kind === 'native' ? early.greeted.hello : undefined
    const there = atBase(peers, base)
    const known = (hello && peers.ofDevice(hello.device_id)) ?? there
    if (known && known !== there) yield* proven(wire, greeting, known, token !== undefined)
    const before = known?.stored.value
    const isTaken = (id: string) => RESERVED.has(id) || documentOf(settings, peerCollection, id) !== undefined
    const name = wanted.name ?? readOwnName(hello?.name) ?? new URL(base).hostname
    const id = known?.id ?? freeId(name, { has: isTaken }, 'peer')
    const version = tokenVersion(before, wanted)
    if (token !== undefined) yield* secrets.keep(id, version, token)
    const change = (old: object): StoredPeer => ({
      ...old,
      ...said,
      ...(shown !== null && { fingerprint: shown }),
      ...metOf(hello),
      base_url: base,
      token_version: version,
    })
    if (early) peers.meet(id, early)
    const write = known
      ? changeOrder(peerCollection, id, change)
      : putOrder(peerCollection, id, change({}), { create_only: true })
    const written = order({ ...write, ...(mark && { request: mark }) }).pipe(
      Effect.ensuring(Effect.sync(() => peers.settle(id))),
      Effect.tap(() => Effect.ignore(sweepTokens(parts))),
    )
    return yield* Effect.catch(written, (fault: Fault) =>
      MOVED.has(fault.code) && tries > 1 ? stored(parts, each, mark, tries - 1) : Effect.fail(fault),
    )
  })

/** Somebody has deleted or made the peer meanwhile. */
const MOVED: ReadonlySet<string> = new Set(['peer.not_found', 'document.exists'])

/**
 * Forgets all tokens to which no peer refers. Not where there is no peer at all: their documents may have been lost,
 * and come back.
 */
export const sweepTokens = ({
  peers,
  secrets,
}: Pick<RegisterParts, 'secrets'> & { readonly peers: Pick<PeerRegistry, 'all'> }): Effect.Effect<void, Fault> =>
  Effect.suspend(() => {
    const versions = new Map(peers.all().map(({ id, stored: { value } }) => [id, value.token_version]))
    return versions.size === 0 ? Effect.void : secrets.sweep((id, version) => versions.get(id) === version)
  })

const atBase = (peers: Pick<PeerRegistry, 'all'>, base: string): PeerRuntime | undefined =>
  peers.all().find(({ stored }) => stored.value.base_url === base)

/** Of the token that is in force from then on; 0: none. */
const tokenVersion = (before: StoredPeer | undefined, wanted: PeerRegistration): number => {
  if (wanted.token !== undefined) return (before?.token_version ?? 0) + 1
  return before && mayHaveToken(before, wanted) ? before.token_version : 0
}

const NO_CERTIFICATE = oneLine`
  goes with an address over TLS: over http:// no certificate is shown that could be compared. Give the address with
  https://, or leave this out
`

const OF_ITS_STREAM = 'to the stream that you make of it, as `username` and `password` of its source'

/** Whether the token that is kept is for the device that is meant: one with another certificate is another device. */
const mayHaveToken = (
  { fingerprint: before }: StoredPeer,
  { fingerprint }: Pick<PeerRegistration, 'fingerprint'>,
): boolean => fingerprint === undefined || fingerprint === before

/**
 * A device says that it is a peer which is registered at another address. Anybody can say so: it has to have the
 * certificate of that one, or the token of it is said again.
 */
const proven = (
  wire: RegisterParts['wire'],
  greeting: Greeting,
  { id, deviceId, stored: { value } }: PeerRuntime,
  hasToken: boolean,
): Effect.Effect<void, Fault> => {
  const { fingerprint, token_version } = value
  const refused = (why: string) => invalid('/base_url', `leads to a device that says it is ${id}, ${why}`)
  if (fingerprint === undefined)
    return token_version > 0 && !hasToken
      ? Effect.fail(refused('which has a token; say the token again, or delete that peer first'))
      : Effect.void
  const pinned = { ...greeting, address: { ...greeting.address, fingerprint, token: null }, known: deviceId }
  return Effect.catch(Effect.asVoid(greet(wire, pinned, { limitMs: GREETING_LIMIT_MS })), () =>
    Effect.fail(refused('and does not have its certificate; delete that peer first if it has another one now')),
  )
}

/** What else stands under `/v1/peers/`. */
const RESERVED: ReadonlySet<string> = new Set(['candidates', 'discover', 'integrations', 'pairing', 'probe', 'trust'])

/** What cannot be right later either. A device that does not trust this one yet, or is not there, may be registered. */
const stops = (fault: Fault): boolean => isRefusal(fault) && fault.code !== 'peer.refuses_us'

/**
 * The same of what was said to be of another kind. It is asked once, since it might be this device itself; how it
 * greets does not matter, nor that it does not.
 */
const stopsOthers = ({ code }: Fault): boolean => code === 'peer.self' || code === 'peer.wrong_certificate'

/** Names the field, as all mistakes in a body do. */
const atBaseUrl = (fault: Fault): Fault => {
  if (isOwnIdentityMissing(fault)) return fault // nothing is wrong with the address
  return fault.code === 'peer.self'
    ? { ...fault, errors: [{ pointer: '/base_url', message: 'leads to this device itself' }] }
    : invalid('/base_url', `cannot be used: ${fault.detail}`)
}

const invalid = (pointer: string, message: string): Fault => ({
  code: 'body.invalid',
  detail: `the body does not fit: ${pointer} ${message}`,
  errors: [{ pointer, message }],
})
