// Whether a database is what this program left: its pages and indexes in order, its tables as the migrations make them.
import { DatabaseSync } from 'node:sqlite'
import { MIGRATIONS } from './migrations.ts'
import { Broken, isFull, isOfTrigger } from './sqlite-faults.ts'

const MAX_FINDINGS = 100
/** One value that should not be there, `NULL value in documents.id`: the reading of that row deals with it. */
const OF_ONE_VALUE = / value in \w+\.\w+$/
/**
 * An index that differs from its table, `row 7 missing from index ...`: it can be made again from the table, which is
 * what counts.
 */
const OF_AN_INDEX = / index \w+$/

/** Makes broken indexes again; throws Broken for anything else that keeps the database from being read whole. */
export const mendOrRefuse = (db: DatabaseSync): void => {
  const findings = findingsIn(db)
  if (findings.length === 0) return
  if (findings.every((finding) => OF_AN_INDEX.test(finding))) db.exec('REINDEX')
  const [left] = findingsIn(db)
  if (left !== undefined) throw new Broken(left)
}

/**
 * Their indexes are not compared with them, which takes 50 ms for ten thousand rows: a list in a wrong order is not
 * worth that at each start.
 */
const LARGE = ['media']

/** What is wrong with a database, as SQLite has it. */
export const findingsIn = (db: DatabaseSync): readonly string[] => {
  db.exec('PRAGMA ignore_check_constraints = ON') // a value that is no JSON costs that document, not the file
  const checked = tablesIn(db).filter((table) => !LARGE.includes(table))
  const checks = [
    `quick_check(${MAX_FINDINGS})`,
    ...checked.map((table) => `integrity_check("${table.replaceAll('"', '""')}")`),
  ]
  const rows = checks.flatMap((check) => db.prepare(`PRAGMA ${check}`).all())
  db.exec('PRAGMA ignore_check_constraints = OFF')
  return rows
    .map((row) => String(Object.values(row)[0]))
    .filter((finding) => finding !== 'ok' && !OF_ONE_VALUE.test(finding))
}

/**
 * Throws Broken when a table lacks, or is of another form than what the migrations make: what is written there would
 * not come back as it was.
 */
export const refuseOtherTables = (db: DatabaseSync): void => {
  using model = new DatabaseSync(':memory:')
  model.exec(MIGRATIONS.join(';'))
  for (const table of tablesIn(model))
    if (formOf(db, table) !== formOf(model, table))
      throw new Broken(`its table ${table} is not of the form that this program makes`)
}

const tablesIn = (db: DatabaseSync): readonly string[] =>
  (db.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).all() as { name: string }[]).map(
    ({ name }) => name,
  )

/**
 * A table's kind, its columns, and what makes its rows unique. One pragma at a time: joined in one query they take 3
 * ms.
 */
const formOf = (db: DatabaseSync, table: string): string => {
  const kind = db.prepare(`SELECT type, strict FROM pragma_table_list WHERE schema = 'main' AND name = ?`).all(table)
  const columns = db.prepare('SELECT name, type, "notnull", pk, dflt_value FROM pragma_table_xinfo(?)').all(table)
  const unique = db.prepare('SELECT name FROM pragma_index_list(?) WHERE "unique" ORDER BY name').all(table)
  const keys = unique.map(({ name }) => db.prepare('SELECT name FROM pragma_index_info(?)').all(name as string))
  return JSON.stringify([kind, columns, keys])
}

/** One write to each table. */
const TRIALS = [
  `REPLACE INTO documents (collection, id, revision, value) VALUES ('', '', 1, '{}')`,
  `INSERT INTO set_aside (collection, id, revision, value, reason, at_ms) VALUES ('', '', 1, '{}', '', 1)`,
  `REPLACE INTO collections (name, revision, base_revision) VALUES ('', 1, 1)`,
  `REPLACE INTO errors (code, resource, detail, count, first_at_ms, last_at_ms) VALUES ('', '', '', 1, 1, 1)`,
  `REPLACE INTO requests (key, fingerprint, at_ms, body) VALUES ('', '', 1, x'00')`,
  `REPLACE INTO jobs (id, job) VALUES ('', '')`,
  `REPLACE INTO media (name, is_ready, beside, kind, size_bytes, is_automatic, item) VALUES ('', 1, '', '', 1, 1, '')`,
]

/**
 * Writes to each table and takes it back, which costs no wait for the disk. Throws what a write to a table or file
 * would that looks well and is not: a constraint with a flipped bit, a header that makes SQLite take the file for
 * read-only. A store at its limit is sound, and so is one that somebody put a trigger into: what is in it can be read,
 * and each write says for itself that it is refused.
 */
export const tryWriting = (db: DatabaseSync): void => {
  for (const trial of TRIALS) {
    db.exec('BEGIN IMMEDIATE')
    try {
      db.exec(trial)
    } catch (error) {
      if (!isFull(error) && !isOfTrigger(error)) throw error
    } finally {
      if (db.isTransaction) db.exec('ROLLBACK')
    }
  }
}
