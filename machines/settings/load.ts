// What was kept, as it was found, parted into what is used and what is set aside. One document that does not fit costs that document, never the start.

import type { Fault } from '../errors/fault.ts'
import { filled } from '../schema/defaults.ts'
import { type Collections, misfits } from './collection.ts'
import { nameOf } from './commit.ts'
import type { Settings, StoredValue } from './store.ts'

/** A row of the store. place: its name there, for setting it aside. */
interface Row {
  readonly place: bigint
  readonly collection: string
  readonly id: string
}

/** One kept document. value is JSON. revision: NaN when it cannot be read. */
export interface StoredDocument extends Row {
  readonly revision: number
  readonly value: unknown
}

/** What stands where a document should. collection, id: empty when they cannot be read. reason: after "it", as in "has no value". */
export interface UnreadableDocument extends Row {
  readonly revision: number
  readonly reason: string
}

/** The numbers kept with each collection; see Settings. */
export interface CollectionNumbers {
  readonly revision: number
  readonly base: number
}

/** All that is kept; documents in order of creation. A number that cannot be read is NaN. */
export interface Stored {
  readonly documents: readonly StoredDocument[]
  readonly unreadable: readonly UnreadableDocument[]
  readonly collections: Readonly<Record<string, CollectionNumbers>>
}

/** Rows to be moved where they are kept but no longer used, and the numbers of the collections that lose them. */
export interface SettingAside {
  readonly rows: readonly (Row & { readonly reason: string })[]
  readonly collections: Readonly<Record<string, CollectionNumbers>>
}

/** settings: what is used. aside: null when all fits. faults: for the error history, bounded. */
export interface Sifted {
  readonly settings: Settings
  readonly aside: SettingAside | null
  readonly faults: readonly Fault[]
}

/** No counter of writes comes near: one each millisecond for thirty years. Above that it is damage, and could not be counted on exactly. */
export const LARGEST_REVISION = 1e12

const isRevision = (number: number): boolean => Number.isInteger(number) && number >= 0 && number <= LARGEST_REVISION

/** Parts what was kept. Documents of collections that nobody declared are left alone: a newer version has written them. */
export const sift = (collections: Collections, { documents, unreadable, collections: kept }: Stored): Sifted => {
  const used = new Map([...collections.keys()].map((name) => [name, new Map<string, StoredValue>()]))
  const rows: SettingAside['rows'][number][] = unreadable.filter(
    ({ collection }) => collection === '' || used.has(collection),
  )
  for (const { place, collection, id, revision, value: kept } of documents) {
    const declared = collections.get(collection)
    const members = used.get(collection)
    if (!declared || !members) continue
    const value = filled(declared.schema, kept) // an older version did not know all of today's fields
    const reason =
      (isRevision(revision) && revision > 0 ? undefined : 'has an impossible revision') ??
      (members.has(id) ? 'is there twice' : undefined) ??
      (members.size >= declared.limit ? `is one too many: there may be ${declared.limit}` : undefined) ??
      sentenceOf(misfits(declared, id, value))
    if (reason === undefined) members.set(id, { revision, value })
    else rows.push({ place, collection, id, reason })
  }
  const losers = new Set(rows.map(({ collection }) => collection))
  const numbers = [...collections.keys()].map((name) => {
    const known = [...documents, ...unreadable]
      .filter(({ collection }) => collection === name)
      .map(({ revision }) => revision)
    return [name, numbersOf(kept[name], known, losers.has(name))] as const
  })
  return {
    settings: {
      documents: Object.fromEntries([...used].map(([name, members]) => [name, Object.fromEntries(members)])),
      revisions: Object.fromEntries(numbers.map(([name, { revision }]) => [name, revision])),
      bases: Object.fromEntries(numbers.map(([name, { base }]) => [name, base])),
    },
    aside:
      rows.length === 0
        ? null
        : { rows, collections: Object.fromEntries(numbers.filter(([name]) => losers.has(name))) },
    faults: faultsOf(rows),
  }
}

/**
 * A collection's numbers after the sifting. Each write of a document is one of its list too, so the list's revision is at least that of any
 * document that ever was: it stands in for a number that cannot be read and for the revision of what is set aside.
 */
const numbersOf = (
  kept: CollectionNumbers | undefined,
  known: readonly number[],
  loses: boolean,
): CollectionNumbers => {
  const sound = [...known, kept?.revision ?? 0, kept?.base ?? 0].filter(isRevision)
  const revision = sound.reduce((highest, each) => Math.max(highest, each), 0)
  const isSound = kept !== undefined && isRevision(kept.base) && isRevision(kept.revision) && !loses
  return { revision: loses ? revision + 1 : revision, base: isSound ? kept.base : revision }
}

const sentenceOf = ([first]: ReturnType<typeof misfits>): string | undefined =>
  first && `does not fit: ${first.pointer || 'it'} ${first.message}`

const MOST_FAULTS = 20 // more would push everything else out of the error history

const faultsOf = (rows: SettingAside['rows']): readonly Fault[] => {
  const told = rows.slice(0, MOST_FAULTS).map(
    (each): Fault => ({
      code: 'storage.document_invalid',
      resource: shortName(each),
      detail: `the stored document ${shortName(each)} ${plain(each.reason)}. It was set aside and is not used; all others are. Create it again if it is missed; what was stored is kept in the table set_aside of the settings file.`,
    }),
  )
  const untold = rows.length - told.length
  if (untold === 0) return told
  const detail = `${untold} more stored documents do not fit and were set aside; they are kept in the table set_aside of the settings file.`
  return [...told, { code: 'storage.document_invalid', detail }]
}

const LONGEST_NAME = 100

/** What comes from a damaged store may be anything. */
const plain = (text: string): string => text.replace(/\p{C}/gu, '\u{fffd}')

const shortName = (row: Row): string => {
  const name = plain(nameOf(row))
  return name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name
}
