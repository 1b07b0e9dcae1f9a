// Copies of the settings beside them, for the day on which a page of the file is broken: the newest two, each checked
// after it was written. They hold the documents and what belongs to them; what is known of media, requests and errors
// is worth less, and may be large.
import { existsSync, renameSync, rmSync } from 'node:fs'
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite'
import { syncFile, syncFolderOf } from '../files/atomic.ts'
import { MIGRATIONS } from './migrations.ts'
import { Broken } from './sqlite-faults.ts'
import { findingsIn } from './sqlite-soundness.ts'
import { inTransaction } from './sqlite-transaction.ts'

const COPIED = ['documents', 'set_aside', 'collections']

/** A row of a table, by its columns. */
export type TableRow = Readonly<Record<string, SQLOutputValue>>

/** Where the copies of a store are, the newest first. */
export const copiesOf = (file: string): readonly string[] => [`${file}.copy-1`, `${file}.copy-2`]

/**
 * Makes a copy, unless the newest is one already, or there is nothing to be copied. Throws SQLite's and the file
 * system's errors.
 */
export const keepCopy = (db: DatabaseSync, file: string): void => {
  const [newest = '', older = ''] = copiesOf(file)
  const rows = COPIED.map((table) => allRows(db, table))
  if (rows.every(({ length }) => length === 0) || isCopy(newest, rows)) return
  const next = `${file}.copy.next`
  rmSync(next, { force: true })
  const copy = new DatabaseSync(next)
  try {
    // Synced once, when it is whole: a sync for each table would keep the start waiting for a minute on a slow disk.
    copy.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF')
    inTransaction(copy, () => {
      copy.exec(`${MIGRATIONS.join(';')}; PRAGMA user_version = ${MIGRATIONS.length}`)
      for (const [n, table] of COPIED.entries()) for (const row of rows[n] ?? []) insert(copy, table, row)
    })
    const [finding] = findingsIn(copy)
    if (finding !== undefined) throw new Broken(`the copy ${next} cannot be read back: ${finding}`)
  } finally {
    copy.close()
  }
  syncFile(next)
  if (existsSync(newest)) renameSync(newest, older)
  renameSync(next, newest)
  syncFolderOf(newest)
}

/** All rows of a table of a copy; none when there is no copy, or it is broken as well. */
export const rowsOfCopy = (file: string, table: string): readonly TableRow[] => {
  if (!existsSync(file)) return []
  try {
    using copy = new DatabaseSync(file, { readOnly: true })
    return allRows(copy, table)
  } catch {
    return []
  }
}

/** Puts a row in as it is. */
export const insert = (db: DatabaseSync, table: string, row: TableRow): void => {
  const names = Object.keys(row)
  const places = names.map(() => '?').join(', ')
  db.prepare(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${places})`).run(...Object.values(row))
}

const allRows = (db: DatabaseSync, table: string): readonly TableRow[] => {
  const statement = db.prepare(`SELECT * FROM ${table} ORDER BY rowid`)
  statement.setReadBigInts(true)
  return statement.all()
}

const isCopy = (file: string, rows: readonly (readonly TableRow[])[]): boolean =>
  existsSync(file) && COPIED.every((table, n) => textOf(rowsOfCopy(file, table)) === textOf(rows[n] ?? []))

const textOf = (rows: readonly TableRow[]): string =>
  JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? `${value}n` : value))
