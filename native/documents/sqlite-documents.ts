// The documents in the database, and those that are set aside.

import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import { oneLine } from '../../machines/schema/one-line.ts'
import type {
  CollectionNumbers,
  SettingAside,
  Stored,
  StoredDocument,
  UnreadableDocument,
} from '../../machines/settings/load.ts'
import { nowMs } from '../clock/system.ts'
import { MAX_WRITTEN_BYTES } from './sqlite-file.ts'
import type { BeginRequest } from './sqlite-requests.ts'
import { changeOne, inTransaction, NotKept } from './sqlite-transaction.ts'
import type { TextChange, TextCommit } from './text-commit.ts'

// The oldest goes when there are more. A load sets aside what was once stored, so only a file that is damaged again and
// again gets there.
const MAX_SET_ASIDE = 1_000

/**
 * The documents of an open database. beginRequest: for that which ordered a commit. Each of these is one transaction;
 * they throw SQLite's errors. See the port.
 */
export const documentTable = (db: DatabaseSync, beginRequest: BeginRequest) => {
  const change = db.prepare(
    'UPDATE documents SET revision = :revision, value = :value WHERE collection = :collection AND id = :id',
  )
  const create = db.prepare(
    'INSERT INTO documents (collection, id, revision, value) VALUES (:collection, :id, :revision, :value)',
  )
  const remove = db.prepare('DELETE FROM documents WHERE collection = ? AND id = ?')
  const count = db.prepare('REPLACE INTO collections (name, revision, base_revision) VALUES (?, ?, ?)')
  const look = db.prepare('SELECT revision, value FROM documents WHERE collection = ? AND id = ?')
  const putAside = db.prepare(
    oneLine`
      INSERT INTO set_aside (collection, id, revision, value, reason, at_ms) SELECT collection, id, revision, value, ?,
      ? FROM documents WHERE position = ?
    `,
  )
  const takeOut = db.prepare('DELETE FROM documents WHERE position = ?')
  const putBack = db.prepare(
    oneLine`
      INSERT INTO documents (collection, id, revision, value) SELECT collection, id, ?, value FROM set_aside WHERE
      position = ?
    `,
  )
  const takeBack = db.prepare('DELETE FROM set_aside WHERE position = ?')
  const supersede = db.prepare('UPDATE set_aside SET is_superseded = 1 WHERE collection = ? AND id = ?')
  const dropOldest = db.prepare('DELETE FROM set_aside WHERE position <= (SELECT max(position) FROM set_aside) - ?')
  let waiting: SettingAside['rows'] = []

  const move = (rows: SettingAside['rows']): void => {
    for (const { place, reason, id } of rows) {
      changeOne(`${id} among what is set aside`, putAside, reason, nowMs(), place)
      changeOne(`${id} among what is set aside`, takeOut, place)
    }
    dropOldest.run(MAX_SET_ASIDE)
  }

  const write = ({ collection, collectionRevision, collectionBase, id, revision, text }: TextChange): void => {
    const row = { collection, id, revision, value: text ?? null }
    const isChanged = row.value !== null && change.run(row).changes > 0
    if (row.value === null) remove.run(collection, id)
    else if (!isChanged) create.run(row)
    if (!isChanged) supersede.run(collection, id)
    const kept = look.get(collection, id)
    if (kept?.value !== (row.value ?? undefined) || (kept && kept.revision !== revision))
      throw new NotKept(`${collection}/${id}`)
    changeOne(collection, count, collection, collectionRevision, collectionBase)
  }

  return {
    load: (): Stored => {
      const rows = all(db, `SELECT ${COLUMNS} FROM documents ORDER BY position`).map(read)
      return {
        documents: rows.filter(isDocument),
        unreadable: rows.filter((row): row is UnreadableDocument => !isDocument(row)),
        aside: all(db, TO_BE_TRIED).map(read).filter(isDocument),
        collections: collectionsIn(db),
      }
    },

    setAside: ({ rows, back, collections }: SettingAside): void => {
      waiting = rows
      inTransaction(db, () => {
        move(rows)
        for (const { place, collection, id, revision } of back) {
          changeOne(`${collection}/${id}`, putBack, revision, place)
          changeOne(`${collection}/${id}`, takeBack, place)
          supersede.run(collection, id)
        }
        for (const [name, { revision, base }] of Object.entries(collections))
          changeOne(name, count, name, revision, base)
      })
      waiting = []
    },

    commit: ({ changes, request }: TextCommit): void => {
      const inTheWay = waiting.filter((row) =>
        changes.some(({ collection, id }) => row.collection === collection && row.id === id),
      )
      inTransaction(db, () => {
        if (inTheWay.length > 0) move(inTheWay)
        for (const change of changes) write(change)
        const [first] = changes
        if (request && first) beginRequest(request, { id: first.id, revision: first.revision })
      })
      waiting = waiting.filter((row) => !inTheWay.includes(row))
    },
  }
}

const COLUMNS = 'position, collection, id, revision, value'

/** What is larger than all that is written here cannot fit, and takes a while to read. */
const TO_BE_TRIED = `SELECT ${COLUMNS} FROM set_aside
  WHERE is_superseded = 0 AND octet_length(value) <= ${MAX_WRITTEN_BYTES} ORDER BY position`

const isDocument = (row: StoredDocument | UnreadableDocument): row is StoredDocument => !('reason' in row)

/** Integers come as bigints: one that is no number in JavaScript must not keep the other rows from being read. */
const all = (db: DatabaseSync, sql: string): readonly Record<string, SQLOutputValue>[] => {
  const statement = db.prepare(sql)
  statement.setReadBigInts(true)
  return statement.all()
}

const collectionsIn = (db: DatabaseSync): Readonly<Record<string, CollectionNumbers>> =>
  Object.fromEntries(
    all(db, 'SELECT name, revision, base_revision FROM collections')
      .filter(({ name }) => typeof name === 'string')
      .map(({ name, revision, base_revision }) => [
        name,
        { revision: numberOf(revision), base: numberOf(base_revision) },
      ]),
  )

/** A row as a document, or as what cannot be read and why. */
const read = (row: Record<string, SQLOutputValue>): StoredDocument | UnreadableDocument => {
  const { collection, id, value } = row
  const where = {
    place: row.position as bigint,
    collection: textOf(collection),
    id: textOf(id),
    revision: numberOf(row.revision),
  }
  if (typeof collection !== 'string' || typeof id !== 'string') return { ...where, reason: 'has no name' }
  if (typeof value !== 'string') return { ...where, reason: 'has no text' }
  try {
    return { ...where, value: JSON.parse(value) }
  } catch {
    return { ...where, reason: 'is not well-formed JSON' }
  }
}

const textOf = (value: SQLOutputValue | undefined): string => (typeof value === 'string' ? value : '')

const numberOf = (value: SQLOutputValue | undefined): number => (typeof value === 'bigint' ? Number(value) : Number.NaN)
