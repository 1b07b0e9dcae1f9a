// The jobs in the database. What of them changes is found out by who has them in memory (job-changes.ts).
import type { DatabaseSync } from 'node:sqlite'
import type { OrderedJob } from './port.ts'
import type { BeginRequest } from './sqlite-requests.ts'
import { changeOne, inTransaction, NotKept } from './sqlite-transaction.ts'

const NO_REVISION = 0 // a job has none

/** A row as it was found, which may be no job. place: its name there. */
export interface JobRow {
  readonly place: bigint
  readonly id: unknown
  readonly text: unknown
}

/** How what is kept comes to be what it should: rows to be removed, jobs to be removed, and jobs to be written. */
export interface JobChange {
  readonly places: readonly bigint[]
  readonly gone: readonly string[]
  readonly put: readonly { readonly id: string; readonly text: string }[]
}

/**
 * The jobs of an open database. beginRequest: for that which ordered one. Each of these is one transaction; they throw
 * SQLite's errors.
 */
export const jobTable = (db: DatabaseSync, beginRequest: BeginRequest) => {
  const write = db.prepare(
    'INSERT INTO jobs (id, job) VALUES (:id, :job) ON CONFLICT (id) DO UPDATE SET job = excluded.job',
  )
  const drop = db.prepare('DELETE FROM jobs WHERE position = ?')
  const dropJob = db.prepare('DELETE FROM jobs WHERE id = ?')
  const look = db.prepare('SELECT job FROM jobs WHERE id = ?')
  return {
    /** In the order in which they were accepted. */
    load: (): readonly JobRow[] => {
      const statement = db.prepare('SELECT position, id, job FROM jobs ORDER BY position')
      statement.setReadBigInts(true)
      return statement.all().map(({ position, id, job }) => ({ place: position as bigint, id, text: job }))
    },
    save: ({ places, gone, put }: JobChange, ordered?: OrderedJob): void =>
      inTransaction(db, () => {
        for (const place of places) drop.run(place)
        for (const id of gone) changeOne(`jobs/${id}`, dropJob, id)
        for (const { id, text } of put) {
          changeOne(`jobs/${id}`, write, { id, job: text })
          if (look.get(id)?.job !== text) throw new NotKept(`jobs/${id}`)
        }
        if (ordered?.mark) beginRequest(ordered.mark, { id: ordered.id, revision: NO_REVISION })
      }),
  }
}
