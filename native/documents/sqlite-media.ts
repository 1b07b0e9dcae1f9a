// What is known of the media items, in the database. The whole item stands in one column, as text; beside it what it is
// found and put in order by. From items to rows and back: media-rows.ts.

import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { Stock } from '../../machines/media/disk-space.ts'
import type { MediaKind } from '../../machines/media/media-type.ts'
import type { MediaOrder, MediaPage, MediaQuery } from '../../machines/media/query.ts'
import type { RequestMark } from '../../machines/requests/request.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import type { OrderedRemoval } from './port.ts'
import type { BeginRequest } from './sqlite-requests.ts'
import { changeOne, inTransaction } from './sqlite-transaction.ts'

/** By what the rows stand in an order. */
const COLUMN = { created: 'position', name: 'name', size: 'size_bytes' } as const

/** A row to be written: the columns of the table but its order. */
export interface MediaRow {
  readonly name: string
  readonly is_ready: 0 | 1
  readonly beside: string
  readonly kind: MediaKind
  readonly stream_id: string | null
  readonly size_bytes: number
  readonly is_automatic: 0 | 1
  readonly item: string
}

/** What was found of a row; people may have put anything there. */
export interface FoundRow {
  readonly name?: unknown
  readonly item?: unknown
}

/** A row as a start needs it. */
export interface StartRow extends FoundRow {
  readonly is_leaving: unknown
  readonly is_ready: unknown
  readonly is_json: unknown
  readonly beside: unknown
}

/** A page of rows, and where the next one begins. */
export interface RowPage {
  readonly rows: readonly FoundRow[]
  readonly next: MediaPage['next']
}

/**
 * The media items of an open database. beginRequest: for that which ordered a change. Each of these is one transaction;
 * they throw SQLite's errors. See the port.
 */
