// What was kept, as it was found, parted into what is used and what is set aside. One document that does not fit costs
// that document, never the start.

import type { Fault } from '../errors/fault.ts'
import { filled } from '../schema/defaults.ts'
import { type Collection, type Collections, misfits } from './collection.ts'
import { nameOf } from './commit.ts'
import { asideFaults, restoredFaults } from './load-faults.ts'
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

/**
 * What stands where a document should. collection, id: empty when they cannot be read. reason: after "it", as in "has
 * no value".
 */
export interface UnreadableDocument extends Row {
  readonly revision: number
  readonly reason: string
}

/** The numbers kept with each collection; see Settings. */
export interface CollectionNumbers {
  readonly revision: number
  readonly base: number
}

/**
 * All that is kept; documents in order of creation. aside: what was set aside earlier and may be tried again, the
 * latest last. A number that cannot be read is NaN.
 */
export interface Stored {
  readonly documents: readonly StoredDocument[]
  readonly unreadable: readonly UnreadableDocument[]
  readonly aside: readonly StoredDocument[]
  readonly collections: Readonly<Record<string, CollectionNumbers>>
}

/**
 * Rows to be moved where they are kept but no longer used, and the numbers of the collections that they change.
 *
 * back: rows that were set aside earlier and are used again; their place is among those, their revision a new one.
 */
export interface SettingAside {
  readonly rows: readonly (Row & { readonly reason: string })[]
  readonly back: readonly (Row & { readonly revision: number })[]
  readonly collections: Readonly<Record<string, CollectionNumbers>>
}

/** What of the stored settings can be used. */
export interface Sifted {
  /** What is used. */
  readonly settings: Settings
  /** Null when all fits. */
  readonly aside: SettingAside | null
  /** For the error history, bounded. */
  readonly faults: readonly Fault[]
}

/**
 * No counter of writes comes near: one each millisecond for thirty years. Above that it is damage, and could not be
 * counted on exactly.
 */
export const MAX_REVISION = 1e12

const isRevision = (number: number): boolean => Number.isInteger(number) && number >= 0 && number <= MAX_REVISION

type Used = ReadonlyMap<string, Map<string, StoredValue>>

/**
 * Parts what was kept. Documents of collections that nobody declared are left alone: a newer version has written them.
 */
export const sift = (collections: Collections, { documents, unreadable, aside, collections: kept }: Stored): Sifted => {
  const used: Used = new Map([...collections.keys()].map((name) => [name, new Map<string, StoredValue>()]))
  const rows: SettingAside['rows'][number][] = unreadable.filter(
    ({ collection }) => collection === '' || used.has(collection),
  )
  for (const { place, collection, id, revision, value: kept } of documents) {
    const declared = collections.get(collection)
    const members = used.get(collection)
    if (!declared || !members) continue
    const value = filled(declared.schema, kept) // an older version did not know all of today's fields
    const reason =
      revisionComplaint(revision) ??
      (members.has(id) ? 'is there twice' : undefined) ??
      (members.size >= declared.limit ? `is one too many: there may be ${declared.limit}` : undefined) ??
      sentenceOf(misfits(declared, id, value))
    if (reason === undefined) members.set(id, { revision, value })
    else rows.push({ place, collection, id, reason })
  }
  const returning = fitting(collections, aside, used, new Set(rows.map(nameOf)))
  const losers = new Set(rows.map(({ collection }) => collection))
  const gainers = new Set(returning.map(({ collection }) => collection))
  const numbers = [...collections.keys()].map((name) => {
    const known = [...documents, ...unreadable]
      .filter(({ collection }) => collection === name)
      .map(({ revision }) => revision)
    const { revision, base } = numbersOf(kept[name], known, losers.has(name))
    return [name, { revision: gainers.has(name) && !losers.has(name) ? revision + 1 : revision, base }] as const
  })
  const bases = new Map(numbers.map(([name, { base }]) => [name, base]))
  const back = returning.map(({ place, collection, id, value }) => {
    const revision = (bases.get(collection) ?? 0) + 1
    used.get(collection)?.set(id, { revision, value })
    return { place, collection, id, revision }
  })
  return {
    settings: {
      documents: Object.fromEntries([...used].map(([name, members]) => [name, Object.fromEntries(members)])),
      revisions: Object.fromEntries(numbers.map(([name, { revision }]) => [name, revision])),
      bases: Object.fromEntries(numbers.map(([name, { base }]) => [name, base])),
    },
    aside:
      rows.length + back.length === 0
        ? null
        : {
            rows,
            back,
            collections: Object.fromEntries(numbers.filter(([name]) => losers.has(name) || gainers.has(name))),
          },
    faults: [...asideFaults(rows), ...restoredFaults(back)],
  }
}

/**
 * Of what was set aside earlier that which fits by now, because this version knows more or there is room again; of
 * several with one name the latest. lost: the names whose documents are set aside now, which are newer.
 */
const fitting = (
  collections: Collections,
  aside: Stored['aside'],
  used: Used,
  lost: ReadonlySet<string>,
): readonly StoredDocument[] => {
  const found = new Map<string, StoredDocument>()
  const hasRoom = ({ name, limit }: Collection, taken: number) =>
    taken + [...found.values()].filter(({ collection }) => collection === name).length < limit
  for (const row of aside.toReversed()) {
    const [declared, members, name] = [collections.get(row.collection), used.get(row.collection), nameOf(row)]
    if (!declared || !members || members.has(row.id) || lost.has(name) || found.has(name)) continue
    const value = filled(declared.schema, row.value)
    const complaint = revisionComplaint(row.revision) ?? sentenceOf(misfits(declared, row.id, value))
    if (complaint === undefined && hasRoom(declared, members.size)) found.set(name, { ...row, value })
  }
  return [...found.values()].toReversed()
}

const revisionComplaint = (revision: number): string | undefined =>
  isRevision(revision) && revision > 0 ? undefined : 'has an impossible revision'

/**
 * A collection's numbers after the sifting. Each write of a document is one of its list too, so the list's revision is
 * at least that of any document that ever was: it stands in for a number that cannot be read and for the revision of
 * what is set aside.
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
