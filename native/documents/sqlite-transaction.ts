// Several statements as one, and statements of which it counts whether they did anything.
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'

/** Runs `work` so that either all of it is stored or, when it throws, nothing. */
export const inTransaction = (db: DatabaseSync, work: () => void): void => {
  db.exec('BEGIN IMMEDIATE')
  try {
    work()
    db.exec('COMMIT')
  } finally {
    // SQLite has rolled back by itself after some errors, a full disk among them
    if (db.isTransaction) db.exec('ROLLBACK')
  }
}

/**
 * What was written is not what is there: a foreign trigger in the file swallows or changes it, which SQLite calls a
 * success.
 */
export class NotKept extends Error {
  /** what: the thing, as `streams/front`. */
  constructor(what: string) {
    super(`it did not keep ${what} as it was written; if somebody put a trigger into it, drop that`)
  }
}

/** Runs a statement that must change one row; throws NotKept when it does not. what: is written by it, for people. */
export const changeOne = (
  what: string,
  statement: StatementSync,
  ...values: [Record<string, SQLInputValue>] | SQLInputValue[]
): void => {
  if (statement.run(...(values as SQLInputValue[])).changes !== 1) throw new NotKept(what)
}