export const mediaTable = (db: DatabaseSync, beginRequest: BeginRequest) => {
  const put = db.prepare(
    `INSERT INTO media (name, is_ready, beside, kind, stream_id, size_bytes, is_automatic, item)
     VALUES (:name, :is_ready, :beside, :kind, :stream_id, :size_bytes, :is_automatic, :item)
     ON CONFLICT (name) DO UPDATE SET is_ready = excluded.is_ready, beside = excluded.beside, kind = excluded.kind,
       stream_id = excluded.stream_id, size_bytes = excluded.size_bytes, is_automatic = excluded.is_automatic,
       item = excluded.item`,
  )
  const change = db.prepare(
    `UPDATE media SET is_ready = :is_ready, beside = :beside, kind = :kind, stream_id = :stream_id,
       size_bytes = :size_bytes, is_automatic = :is_automatic, item = :item
     WHERE name = :name AND is_leaving = 0`,
  )
  const find = db.prepare('SELECT item FROM media WHERE name = ? AND is_leaving = 0')
  const knows = db.prepare('SELECT 1 FROM media WHERE name = ?')
  const leave = db.prepare('UPDATE media SET is_leaving = 1 WHERE name = ?')
  const drop = db.prepare('DELETE FROM media WHERE name = ?')
  // Only what is being written is read as a whole.
  const every = db.prepare(
    `SELECT name, is_leaving, is_ready, beside, json_valid(item) AS is_json, iif(is_ready, NULL, item) AS item
     FROM media ORDER BY position`,
  )
  const sums = db.prepare('SELECT kind, count(*) AS items, sum(size_bytes) AS bytes FROM media GROUP BY kind')
  const automatic = db.prepare(
    oneLine`
      SELECT name, kind, size_bytes FROM media WHERE is_automatic = 1 AND is_ready = 1 AND is_leaving = 0 ORDER BY
      position
    `,
  )
  const pages = new Map<string, ReturnType<DatabaseSync['prepare']>>()

  const pageOf = (sql: string) => {
    const known = pages.get(sql) ?? db.prepare(sql)
    pages.set(sql, known)
    return known
  }

  const removing = (statement: StatementSync, name: string, ordered: OrderedRemoval | undefined) =>
    inTransaction(db, () => {
      statement.run(name)
      if (ordered?.mark) beginRequest(ordered.mark, { id: name, revision: ordered.revision })
    })

  return {
    find: (name: string): FoundRow | undefined => find.get(name),
    knows: (name: string): boolean => knows.get(name) !== undefined,
    page: (query: MediaQuery): RowPage => {
      const { sql, values } = statementFor(query)
      const rows = pageOf(sql).all(values)
      const shown = rows.slice(0, query.limit)
      const last = shown.at(-1)
      return {
        rows: shown.map(({ name, item }) => ({ name, item })),
        next:
          last && rows.length > query.limit
            ? { value: last.value as string | number, position: last.position as number }
            : null,
      }
    },
    put: (row: MediaRow): void => changeOne(`media/${row.name}`, put, { ...row }),
    change: (row: MediaRow, ordered?: { readonly mark: RequestMark; readonly revision: number }): boolean => {
      const { name } = row
      if (find.get(name) === undefined) return false
      inTransaction(db, () => {
        changeOne(`media/${name}`, change, { ...row })
        if (ordered) beginRequest(ordered.mark, { id: name, revision: ordered.revision })
      })
      return true
    },
    leave: (name: string, ordered?: OrderedRemoval): void => removing(leave, name, ordered),
    drop: (name: string, ordered?: OrderedRemoval): void => removing(drop, name, ordered),
    load: (): readonly StartRow[] => every.all() as unknown as readonly StartRow[],
    sums: () => {
      const rows = sums.all() as { kind: MediaKind; items: number; bytes: number }[]
      const of = (kind: MediaKind) => rows.find((row) => row.kind === kind)?.bytes ?? 0
      return {
        items: rows.reduce((total, { items }) => total + items, 0),
        bytes: { picture: of('picture'), recording: of('recording'), model: of('model') },
      }
    },
    automatic: (): Stock['automatic'] =>
      automatic.all().map(({ name, kind, size_bytes }) => ({
        name: String(name),
        kind: kind as MediaKind,
        size_bytes: Number(size_bytes),
      })),
  }
}

// Broken rows are listed by name for those who mend them: they have no time.
const CREATED = "CASE WHEN json_valid(item) THEN json_extract(item, '$.created_at_ms') END"

/** One row more than wanted tells whether there is another page. */
const statementFor = (query: MediaQuery) => {
  const { order, limit, kind, stream_id, created_from_ms, created_before_ms, after } = query
  const isDown = order.startsWith('-')
  const column = COLUMN[order.replace('-', '') as Exclude<MediaOrder, `-${string}`>]
  const where = [
    'is_leaving = 0',
    ...(kind === undefined ? [] : ['kind = :kind']),
    ...(stream_id === undefined ? [] : ['stream_id = :stream_id']),
    ...(created_from_ms === undefined ? [] : [`${CREATED} >= :created_from_ms`]),
    ...(created_before_ms === undefined ? [] : [`${CREATED} < :created_before_ms`]),
    ...(after === undefined ? [] : [`(${column}, position) ${isDown ? '<' : '>'} (:value, :position)`]),
  ]
  const direction = isDown ? 'DESC' : 'ASC'
  const values: Record<string, SQLInputValue> = {
    limit: limit + 1,
    ...(kind !== undefined && { kind }),
    ...(stream_id !== undefined && { stream_id }),
    ...(created_from_ms !== undefined && { created_from_ms }),
    ...(created_before_ms !== undefined && { created_before_ms }),
    ...after,
  }
  return {
    values,
    sql: `SELECT item, name, position, ${column} AS value FROM media WHERE ${where.join(' AND ')}
      ORDER BY ${column} ${direction}${column === 'position' ? '' : `, position ${direction}`} LIMIT :limit`,
  }
}
