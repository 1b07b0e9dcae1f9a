// The networks of the device: what is seen of them, and a change that undoes itself unless it is kept.
import type * as Effect from 'effect/Effect'
import type * as Scope from 'effect/Scope'
import type { Fault } from '../../machines/errors/fault.ts'
import type { NetworkChange } from '../../machines/network/change.ts'
import type { NetworkReading } from '../../machines/network/interface.ts'
import type { ChangeRecord, Checkpoint, PreparedChange } from '../../machines/network/record.ts'
import { token } from '../../machines/token.ts'

/** A change that was ordered. */
export type OrderedRecord = Pick<ChangeRecord, 'change' | 'prepared' | 'checkpoint'>

export interface NetworkPort {
  /** All interfaces. Fails with `device.failed` when nothing of them can be read. */
  readonly read: Effect.Effect<NetworkReading, Fault>
  /** Tells when something may be different, at once and until the scope closes; more often than it is. */
  readonly watch: (stirred: () => void) => Effect.Effect<void, never, Scope.Scope>
  /** Who has an address in the network of an interface: as a MAC or in words; null: nobody, or nobody can be asked. */
  readonly askWhoHas: (name: string, address: string) => Effect.Effect<string | null>
  /** Whether something answers at each address; null: it cannot be asked. */
  readonly reach: (addresses: readonly string[]) => Effect.Effect<readonly (boolean | null)[]>
  /** What a change finds, and how its profile will be known. Nothing is changed. Fails with `device.failed`. */
  readonly prepare: (change: NetworkChange) => Effect.Effect<PreparedChange, Fault>
  /**
   * Has a change in force; what it was before is kept, and comes back by itself after limitS unless it is kept. Fails
   * with `device.failed`, and may have begun.
   */
  readonly apply: (change: NetworkChange, prepared: PreparedChange, limitS: number) => Effect.Effect<Checkpoint, Fault>
  /** How long until it comes back by itself, ms; null: it has, or what would do it is gone. */
  readonly remainingMs: (record: OrderedRecord) => Effect.Effect<number | null, Fault>
  /** Ends, with a sentence, when what would undo it by itself is gone. */
  readonly whenGone: (record: OrderedRecord) => Effect.Effect<string, Fault>
  /** Keeps it for good. Fails with `device.failed` when it is not in force any more. */
  readonly keep: (record: OrderedRecord) => Effect.Effect<void, Fault>
  /** Everything as it was before, however far the change was. Fails with `device.failed`. */
  readonly undo: (record: OrderedRecord) => Effect.Effect<void, Fault>
}

/** The networks of this device. */
export const NETWORK = token<NetworkPort>('network')

/** The last change, kept on the disk. */
export interface NetworkRecords {
  /** null: there was none, or it cannot be read. */
  readonly load: Effect.Effect<ChangeRecord | null>
  /** On the disk when it succeeds. Fails with `storage.full` or `storage.failed`. */
  readonly save: (record: ChangeRecord) => Effect.Effect<void, Fault>
}

export const NETWORK_RECORDS = token<NetworkRecords>('network-records')

/** The name of a profile of ours. */
export const profileName = ({ method, interface: name }: Pick<NetworkChange, 'method' | 'interface'>): string =>
  `vedette-${method}-${name}`

/** Whether a profile of an interface is ours, by its name. */
export const isOurs = (profile: string, name: string): boolean =>
  profile === `vedette-dhcp-${name}` || profile === `vedette-static-${name}`
