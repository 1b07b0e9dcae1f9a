// Registering a peer: it is greeted, so that the one who registers hears at once of a mistake, and the same device is never registered twice.
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import type { HeardHello } from '../../machines/interdevice/hello.ts'
import { isRefusal } from '../../machines/peers/greeting.ts'
import {
  baseOf,
  mayBeNative,
  type PeerRegistration,
  peerCollection,
  type StoredPeer,
} from '../../machines/peers/peer.ts'
import { freeId } from '../../machines/schema/free-id.ts'
import { changeOrder, mergeOrder, putOrder } from '../../machines/settings/commit.ts'
import { documentOf, documentsOf, type SettingsStore } from '../../machines/settings/store.ts'
import { addressComplaints } from '../../machines/stream/sources/camera-address.ts'
import type { Command } from '../../machines/supervision/actors.ts'
import type { PeerSecrets } from '../../native/peer-secrets/port.ts'
import type { PeerWire } from '../../native/peers/port.ts'
import type { WriteSettings } from '../settings/write-settings.ts'
import { type Greeting, greet } from './greet.ts'

/** own: the id of this device; null: it has none yet. */
export interface RegisterParts {
  readonly settings: SettingsStore
  readonly wire: Pick<PeerWire, 'ask'>
  readonly secrets: PeerSecrets
  readonly own: () => string | null
}

/** The order that stores a peer as it was registered, or why it cannot be: `body.invalid`, `peer.self`, or a refusal of the device. */
export type RegisterPeer = (wanted: PeerRegistration) => Promise<Command<'settings'> | Fault>

const GREETING_LIMIT_MS = 2_500 // somebody waits; one that takes longer is greeted again by its link

/** Makes the order. The token is kept before the peer is stored; of one that is not stored in the end the registry drops it. */
export const registering =
  (parts: RegisterParts): RegisterPeer =>
  (wanted) =>
    Effect.runPromise(Effect.catch(orderOf(parts, wanted), (fault: Fault) => Effect.succeed(fault)))

const orderOf = (
  { settings, wire, secrets, own }: RegisterParts,
  { token, ...wanted }: PeerRegistration,
): Effect.Effect<Command<'settings'>, Fault> =>
  Effect.gen(function* () {
    const isNative = mayBeNative(wanted)
    const base = baseOf(wanted.base_url, isNative)
    if ('wrong' in base) return yield* Effect.fail(invalid('/base_url', base.wrong))
    for (const [n, { url }] of (wanted.streams ?? []).entries())
      for (const why of addressComplaints(url, OF_ITS_STREAM))
        return yield* Effect.fail(invalid(`/streams/${n}/url`, why))
    const peers = () => Object.entries(documentsOf(settings, peerCollection))
    const [atBase] = peers().find(([, { value }]) => value.base_url === base.base) ?? []
    const before = atBase === undefined ? undefined : documentOf(settings, peerCollection, atBase)?.value
    const fingerprint = wanted.fingerprint ?? before?.fingerprint ?? null
    const aim = {
      ...{ origin: base.base, fingerprint },
      token: token ?? (atBase !== undefined && mayHaveToken(before, wanted) ? secrets.get(atBase) : null),
    }
    const expected = { aim, own: own(), known: null, mustBeNative: wanted.integration === 'native' }
    const greeted = isNative
      ? yield* Effect.catch(greet(wire, expected, { limitMs: GREETING_LIMIT_MS }), (fault: Fault) =>
          stops(fault) ? Effect.fail(atBaseUrl(fault)) : Effect.succeed(undefined),
        )
      : undefined
    const hello = greeted?.kind === 'native' ? greeted.hello : undefined
    const [known = atBase] = peers().find(([, { value }]) => hello && value.device_id === hello.device_id) ?? []
    const claimed = known === atBase ? undefined : documentOf(settings, peerCollection, known as string)?.value
    if (claimed) yield* proven(wire, { ...expected, mustBeNative: true }, claimed, known as string, token !== undefined)
    const taken = {
      has: (each: string) => RESERVED.has(each) || documentOf(settings, peerCollection, each) !== undefined,
    }
    const id = known ?? freeId(wanted.name ?? hello?.name ?? new URL(base.base).hostname, taken, 'peer')
    const old = known === undefined ? undefined : documentOf(settings, peerCollection, known)?.value
    const keepsToken = token !== undefined || mayHaveToken(old, wanted)
    if (token !== undefined) yield* secrets.set(id, token)
    else if (old && old.token_version > 0 && !keepsToken) yield* secrets.set(id, null)
    const said = { ...wanted, base_url: base.base, ...metOf(hello) }
    const change = (old: Pick<StoredPeer, 'token_version'>): StoredPeer => ({
      ...old,
      ...said,
      token_version: keepsToken ? old.token_version + (token === undefined ? 0 : 1) : 0,
    })
    return known === undefined
      ? putOrder(peerCollection, id, change({ token_version: 0 }), { create_only: true })
      : changeOrder(peerCollection, id, change)
  })

