// The link to a peer with its effects: the greeting, the session of its events, the reading of what it has.
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import { isOwnIdentityMissing } from '../../machines/identity/no-identity.ts'
import type { HeardHello } from '../../machines/interdevice/hello.ts'
import type { Greeted } from '../../machines/peers/greeting.ts'
import type { PeerAddress } from '../../machines/peers/peer-address.ts'
import {
  type PeerLinkActions,
  type PeerLinkEffects,
  type PeerLinkEvent,
  peerLinkMachine,
} from '../../machines/peers/peer-link-machine.ts'
import type { PeerWire } from '../../native/peers/port.ts'
import { fromScoped, type Talk } from '../run.ts'
import { greetOrLook } from './greet.ts'
import { type PeerSessionParts, peerSessionActor } from './peer-session-actor.ts'
import { readInventory } from './read-inventory.ts'

/** What a link works with. */
export interface PeerLinkParts extends PeerSessionParts {
  readonly wire: PeerWire
  /** The id of this device; null: it has none yet. */
  readonly own: () => string | null
  /** Notes who the peer is, or says why it may not be. */
  readonly introduce: (id: string, hello: HeardHello) => Effect.Effect<void, Fault>
  /** Enters a fault of the link in the error history. */
  readonly record: (fault: Fault) => void
}

/** The link machine with its effects. */
export const peerLinkActor = ({ own, introduce, record, ...session }: PeerLinkParts) => {
  const { wire, peer } = session
  let recorded: string | undefined
  const read = (address: PeerAddress, { send }: Talk<PeerLinkEvent>) =>
    Effect.andThen(
      readInventory(session, peer.present(address), (fault) => send({ type: 'events.contradicted', fault })),
      Effect.sync(() => {
        recorded = undefined // there is a link: what goes wrong after this is news
      }),
    )
  return peerLinkMachine.provide({
    actions: {
      record: ({ context: { fault } }) => {
        // that this device is nobody it says itself, once for all links
        if (!fault || fault.code === recorded || isOwnIdentityMissing(fault)) return
        recorded = fault.code
        record(fault)
      },
      forget: () => peer.forget(),
    } satisfies Required<PeerLinkActions>,
    actors: {
      greet: fromScoped<Greeted, PeerAddress, PeerLinkEvent>((address, { send }) => {
        const expected = { address: peer.present(address), own: own(), known: peer.deviceId }
        return greetOrLook(wire, expected, { connected: () => send({ type: 'peer.connected' }) }).pipe(
          Effect.tap((greeted) => (greeted.kind === 'native' ? introduce(peer.id, greeted.hello) : Effect.void)),
          Effect.tap((greeted) => Effect.sync(() => peer.greeted(greeted))),
        )
      }),
      holdSession: peerSessionActor(session),
      fetchInventory: fromScoped<void, PeerAddress, PeerLinkEvent>(read),
    } satisfies Required<PeerLinkEffects>,
  })
}
