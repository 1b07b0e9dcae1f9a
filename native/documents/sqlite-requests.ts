// The requests that may be repeated, in the database. They are bounded in number and length, so that they never fill
// the file.

import type { DatabaseSync } from 'node:sqlite'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { KEPT_MS, KEPT_REQUESTS, MAX_ANSWER_BYTES, MAX_REQUESTS } from '../../machines/requests/bounds.ts'
import type { GivenAnswer, KeptRequest, LeftBehind, RequestMark } from '../../machines/requests/request.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { nowMs } from '../clock/system.ts'
import { changeOne, inTransaction } from './sqlite-transaction.ts'

/** Keeps the mark of a request with what that left, within the transaction that writes it. */
export type BeginRequest = (mark: RequestMark, left: LeftBehind) => void

/** Who has sent a request, in the words of the index that finds it. */
const SENDER = `substr(key, 1, instr(key, ' '))`

/**
 * To count whose there are, and to remove so many, takes some 4 ms on a full table: that is not done for each of them.
 */
const DROPPED_AT_ONCE = 128

/** The requests of an open database. clock: Unix time, ms. They throw SQLite's errors. See the port. */
export const requestTable = (db: DatabaseSync, clock: () => number = nowMs) => {
  const find = db.prepare('SELECT * FROM requests WHERE key = ?')
  const begin = db.prepare(
    `INSERT INTO requests (key, fingerprint, at_ms, id, revision) VALUES (:key, :fingerprint, :at_ms, :id, :revision)
       ON CONFLICT (key) DO UPDATE SET id = excluded.id, revision = excluded.revision`,
  )
  const finish = db.prepare(
    `INSERT INTO requests (key, fingerprint, at_ms, status, media_type, etag, body)
       VALUES (:key, :fingerprint, :at_ms, :status, :media_type, :etag, :body)
       ON CONFLICT (key) DO UPDATE SET status = excluded.status, media_type = excluded.media_type,
         etag = excluded.etag, body = excluded.body`,
  )
  const last = db.prepare('SELECT max(position) AS position FROM requests')
  const shorten = db.prepare('UPDATE requests SET status = NULL, body = NULL WHERE position = ?')
  // Two at a time, so that there are fewer after each: they come in order of age.
  const dropOld = db.prepare(
    oneLine`
      DELETE FROM requests WHERE at_ms < ? AND position IN (SELECT position FROM requests WHERE position <= ? ORDER BY
      position LIMIT 2)
    `,
  )
  const kept = db.prepare('SELECT count(*) AS rows FROM requests')
  const largest = db.prepare(
    `SELECT ${SENDER} AS sender FROM requests GROUP BY ${SENDER} ORDER BY count(*) DESC LIMIT 1`,
  )
  const dropOldestOf = db.prepare(
    oneLine`
      DELETE FROM requests WHERE position IN (SELECT position FROM requests WHERE ${SENDER} = ? ORDER BY position LIMIT
      ?)
    `,
  )

  const makeRoom = (): void => {
    const newest = Number((last.get() as { position: number }).position)
    shorten.run(newest - KEPT_REQUESTS)
    dropOld.run(clock() - KEPT_MS, newest - KEPT_REQUESTS)
    if (newest % DROPPED_AT_ONCE === 0) makeRoomForMany()
  }

  /** Of the client that has most, so that none bears the cost of another's requests. */
  const makeRoomForMany = (): void => {
    const tooMany = Number((kept.get() as { rows: number }).rows) - (MAX_REQUESTS - DROPPED_AT_ONCE)
    if (tooMany > 0) dropOldestOf.run((largest.get() as { sender: string }).sender, tooMany)
  }

  return {
    find: (key: string): KeptRequest | undefined => read(find.get(key) as Row | undefined),

    begin: ((mark, { id, revision }) => {
      changeOne('the request', begin, { ...mark, at_ms: clock(), id, revision })
      makeRoom()
    }) satisfies BeginRequest,

    finish: ({ key, fingerprint }: RequestMark, { status, mediaType, etag, body }: GivenAnswer): void => {
      const bytes = deflateRawSync(body)
      if (bytes.length > MAX_ANSWER_BYTES) return
      // survives the process; a power cut leaves the write, from which the answer is made again
      db.exec('PRAGMA synchronous = NORMAL')
      try {
        inTransaction(db, () => {
          const answer = { key, fingerprint, at_ms: clock(), status, media_type: mediaType, etag, body: bytes }
          changeOne('an answer', finish, answer)
          makeRoom()
        })
      } finally {
        db.exec('PRAGMA synchronous = FULL')
      }
    },
  }
}

type Row = Readonly<Record<string, string | number | bigint | Uint8Array | null>>

/** A row that makes no sense is none: a request is worth less than a start. */
const read = (row: Row | undefined): KeptRequest | undefined => {
  if (!row || typeof row.key !== 'string' || typeof row.fingerprint !== 'string') return undefined
  const { key, fingerprint, id, revision, at_ms } = row
  return {
    key,
    fingerprint,
    answer: answerIn(row),
    written:
      typeof id === 'string' && typeof revision === 'number' && typeof at_ms === 'number'
        ? { id, revision, at_ms }
        : null,
  }
}

const answerIn = ({ status, media_type, etag, body }: Row): GivenAnswer | null => {
  if (typeof status !== 'number' || !(body instanceof Uint8Array)) return null
  try {
    const text = inflateRawSync(body).toString()
    return { status, mediaType: textOrNull(media_type), etag: textOrNull(etag), body: text }
  } catch {
    return null
  }
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)