const OF_ITS_STREAM = 'to the stream that you make of it, as `username` and `password` of its source'

/** Whether the token that is kept is for the device that is meant: one with another certificate is another device. */
const mayHaveToken = (
  stored: StoredPeer | undefined,
  { fingerprint }: Pick<PeerRegistration, 'fingerprint'>,
): boolean =>
  stored !== undefined && stored.token_version > 0 && (fingerprint === undefined || fingerprint === stored.fingerprint)

/** A device says that it is a peer which is registered at another address. Anybody can say so: it has to have the certificate of that one, or the token of it is said again. */
const proven = (
  wire: RegisterParts['wire'],
  expected: Greeting,
  { fingerprint, token_version }: StoredPeer,
  id: string,
  hasToken: boolean,
): Effect.Effect<void, Fault> => {
  const refused = (why: string) => invalid('/base_url', `leads to a device that says it is ${id}, ${why}`)
  if (fingerprint === undefined)
    return token_version > 0 && !hasToken
      ? Effect.fail(refused('which has a token; say the token again, or delete that peer first'))
      : Effect.void
  const aim = { ...expected.aim, fingerprint, token: null }
  return Effect.catch(Effect.asVoid(greet(wire, { ...expected, aim }, { limitMs: GREETING_LIMIT_MS })), () =>
    Effect.fail(refused('and does not have its certificate; delete that peer first if it has another one now')),
  )
}

/** What else stands under `/v1/peers/`. */
const RESERVED: ReadonlySet<string> = new Set(['candidates', 'discover', 'integrations', 'pairing', 'probe', 'trust'])

/** What is stored of a greeting. */
const metOf = (hello: HeardHello | undefined): Partial<StoredPeer> =>
  hello ? { device_id: hello.device_id, ...(hello.name !== undefined && { own_name: hello.name }) } : {}

/** What cannot be right later either. A device that does not trust this one yet, or is not there, may be registered. */
const stops = (fault: Fault): boolean => isRefusal(fault) && fault.code !== 'peer.refuses_us'

/** Names the field, as all mistakes in a body do. */
const atBaseUrl = (fault: Fault): Fault =>
  fault.code === 'peer.self'
    ? { ...fault, errors: [{ pointer: '/base_url', message: 'leads to this device itself' }] }
    : invalid('/base_url', `cannot be used: ${fault.detail}`)

const invalid = (pointer: string, message: string): Fault => ({
  code: 'body.invalid',
  detail: `the body does not fit: ${pointer} ${message}`,
  errors: [{ pointer, message }],
})

/** Stores who a peer is when it has greeted for the first time. `peer.twice`: the same device is registered under another id. */
export const introducing =
  (settings: SettingsStore, write: WriteSettings) =>
  (id: string, hello: HeardHello): Effect.Effect<void, Fault> =>
    Effect.suspend(() => {
      const stored = documentOf(settings, peerCollection, id)?.value
      const met = metOf(hello)
      if (!stored || (stored.device_id === met.device_id && stored.own_name === met.own_name)) return Effect.void
      const twin = Object.entries(documentsOf(settings, peerCollection)).find(
        ([other, { value }]) => other !== id && value.device_id === hello.device_id,
      )
      return twin ? Effect.fail(twice(id, twin[0])) : write(mergeOrder(peerCollection, id, met))
    })

const twice = (id: string, other: string): Fault => ({
  code: 'peer.twice',
  resource: `peers/${id}`,
  detail: `${id} is the same device as ${other}, which has a link already; delete one of the two`,
})
