// A peer greets: who it is from now on.
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import type { HeardHello } from '../../machines/interdevice/hello.ts'
import { peerCollection, type StoredPeer } from '../../machines/peers/peer.ts'
import { mergeOrder } from '../../machines/settings/commit.ts'
import type { WriteSettings } from '../settings/write-settings.ts'
import type { PeerRegistry } from './peer-registry.ts'

/** What the identity of a peer is stored with. */
export interface StoreIdentityParts {
  readonly peers: Pick<PeerRegistry, 'get' | 'claim'>
  /** Stores. */
  readonly write: WriteSettings
  /** Enters a fault in the error history. */
  readonly record: (fault: Fault) => void
}

/**
 * What is stored of a greeting: once, when it is known for the first time which device it is. Its name may be another
 * by then, which is shown and not stored.
 */
export const metOf = (hello: HeardHello | undefined): Partial<StoredPeer> =>
  hello ? { device_id: hello.device_id, ...(hello.name !== undefined && { own_name: hello.name }) } : {}

/**
 * Notes who a peer is. A write that fails keeps no link away: it is repeated with the next greeting. `peer.twice`:
 * another peer is the same device.
 */
export const storingIdentity =
  ({ peers, write, record }: StoreIdentityParts) =>
  (id: string, hello: HeardHello): Effect.Effect<void, Fault> =>
    Effect.suspend(() => {
      const twin = peers.claim(id, hello.device_id)
      if (twin) return Effect.fail(twice(id, twin.id))
      const stored = peers.get(id)?.stored.value
      if (!stored || stored.device_id === hello.device_id) return Effect.void
      return Effect.catch(write(mergeOrder(peerCollection, id, metOf(hello))), (fault: Fault) =>
        Effect.sync(() => record({ ...fault, resource: `peers/${id}` })),
      )
    })

const twice = (id: string, other: string): Fault => ({
  code: 'peer.twice',
  resource: `peers/${id}`,
  detail: `${id} is the same device as ${other}, which has a link already; delete one of the two`,
})
