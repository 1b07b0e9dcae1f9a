// What a peer has, read: the whole once for each link, and after that no more than what its events are about.

import * as Effect from 'effect/Effect'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import type { Inventory } from '../../machines/interdevice/inventory.ts'
import { queryOf } from '../../machines/interdevice/inventory-part.ts'
import { isAboutWhoAsks } from '../../machines/interdevice/problem.ts'
import type { PeerAddress } from '../../machines/peers/peer-address.ts'
import { epochFault, inventoryIn, leapFault, RESOURCES_PATH } from '../../machines/peers/peer-messages.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import type { PeerWire } from '../../native/peers/port.ts'
import type { Heartbeat } from './heartbeat.ts'
import type { PeerRuntime } from './peer-runtime.ts'

const LIMIT_MS = 5_000
const MAX_INVENTORY_BYTES = 1024 * 1024
const WAIT = '100 millis'
const COST_OF_ALL = 5
const OK = 200

/**
 * A peer that was started again says nothing on its previous connection: after three heartbeats that is noticed, and
 * its link is lost.
 */
const HEARTBEATS_OF_DOUBT = 4

/** What it takes to read what a peer has. */
export interface ReadInventoryParts {
  readonly wire: Pick<PeerWire, 'ask'>
  readonly peer: PeerRuntime
  /** By which its session notices that it has ended. */
  readonly heartbeat: Pick<Heartbeat, 'everyMs'>
}

/**
 * Reads what is outdated, one after the other; what becomes so meanwhile is left to the next time. A peer that makes
 * itself be read without end is read more slowly.
 *
 * One whose inventory is of another epoch than its events was started again in between, as a rule: then its session
 * ends, and this with it. It is asked again until then. contradicted: called for one that is still heard after that,
 * and ends its session.
 */
export const readInventory = (
  { wire, peer, heartbeat }: ReadInventoryParts,
  address: PeerAddress,
  contradicted: (fault: Fault) => void,
): Effect.Effect<void, Fault> => {
  const askOnce = (query: string, cost: number): Effect.Effect<Inventory, Fault> =>
    Effect.andThen(
      allowed(peer, cost),
      wire.ask(address, {
        method: 'GET',
        path: RESOURCES_PATH + query,
        limitMs: LIMIT_MS,
        maxBytes: MAX_INVENTORY_BYTES,
      }),
    ).pipe(
      Effect.flatMap(({ status, body }) => {
        if (status !== OK) return Effect.fail(notRead(address.origin, status))
        const { hello, event } = peer.known
        const inventory = inventoryIn(body.toString(), address.origin, hello?.device_id ?? '')
        if (isFault(inventory)) return Effect.fail(inventory)
        const lie = event?.epoch === inventory.epoch && leapFault(event.seq, inventory.seq, address.origin)
        return lie ? Effect.fail(lie) : Effect.succeed(inventory)
      }),
    )
  const ask = (query: string, cost: number, heartbeatsLeft = HEARTBEATS_OF_DOUBT): Effect.Effect<Inventory, Fault> =>
    Effect.flatMap(askOnce(query, cost), (inventory) => {
      const { event } = peer.known
      if (!event || event.epoch === inventory.epoch) return Effect.succeed(inventory)
      if (heartbeatsLeft > 0)
        return Effect.andThen(Effect.sleep(heartbeat.everyMs), ask(query, cost, heartbeatsLeft - 1))
      // nobody knows which of the two is right
      contradicted(epochFault(event.epoch, inventory.epoch, address.origin))
      return Effect.never
    })
  return Effect.gen(function* () {
    const { outdated } = peer
    const { turn } = outdated
    if (outdated.isWhole || !peer.known.inventory) return peer.learned(yield* ask('', COST_OF_ALL), turn)
    const parts = [...outdated.parts]
    for (const part of parts) {
      const since = peer.known.event?.seq ?? 0
      const said = yield* Effect.tapError(ask(`?${queryOf(part)}`, 1), (fault) =>
        Effect.sync(() => {
          if (fault.code === 'peer.bad_answer') outdated.all() // what it told of may be nothing that can be asked for
        }),
      )
      parts.push(...peer.learnedPart(part, said, since))
      if (outdated.isWhole) return
    }
  })
}

const allowed = (peer: PeerRuntime, cost: number): Effect.Effect<void> =>
  Effect.suspend(() => (peer.may('read', cost) ? Effect.void : Effect.andThen(Effect.sleep(WAIT), allowed(peer, cost))))

const notRead = (origin: string, status: number): Fault =>
  isAboutWhoAsks(status)
    ? {
        code: 'peer.refuses_us',
        detail: oneLine`
          ${origin} greets this device and does not show it what it has (${status}): it has to trust this device first:
          pair the two by a code that people compare (POST /v1/peers/pairing), or enter this one there (POST
          /v1/peers/trust)
        `,
      }
    : { code: 'peer.bad_answer', detail: `${origin} does not show what it has (${status})` }
