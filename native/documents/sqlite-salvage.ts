// What can still be read of a broken store: row by row out of the file itself, and documents that it lost out of the
// newest copy that has them.

import { constants, copyFileSync, existsSync, rmSync, statSync } from 'node:fs'
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite'
import { oneLine } from '../../machines/schema/one-line.ts'
import { copiesOf, insert, rowsOfCopy, type TableRow } from './sqlite-copies.ts'
import { inTransaction } from './sqlite-transaction.ts'

/** In this order; a row of the first two is a document of a user. */
const TABLES = ['documents', 'set_aside', 'collections', 'errors', 'requests', 'jobs', 'media']
const PARTS = ['', '-wal']

/**
 * Who was taken off this list since the copy was made must not come back: such documents are saved out of the file
 * itself only.
 */
const ONLY_AS_THEY_WERE = 'trust'

/** More places than this are not tried one by one, between two pages that are broken. */
const MAX_TRIED = 5_000

/** Documents by their names. */
export interface Salvaged {
  /** As they were. */
  readonly kept: readonly string[]
  /** As a copy has them, and when that was made. */
  readonly older: readonly string[]
  /** Known by their names alone. */
  readonly lost: readonly string[]
}

/**
 * Puts into a new store what can be read of a broken one.
 *
 * broken: where it was set aside. file: of the new store, beside which the copies are. Never throws: what cannot be
 * read is lost, and said to be.
 */
export const salvage = (db: DatabaseSync, broken: string, file: string): Salvaged => {
  const work = `${file}.salvage`
  const clean = () => {
    for (const part of ['', '-wal', '-shm', '-journal']) rmSync(work + part, { force: true })
  }
  try {
    clean()
    for (const part of PARTS)
      if (existsSync(broken + part)) copyFileSync(broken + part, work + part, constants.COPYFILE_FICLONE)
    return whole(db, () => salvaged(db, work, file))
  } catch {
    // there is no room to work on it, as a rule
    return attempt(() => whole(db, () => withCopies(db, file, undefined, []))) ?? NOTHING
  } finally {
    clean()
  }
}

const NOTHING: Salvaged = { kept: [], older: [], lost: [] }

/** One sync for all of it. */
const whole = (db: DatabaseSync, work: () => Salvaged): Salvaged => {
  let found = NOTHING
  inTransaction(db, () => {
    found = work()
  })
  return found
}

