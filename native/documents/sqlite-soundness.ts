// Whether a database is what this program left: its pages and indexes in order, its tables those of the migrations.
import { DatabaseSync } from 'node:sqlite'
import { MIGRATIONS } from './migrations.ts'
import { Broken, isFull } from './sqlite-faults.ts'

const MOST_FINDINGS = 100
/** One value that should not be there, `NULL value in documents.id`: the reading of that row deals with it. */
const OF_ONE_VALUE = / value in \w+\.\w+$/
/** An index that differs from its table, `row 7 missing from index ...`: it can be made anew from the table, which is what counts. */
const OF_AN_INDEX = / index \w+$/

/** Makes broken indexes anew; throws Broken for anything else that keeps the database from being read whole. */
export const mendOrRefuse = (db: DatabaseSync): void => {
  const findings = findingsIn(db)
  if (findings.length === 0) return
  if (findings.every((finding) => OF_AN_INDEX.test(finding))) db.exec('REINDEX')
  const [left] = findingsIn(db)
  if (left !== undefined) throw new Broken(left)
}

const findingsIn = (db: DatabaseSync): readonly string[] => {
  db.exec('PRAGMA ignore_check_constraints = ON') // a value that is no JSON costs that document, not the file
  const rows = db.prepare(`PRAGMA integrity_check(${MOST_FINDINGS})`).all() as { integrity_check: string }[]
  db.exec('PRAGMA ignore_check_constraints = OFF')
  return rows
    .map(({ integrity_check: finding }) => finding)
    .filter((finding) => finding !== 'ok' && !OF_ONE_VALUE.test(finding))
}

/** Throws Broken when a table lacks, or is of another form than what the migrations make: what is written there would not come back as it was. */
export const refuseOtherTables = (db: DatabaseSync): void => {
  const model = new DatabaseSync(':memory:')
  for (const step of MIGRATIONS) model.exec(step)
  const expected = formOf(model)
  model.close()
  const found = formOf(db)
  for (const [table, form] of expected)
    if (found.get(table) !== form) throw new Broken(`its table ${table} is not of the form that this program makes`)
}

/**
 * Writes to each table and takes it back, which costs no wait for the disk. Throws what a write to a table or file would that looks well and is
 * not: a constraint with a flipped bit, a header that makes SQLite take the file for read-only.
 */
export const tryWriting = (db: DatabaseSync): void => {
  db.exec('BEGIN IMMEDIATE')
  try {
    db.exec(`REPLACE INTO documents (collection, id, revision, value) VALUES ('', '', 1, '{}');
      INSERT INTO set_aside (collection, id, revision, value, reason, at_ms) SELECT collection, id, revision, value, '', 1 FROM documents WHERE id = '';
      REPLACE INTO collections (name, revision, base_revision) VALUES ('', 1, 1);
      REPLACE INTO errors (code, resource, detail, count, first_at_ms, last_at_ms) VALUES ('', '', '', 1, 1, 1)`)
  } catch (error) {
    if (!isFull(error)) throw error // a store at its limit is sound
  } finally {
    if (db.isTransaction) db.exec('ROLLBACK')
  }
}

/** Each table's columns and what makes its rows unique. */
const formOf = (db: DatabaseSync): ReadonlyMap<string, string> => {
  const rows = db
    .prepare(
      `SELECT t.name AS name, t.type, t.strict, c.name AS column, c.type AS affinity, c."notnull", c.pk, c.dflt_value
       FROM pragma_table_list AS t JOIN pragma_table_xinfo(t.name) AS c
       WHERE t.schema = 'main' ORDER BY t.name, c.cid`,
    )
    .all() as { name: string }[]
  const uniques = db
    .prepare(
      `SELECT t.name AS name, i.name AS of, c.name AS column
       FROM pragma_table_list AS t JOIN pragma_index_list(t.name) AS i JOIN pragma_index_info(i.name) AS c
       WHERE t.schema = 'main' AND i."unique" ORDER BY t.name, i.name, c.seqno`,
    )
    .all() as { name: string }[]
  return new Map(
    [...Map.groupBy([...rows, ...uniques], ({ name }) => name)].map(([name, of]) => [name, JSON.stringify(of)]),
  )
}
