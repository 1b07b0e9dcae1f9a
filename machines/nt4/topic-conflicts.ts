// What is in conflict with the topics of a table: other publishers, and topics that exist with another type.
import type { Fault } from '../errors/fault.ts'

/** Another client that publishes some of the same topics. */
export interface Nt4Rival {
  /** As the server calls it; empty: the program that the server is a part of. */
  readonly name: string
  /** Host and port, as the server sees them; null: it does not say. */
  readonly address: string | null
}

/** A topic that exists with another type. */
export interface Nt4Conflict {
  readonly topic: string
  readonly type: string
}

/** What stands in the way of topics that are published here. conflicts: what is written to them is held back. */
export interface Nt4Standing {
  readonly rivals: readonly Nt4Rival[]
  readonly conflicts: readonly Nt4Conflict[]
}

const MAX_SHOWN = 3

/**
 * What is to be said of a table; null: all is well.
 *
 * table: as robots know it, `/limelight`. remedy: what people can do, beside stopping the other one.
 */
export const standingFault = (
  { rivals, conflicts }: Nt4Standing,
  { table, remedy }: { readonly table: string; readonly remedy: string },
): Fault | null => {
  const others = listed(rivals.map(nameOf))
  if (conflicts.length > 0) {
    const topics = listed(conflicts.map(({ topic, type }) => `${topic} as ${type}`))
    const who = others === '' ? 'somebody else' : others
    return {
      code: 'nt4.type_conflict',
      detail: `${who} publishes ${topics}, so that is not published here as long as it is there; stop it, or ${remedy}`,
    }
  }
  if (rivals.length === 0) return null
  return {
    code: 'nt4.table_shared',
    detail: `${table} is published by ${others} as well: robots read now one and now the other; stop it, or ${remedy}`,
  }
}

const nameOf = ({ name, address }: Nt4Rival): string => {
  if (name === '') return 'the robot program itself'
  return address === null ? name : `${name} (${address})`
}

const listed = (names: readonly string[]): string => {
  const shown = names.slice(0, MAX_SHOWN)
  const more = names.length - shown.length
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
