// A change of the network on its way, as it is kept on the disk: each step is there before the next is done.
import type { Static } from 'typebox'
import type { Fault } from '../errors/fault.ts'
import { oneLine } from '../schema/one-line.ts'
import Type from '../schema/type.ts'
import { NetworkChange } from './change.ts'

const strict = { additionalProperties: false } as const
const TextOrNull = Type.Union([Type.String(), Type.Null()])

/** How a change ended. kept: it holds. undone: everything is as before. */
export const ChangeOutcome = Type.Object(
  { kept: Type.Boolean(), reason: Type.String() },
  { ...strict, title: 'ChangeOutcome', description: 'How a change ended.' },
)
export type ChangeOutcome = Static<typeof ChangeOutcome>

/** What is found before a change, and what it will make. */
export const PreparedChange = Type.Object(
  {
    /** Of the profile that the change makes. */
    profile_uuid: Type.String(),
    /** Of the profile in force before; null: there was none. */
    previous_uuid: TextOrNull,
    /** The addresses of the interface before. */
    previous_addresses: Type.Array(Type.String()),
  },
  strict,
)
export type PreparedChange = Static<typeof PreparedChange>

/** What undoes a change by itself. */
export const Checkpoint = Type.Object(
  {
    path: Type.String(),
    /** The process that has it: with that it is gone. */
    owner: Type.String(),
  },
  strict,
)
export type Checkpoint = Static<typeof Checkpoint>

/** A change and how far it is. */
export const ChangeRecord = Type.Object(
  {
    job_id: Type.String(),
    change: NetworkChange,
    prepared: PreparedChange,
    /** ordered: it may have been begun. waiting: it is in force. confirmed: it is to be kept. ended: it is over. */
    phase: Type.Enum(['ordered', 'waiting', 'confirmed', 'ended']),
    checkpoint: Type.Union([Checkpoint, Type.Null()]),
    /** Over which address of this device it was ordered. */
    ordered_over: Type.String(),
    outcome: Type.Union([ChangeOutcome, Type.Null()]),
  },
  strict,
)
export type ChangeRecord = Static<typeof ChangeRecord>

/** Where a change stands, for its job and for people. */
export interface ChangeNews {
  readonly record: ChangeRecord
  /** How long it is tried, from when it comes into force on. */
  readonly limitMs: number
  readonly step: 'ordered' | 'applying' | 'waiting' | 'keeping' | 'undoing' | 'ended'
}

/** How a job is told that its change was undone. */
export const undoneFault = ({ change }: ChangeRecord, { reason }: ChangeOutcome): Fault => ({
  code: 'network.undone',
  detail: `${change.interface} is as before: ${reason}`,
})

/** Without its zone, and without the disguise that IPv4 has on an IPv6 socket. */
const plain = (address: string): string =>
  address
    .toLowerCase()
    .replace(/%.*$/, '')
    .replace(/^::ffff:(?=\d+\.)/, '')

/**
 * Why a confirmation does not count; null: it does. over: the address of this device at which it arrived. now: those
 * that the interface has.
 *
 * It shows that somebody still reaches the device. So it counts at an address that the interface has now, or at the one
 * over which the change was ordered, when that is none of the interface.
 */
export const refusalOfConfirmation = (
  { change, prepared, ordered_over }: ChangeRecord,
  over: string,
  now: readonly string[],
): Fault | null => {
  const at = plain(over)
  const isOfInterface = (address: string) => prepared.previous_addresses.map(plain).includes(address)
  if (now.map(plain).includes(at) || (at === plain(ordered_over) && !isOfInterface(at))) return null
  return {
    code: 'network.wrong_way',
    detail: oneLine`
      this came to ${at}, and a change of ${change.interface} counts as confirmed only over an address that it has now
      (${now.join(', ') || 'it has none yet'}); open the page there, and it confirms by itself
    `,
  }
}

/** The same with until when it is tried, by CLOCK_MONOTONIC; null: it is not in force yet, or it has ended. */
export interface DatedNews extends ChangeNews {
  readonly untilUs: number | null
}