const salvaged = (db: DatabaseSync, work: string, file: string): Salvaged => {
  const old = attempt(() => new DatabaseSync(work, { timeout: 0 }))
  if (!old) return withCopies(db, file, undefined, [])
  try {
    attempt(() => old.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA ignore_check_constraints = ON'))
    const names = attempt(() => namesIn(old))
    const kept: string[] = []
    for (const table of TABLES)
      for (const row of readableRows(old, table)) {
        const isIn = attempt(() => insert(db, table, row) ?? true)
        if (isIn && table === 'documents') kept.push(nameOf(row))
      }
    return withCopies(db, file, names, kept)
  } finally {
    attempt(() => old.close())
  }
}

/** names: of all documents that there were, where that can still be told. */
const withCopies = (
  db: DatabaseSync,
  file: string,
  names: ReadonlySet<string> | undefined,
  kept: readonly string[],
): Salvaged => {
  const known = new Set(kept)
  const older: string[] = []
  for (const copy of copiesOf(file)) {
    for (const { position: _, ...row } of rowsOfCopy(copy, 'documents')) {
      const name = nameOf(row)
      const wasThere = names?.has(name) ?? row.collection !== ONLY_AS_THEY_WERE
      if (known.has(name) || !wasThere || row.collection === ONLY_AS_THEY_WERE) continue
      known.add(name)
      if (attempt(() => insert(db, 'documents', row) ?? true)) older.push(name)
    }
    for (const row of rowsOfCopy(copy, 'collections')) attempt(() => insert(db, 'collections', row))
  }
  const lost = [...(names ?? [])].filter((name) => !known.has(name))
  attempt(() => raiseRevisions(db, older, lost))
  return { kept, older, lost }
}

/**
 * What was lost had revisions that nobody knows any more; none of them is given again. More than a robot makes in a day
 * by switching its pipelines.
 */
const REVISIONS_LOST = 1_000_000

const raiseRevisions = (db: DatabaseSync, older: readonly string[], lost: readonly string[]): void => {
  const raise = db.prepare(
    'UPDATE collections SET revision = revision + :by, base_revision = revision + :by WHERE name = :name',
  )
  const touched = new Set([...older, ...lost].map((name) => name.slice(0, name.indexOf('/'))))
  for (const name of touched) raise.run({ by: REVISIONS_LOST, name })
  const renew = db.prepare(
    `UPDATE documents SET revision = (SELECT base_revision FROM collections WHERE name = collection)
       WHERE collection || '/' || id = ? AND collection IN (SELECT name FROM collections)`,
  )
  for (const name of older) renew.run(name)
}

/**
 * The index of their names lies on other pages than they do; it may be whole where they are not. Throws when it is not.
 */
const namesIn = (old: DatabaseSync): ReadonlySet<string> =>
  new Set(
    old
      .prepare('SELECT collection, id FROM documents INDEXED BY sqlite_autoindex_documents_1 ORDER BY collection, id')
      .all()
      .map(nameOf),
  )

/** From both ends as far as that goes, and what lies between two broken pages place by place. */
const readableRows = (old: DatabaseSync, table: string): readonly TableRow[] => {
  const up = rowsUntilBroken(old, `SELECT rowid AS place, * FROM ${table} ORDER BY rowid`)
  if (up.isWhole) return up.rows.map(({ place: _, ...row }) => row)
  const down = rowsUntilBroken(old, `SELECT rowid AS place, * FROM ${table} ORDER BY rowid DESC`)
  const [from, to] = [placeOf(up.rows.at(-1)) ?? 0n, placeOf(down.rows.at(-1)) ?? 0n]
  const between = rowsBetween(old, table, from, to)
  const places = new Map([...up.rows, ...between, ...down.rows.toReversed()].map((row) => [placeOf(row), row]))
  return [...places.values()].map(({ place: _, ...row }) => row)
}

const rowsBetween = (old: DatabaseSync, table: string, from: bigint, to: bigint): readonly TableRow[] => {
  const statement = attempt(() => old.prepare(`SELECT rowid AS place, * FROM ${table} WHERE rowid = ?`))
  if (!statement) return []
  statement.setReadBigInts(true)
  const rows: TableRow[] = []
  for (let place = from + 1n; place < to && place - from < MAX_TRIED; place += 1n) {
    const row = attempt(() => statement.get(place))
    if (row) rows.push(row)
  }
  return rows
}

const rowsUntilBroken = (
  old: DatabaseSync,
  sql: string,
): { readonly rows: readonly TableRow[]; readonly isWhole: boolean } => {
  const rows: TableRow[] = []
  try {
    const statement = old.prepare(sql)
    statement.setReadBigInts(true)
    for (const row of statement.iterate()) rows.push(row)
    return { rows, isWhole: true }
  } catch {
    return { rows, isWhole: false }
  }
}

const placeOf = (row: TableRow | undefined): bigint | undefined =>
  typeof row?.place === 'bigint' ? row.place : undefined

const nameOf = ({ collection, id }: Readonly<Record<string, SQLOutputValue>>): string => `${collection}/${id}`

const attempt = <Value>(work: () => Value): Value | undefined => {
  try {
    return work()
  } catch {
    return undefined
  }
}

const MAX_NAMED = 10

/** What became of the documents, as sentences. */
export const sentencesOf = ({ kept, older, lost }: Salvaged, file: string): string => {
  const [newest = ''] = copiesOf(file)
  const made = attempt(() => statSync(newest).mtime.toISOString().slice(0, 16))
  const sentences = [
    kept.length > 0 && `${counted(kept.length)} could be read and ${kept.length === 1 ? 'is' : 'are'} used as before`,
    older.length > 0 &&
      oneLine`
        ${listed(older)} ${older.length === 1 ? 'is' : 'are'} as the copy of ${made ?? 'an earlier day'} has
        ${older.length === 1 ? 'it' : 'them'}: look through ${older.length === 1 ? 'it' : 'them'}
      `,
    lost.length > 0 && `lost ${lost.length === 1 ? 'is' : 'are'} ${listed(lost)}`,
  ].filter((each) => each !== false)
  return sentences.length === 0 ? 'and the device starts with none' : `of them ${sentences.join('; ')}`
}

const counted = (count: number): string => (count === 1 ? 'one document' : `${count} documents`)

const listed = (names: readonly string[]): string =>
  names.slice(0, MAX_NAMED).join(', ') + (names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : '')
