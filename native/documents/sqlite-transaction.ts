// Several statements as one.
import type { DatabaseSync } from 'node:sqlite'

/** Runs `work` so that either all of it is stored or, when it throws, nothing. */
export const inTransaction = (db: DatabaseSync, work: () => void): void => {
  db.exec('BEGIN IMMEDIATE')
  try {
    work()
    db.exec('COMMIT')
  } finally {
    if (db.isTransaction) db.exec('ROLLBACK') // SQLite has rolled back by itself after some errors, a full disk among them
  }
}
