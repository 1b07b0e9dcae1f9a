// The error history in the database.
import type { DatabaseSync } from 'node:sqlite'
import { type ErrorEntry, isErrorEntry, type KeptErrors, MAX_ERRORS } from '../../machines/errors/history.ts'
import { changeOne, inTransaction, NotKept } from './sqlite-transaction.ts'

/** Of its row among the collections, whose revisions stand there. */
const NAME = 'errors'

/**
 * The error history of an open database. Each of these is one transaction; they throw SQLite's errors.
 *
 * Saving writes only the entries that differ from those written last: a fault that repeats every second costs one row, not five hundred.
 */
export const errorTable = (db: DatabaseSync) => {
  const put = db.prepare(
    'REPLACE INTO errors (code, resource, detail, count, first_at_ms, last_at_ms) VALUES (:code, :resource, :detail, :count, :first_at_ms, :last_at_ms)',
  )
  const drop = db.prepare('DELETE FROM errors WHERE code = ? AND resource = ?')
  const dropRow = db.prepare('DELETE FROM errors WHERE rowid = ?')
  const dropAll = db.prepare('DELETE FROM errors')
  const left = db.prepare('SELECT code FROM errors LIMIT 1')
  const count = db.prepare('REPLACE INTO collections (name, revision, base_revision) VALUES (?, ?, 0)')
  const keyOf = ({ code, resource }: ErrorEntry) => `${code} ${resource}`
  let saved = new Map<string, ErrorEntry>()
  let unreadable: readonly bigint[] = []
  let isFirst = true
  return {
    /** A row that is no entry is left out, and removed with the next saving: a history is worth less than a start. */
    load: (): KeptErrors => {
      const rows = rowsOf(db)
      const entries = rows.map(({ entry }) => entry).filter(isErrorEntry)
      unreadable = rows.filter(({ entry }) => !isErrorEntry(entry)).map(({ row }) => row)
      saved = new Map(entries.map((entry) => [keyOf(entry), entry]))
      return { revision: revisionIn(db), entries: entries.slice(-MAX_ERRORS) }
    },
    save: ({ revision, entries }: KeptErrors): void => {
      const wanted = new Map(entries.map((entry) => [keyOf(entry), entry]))
      if (!isFirst) db.exec('PRAGMA synchronous = NORMAL') // not worth a sync; the next commit of a document syncs these too
      try {
        inTransaction(db, () => {
          if (wanted.size === 0) dropAll.run()
          if (wanted.size === 0 && left.get()) throw new NotKept('the emptied error history')
          for (const row of unreadable) dropRow.run(row)
          for (const [key, entry] of saved) if (!wanted.has(key)) drop.run(entry.code, entry.resource)
          for (const [key, entry] of wanted) if (saved.get(key) !== entry) changeOne('the error history', put, entry)
          changeOne('the error history', count, NAME, revision)
        })
      } finally {
        db.exec('PRAGMA synchronous = FULL')
      }
      unreadable = []
      saved = wanted
      isFirst = false
    },
  }
}

/** NaN when what is there is no number. */
const revisionIn = (db: DatabaseSync): number => {
  const statement = db.prepare('SELECT revision FROM collections WHERE name = ?')
  statement.setReadBigInts(true)
  const { revision = 0n } = statement.get(NAME) ?? {}
  return typeof revision === 'bigint' ? exactly(revision) : Number.NaN
}

/** All rows, the one quiet for longest first; times and counts as numbers where they are. */
const rowsOf = (db: DatabaseSync): readonly { readonly row: bigint; readonly entry: Record<string, unknown> }[] => {
  const statement = db.prepare('SELECT rowid AS row, * FROM errors ORDER BY last_at_ms, rowid')
  statement.setReadBigInts(true)
  return statement.all().map(({ row, ...columns }) => ({
    row: row as bigint,
    entry: Object.fromEntries(
      Object.entries(columns).map(([name, value]) => [name, typeof value === 'bigint' ? exactly(value) : value]),
    ),
  }))
}

/** NaN for an integer that no number is equal to: it could not be written back. */
const exactly = (value: bigint): number => (Number.isSafeInteger(Number(value)) ? Number(value) : Number.NaN)
