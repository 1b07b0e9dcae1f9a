// Documents in one SQLite file. A commit is one transaction, on the disk when it returns; it is synchronous on purpose (0.15 ms as a rule, 5 ms at worst).
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import * as Effect from 'effect/Effect'
import type { ErrorEntry } from '../../machines/error-history.ts'
import type { Fault } from '../../machines/fault.ts'
import type { Commit } from '../../machines/settings.ts'
import type { Documents, DocumentsPort, StoredDocuments } from './port.ts'
import { storageFault } from './sqlite-faults.ts'
import { NewerSchema, openFile } from './sqlite-file.ts'

/** Where the store is. maxBytes: the file grows no larger, so that a runaway client cannot fill the disk. */
export interface SqliteOptions {
  readonly dataDir: string
  readonly maxBytes?: number
}

const USUAL_MAX_BYTES = 64 * 1024 * 1024

/** The store in `vedette.db` of the data directory. */
export const sqliteDocuments = ({ dataDir, maxBytes = USUAL_MAX_BYTES }: SqliteOptions): DocumentsPort => {
  const file = join(dataDir, 'vedette.db')
  return {
    open: Effect.map(
      Effect.acquireRelease(
        attempt(file, () => openFile(file, maxBytes)),
        ({ db }) => Effect.sync(() => db.close()),
      ),
      ({ db, faults }) => documentsIn(db, file, faults),
    ),
  }
}

const attempt = <Value>(file: string, work: () => Value): Effect.Effect<Value, Fault> =>
  Effect.try({
    try: work,
    catch: (error): Fault =>
      error instanceof NewerSchema
        ? { code: 'storage.newer_schema', detail: error.message }
        : storageFault(file, error),
  })

const documentsIn = (db: DatabaseSync, file: string, openingFaults: readonly Fault[]): Documents => {
  const change = db.prepare(
    'UPDATE documents SET revision = :revision, value = :value WHERE collection = :collection AND id = :id AND (value IS NOT NULL OR :value IS NULL)',
  )
  const create = db.prepare(
    'REPLACE INTO documents (collection, id, revision, value) VALUES (:collection, :id, :revision, :value)',
  )
  const count = db.prepare('REPLACE INTO collections (name, revision) VALUES (?, ?)')
  const saver = errorSaver(db)

  const load = (): StoredDocuments => {
    const rows = db
      .prepare('SELECT collection, id, revision, value FROM documents ORDER BY position')
      .all() as unknown as Row[]
    const collections = db.prepare('SELECT name, revision FROM collections').all() as {
      name: string
      revision: number
    }[]
    return {
      documents: rows.map(({ value, ...row }) => ({ ...row, value: value === null ? undefined : JSON.parse(value) })),
      collections: Object.fromEntries(collections.map(({ name, revision }) => [name, revision])),
    }
  }

  const commit = ({ collection, collectionRevision, id, revision, value }: Commit): void =>
    inTransaction(db, () => {
      const row = { collection, id, revision, value: value === undefined ? null : JSON.stringify(value) }
      if (change.run(row).changes === 0) create.run(row) // a document that is created again comes last
      count.run(collection, collectionRevision)
    })

  return {
    openingFaults,
    load: attempt(file, load),
    commit: (each) => attempt(file, () => commit(each)),
    loadErrors: attempt(file, () => saver.load()),
    saveErrors: (entries) => attempt(file, () => saver.save(entries)),
  }
}

interface Row {
  readonly collection: string
  readonly id: string
  readonly revision: number
  readonly value: string | null
}

/** Writes only the entries that differ from those written last: a fault that repeats every second costs one row, not five hundred. */
const errorSaver = (db: DatabaseSync) => {
  const put = db.prepare(
    'REPLACE INTO errors (code, resource, detail, count, first_at_ms, last_at_ms) VALUES (:code, :resource, :detail, :count, :first_at_ms, :last_at_ms)',
  )
  const drop = db.prepare('DELETE FROM errors WHERE code = ? AND resource = ?')
  const dropAll = db.prepare('DELETE FROM errors')
  const keyOf = ({ code, resource }: ErrorEntry) => `${code} ${resource}`
  let saved = new Map<string, ErrorEntry>()
  return {
    load: (): readonly ErrorEntry[] => {
      const entries = db
        .prepare('SELECT * FROM errors ORDER BY last_at_ms, rowid')
        .all()
        .map((row) => ({ ...row })) as unknown as ErrorEntry[]
      saved = new Map(entries.map((entry) => [keyOf(entry), entry]))
      return entries
    },
    save: (entries: readonly ErrorEntry[]): void => {
      const wanted = new Map(entries.map((entry) => [keyOf(entry), entry]))
      db.exec('PRAGMA synchronous = NORMAL') // not worth a sync; the next commit of a document syncs these too
      try {
        inTransaction(db, () => {
          if (wanted.size === 0) dropAll.run()
          for (const [key, entry] of saved) if (!wanted.has(key)) drop.run(entry.code, entry.resource)
          for (const [key, entry] of wanted) if (saved.get(key) !== entry) put.run(entry)
        })
      } finally {
        db.exec('PRAGMA synchronous = FULL')
      }
      saved = wanted
    },
  }
}

const inTransaction = (db: DatabaseSync, work: () => void): void => {
  db.exec('BEGIN IMMEDIATE')
  try {
    work()
    db.exec('COMMIT')
  } finally {
    if (db.isTransaction) db.exec('ROLLBACK') // SQLite has rolled back by itself after some errors, a full disk among them
  }
}
