// What a peer says, read with care: it may be newer than this service, broken, or lying.

import type { Fault } from '../errors/fault.ts'
import { Inventory } from '../interdevice/inventory.ts'
import { firstError, schemaErrors } from '../schema/errors.ts'
import { jsonIn } from '../schema/json.ts'
import { oneLine } from '../schema/one-line.ts'
import { pruned } from '../schema/pruned.ts'
import { quote } from '../schema/quote.ts'

export const RESOURCES_PATH = '/v1/interdevice/resources'
export const EVENTS_PATH = '/v1/interdevice/events'

/**
 * The inventory in an answer, without what only newer versions know, or why there is none. device_id: of the device
 * that has greeted.
 */
export const inventoryIn = (text: string, origin: string, device_id: string): Inventory | Fault => {
  const said = jsonIn(text)
  const known = pruned(Inventory, said)
  const errors = schemaErrors(Inventory, known)
  if (errors.length > 0) return senseless(origin, `its inventory does not fit (${firstError(errors, 'it')})`)
  const inventory = known as Inventory
  const ids = inventory.streams.map(({ id }) => id)
  // or its list would have no end for a client that reads it in pages
  if (new Set(ids).size < ids.length) return senseless(origin, 'its inventory has a stream twice')
  if ((inventory.device_id ?? device_id) === device_id) return inventory
  return senseless(origin, `it greets as ${device_id} and has the inventory of ${inventory.device_id}`)
}

/** An event of a device among all of them: numbers rise within an epoch. */
export interface EventPlace {
  readonly epoch: string
  readonly seq: number
}

/** Where the events of a device begin, or go on after some were lost. */
export interface PeerGreeting extends EventPlace {
  readonly type: 'hello' | 'reset'
  /** All follows that came after the event which was asked for. */
  readonly resumed: boolean
  /** It answers what is asked of its clock. */
  readonly tellsTime: boolean
}

/** A message of the events of a peer. */
export type PeerMessage =
  | PeerGreeting
  /** What was asked of its clock: CLOCK_MONOTONIC there. */
  | { readonly type: 'clock'; readonly number: number; readonly monotonicUs: number }
  | { readonly type: 'event'; readonly event: PeerEvent }

/** An event as far as it must be understood. */
export interface PeerEvent {
  readonly seq: number
  readonly kind: string
  readonly resource_ref: Readonly<Record<string, unknown>>
  readonly revision: number | null
  readonly data?: unknown
}

/** Reads one message, or says why it cannot be read. */
export const messageIn = (text: string, origin: string): PeerMessage | Fault => {
  const said = jsonIn(text)
  if (!isRecord(said)) return senseless(origin, 'one of its events is no JSON object')
  if (said.kind === 'clock') return clockIn(said, origin)
  const { kind, seq, epoch, resumed, tells_time, resource_ref, revision, data } = said
  if (typeof kind !== 'string' || !isCount(seq)) return senseless(origin, 'one of its events has no kind or no number')
  if (kind === 'hello' || kind === 'reset') {
    if (!isEpoch(epoch)) return senseless(origin, `its ${kind} has no epoch`)
    return { type: kind, epoch, seq, resumed: resumed === true, tellsTime: tells_time === true }
  }
  if (!isRecord(resource_ref)) return senseless(origin, `an event ${kind} refers to nothing`)
  return { type: 'event', event: { seq, kind, resource_ref, revision: isCount(revision) ? revision : null, data } }
}

/**
 * As many as three days have at 16,000 a second, which is more than a device tells of itself and of all its peers:
 * among so many is one that is heard here. A wrong guess costs a new link.
 */
const MAX_LEAP = 2 ** 32

/**
 * What is wrong with the number of an event that is told after the one of another, of one epoch: numbers rise, and some
 * are missing. undefined: nothing.
 */
export const numberFault = (last: number, seq: number, origin: string): Fault | undefined =>
  seq > last
    ? leapFault(last, seq, origin)
    : senseless(origin, `its event ${seq} comes after its event ${last}, and the numbers of events rise`)

/** The same of the newest event that is contained in what was read, which may be older. */
export const leapFault = (last: number, seq: number, origin: string): Fault | undefined =>
  seq - last <= MAX_LEAP
    ? undefined
    : senseless(origin, `after its event ${last} it speaks of its event ${seq}, and nobody can have told so many`)

/** Of a device whose events do not begin as they must. */
export const helloFault = (origin: string): Fault => ({
  code: 'peer.bad_answer',
  detail: `${origin} opens its events and does not begin with its hello`,
})

/** Of what was read, and of the events beside it: both are of one run of the device. */
export const epochFault = (ofEvents: string, ofInventory: string, origin: string): Fault =>
  senseless(
    origin,
    oneLine`
      its events are of the epoch ${quote(ofEvents)} and its inventory is of ${quote(ofInventory)}, and no device has
      two at a time
    `,
  )

const clockIn = ({ number, monotonic_us }: Readonly<Record<string, unknown>>, origin: string): PeerMessage | Fault =>
  isCount(number) && isCount(monotonic_us)
    ? { type: 'clock', number, monotonicUs: monotonic_us }
    : senseless(origin, 'what it says of its clock is no time')

const MAX_EPOCH_LENGTH = 64

/** It is sent back in an address, where half a character would be another one. */
const isEpoch = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= MAX_EPOCH_LENGTH && value.isWellFormed()

const senseless = (origin: string, why: string): Fault => ({
  code: 'peer.bad_answer',
  detail: `what ${origin} says makes no sense: ${why}`,
})

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
