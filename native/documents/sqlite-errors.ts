// The error history in the database. What of it changes is found out by who has it in memory (error-changes.ts).

import type { DatabaseSync } from 'node:sqlite'
import type { ErrorEntry } from '../../machines/errors/history.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { changeOne, inTransaction, NotKept } from './sqlite-transaction.ts'

/** Of its row among the collections, whose revisions stand there. */
const NAME = 'errors'

/** A row as it was found, which may be no entry. place: its name there. */
export interface ErrorRow {
  readonly place: bigint
  readonly entry: Readonly<Record<string, unknown>>
}

/** All rows, the one quiet for longest first. revision: NaN when what is there is no number. */
export interface ErrorRows {
  readonly revision: number
  readonly rows: readonly ErrorRow[]
}

/**
 * How what is kept comes to be what it should: rows to be removed, entries to be removed, and entries to be written.
 */
export interface ErrorChange {
  readonly revision: number
  readonly isEmpty: boolean
  readonly places: readonly bigint[]
  readonly gone: readonly Pick<ErrorEntry, 'code' | 'resource'>[]
  readonly put: readonly ErrorEntry[]
}

/** The error history of an open database. Each of these is one transaction; they throw SQLite's errors. */
export const errorTable = (db: DatabaseSync) => {
  const put = db.prepare(
    oneLine`
      REPLACE INTO errors (code, resource, detail, count, first_at_ms, last_at_ms) VALUES (:code, :resource, :detail,
      :count, :first_at_ms, :last_at_ms)
    `,
  )
  const drop = db.prepare('DELETE FROM errors WHERE code = ? AND resource = ?')
  const dropRow = db.prepare('DELETE FROM errors WHERE rowid = ?')
  const dropAll = db.prepare('DELETE FROM errors')
  const left = db.prepare('SELECT code FROM errors LIMIT 1')
  const count = db.prepare('REPLACE INTO collections (name, revision, base_revision) VALUES (?, ?, 0)')
  let isFirst = true
  return {
    load: (): ErrorRows => ({ revision: revisionIn(db), rows: rowsOf(db) }),
    save: (change: ErrorChange): void => {
      // not worth a sync; the next commit of a document syncs these too
      if (!isFirst) db.exec('PRAGMA synchronous = NORMAL')
      try {
        inTransaction(db, () => {
          if (change.isEmpty) dropAll.run()
          if (change.isEmpty && left.get()) throw new NotKept('the emptied error history')
          for (const place of change.places) dropRow.run(place)
          for (const { code, resource } of change.gone) drop.run(code, resource)
          for (const entry of change.put) changeOne('the error history', put, { ...entry })
          changeOne('the error history', count, NAME, change.revision)
        })
      } finally {
        db.exec('PRAGMA synchronous = FULL')
      }
      isFirst = false
    },
  }
}

const revisionIn = (db: DatabaseSync): number => {
  const statement = db.prepare('SELECT revision FROM collections WHERE name = ?')
  statement.setReadBigInts(true)
  const { revision = 0n } = statement.get(NAME) ?? {}
  return typeof revision === 'bigint' ? exactly(revision) : Number.NaN
}

/** Times and counts are numbers where they can be. */
const rowsOf = (db: DatabaseSync): readonly ErrorRow[] => {
  const statement = db.prepare('SELECT rowid AS place, * FROM errors ORDER BY last_at_ms, rowid')
  statement.setReadBigInts(true)
  return statement.all().map(({ place, ...columns }) => ({
    place: place as bigint,
    entry: Object.fromEntries(
      Object.entries(columns).map(([name, value]) => [name, typeof value === 'bigint' ? exactly(value) : value]),
    ),
  }))
}

/** NaN for an integer that no number is equal to: it could not be written back. */
const exactly = (value: bigint): number => (Number.isSafeInteger(Number(value)) ? Number(value) : Number.NaN)
