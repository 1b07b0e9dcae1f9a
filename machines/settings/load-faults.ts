// What the error history is told of what was found in the store; bounded, since there may be any number of it.

import type { Fault } from '../errors/fault.ts'
import { oneLine } from '../schema/one-line.ts'
import { nameOf } from './commit.ts'

/** Which document. */
interface Named {
  readonly collection: string
  readonly id: string
}

/** Of what is set aside. reason: after "it", as in "has no value". */
export const asideFaults = (rows: readonly (Named & { readonly reason: string })[]): readonly Fault[] =>
  bounded(
    rows,
    'storage.document_invalid',
    (each) =>
      oneLine`
        the stored document ${shortName(each)} ${plain(each.reason)}. It was set aside and is not used; all others are.
        Create it again if it is missed; until then it is tried again at each start, and what was stored is kept in the
        table set_aside of the settings file.
      `,
    (untold) =>
      oneLine`
        ${untold} more stored documents do not fit and were set aside; they are kept in the table set_aside of the
        settings file.
      `,
  )

/** Of what was set aside and is used again. */
export const restoredFaults = (rows: readonly Named[]): readonly Fault[] =>
  bounded(
    rows,
    'storage.document_restored',
    (each) =>
      oneLine`
        the stored document ${shortName(each)}, which had been set aside, fits now and is used again. Delete it if it is
        not wanted any more.
      `,
    (untold) => `${untold} more stored documents that had been set aside fit now and are used again.`,
  )

const MAX_FAULTS = 20 // more would push everything else out of the error history

const bounded = <Row extends Named>(
  rows: readonly Row[],
  code: Fault['code'],
  sentence: (row: Row) => string,
  rest: (untold: number) => string,
): readonly Fault[] => {
  const told = rows
    .slice(0, MAX_FAULTS)
    .map((each): Fault => ({ code, resource: shortName(each), detail: sentence(each) }))
  const untold = rows.length - told.length
  return untold === 0 ? told : [...told, { code, detail: rest(untold) }]
}

const MAX_NAME_LENGTH = 100

/** What comes from a damaged store may be anything. */
const plain = (text: string): string => text.replace(/\p{C}/gu, '\u{fffd}')

const shortName = (row: Named): string => {
  const name = plain(nameOf(row))
  return name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH)}…` : name
}
