// The jobs in the database.
import type { DatabaseSync } from 'node:sqlite'
import { isJob, type Job } from '../../machines/jobs/job.ts'
import type { OrderedJob } from './port.ts'
import type { BeginRequest } from './sqlite-requests.ts'
import { changeOne, inTransaction, NotKept } from './sqlite-transaction.ts'

const NO_REVISION = 0 // a job has none

/** The jobs of an open database. beginRequest: for that which ordered one. Each of these is one transaction; they throw SQLite's errors. Only what differs from what was written last is written. */
export const jobTable = (db: DatabaseSync, beginRequest: BeginRequest) => {
  const put = db.prepare(
    'INSERT INTO jobs (id, job) VALUES (:id, :job) ON CONFLICT (id) DO UPDATE SET job = excluded.job',
  )
  const drop = db.prepare('DELETE FROM jobs WHERE position = ?')
  const dropJob = db.prepare('DELETE FROM jobs WHERE id = ?')
  const look = db.prepare('SELECT job FROM jobs WHERE id = ?')
  let saved: ReadonlyMap<string, Job> = new Map()
  let unreadable: readonly bigint[] = []
  return {
    /** A row that is no job is left out, and removed with the next saving: it is worth less than a start. */
    load: (): readonly Job[] => {
      const rows = rowsOf(db)
      unreadable = rows.filter(({ job }) => job === undefined).map(({ position }) => position)
      const jobs = rows.map(({ job }) => job).filter((job) => job !== undefined)
      saved = new Map(jobs.map((job) => [job.id, job]))
      return jobs
    },
    save: (jobs: readonly Job[], ordered?: OrderedJob): void => {
      const wanted = new Map(jobs.map((job) => [job.id, job]))
      const gone = [...saved.keys()].filter((id) => !wanted.has(id))
      const changed = jobs.filter((job) => saved.get(job.id) !== job)
      if (gone.length + changed.length + unreadable.length === 0 && !ordered?.mark) return
      inTransaction(db, () => {
        for (const row of unreadable) drop.run(row)
        for (const id of gone) changeOne(`jobs/${id}`, dropJob, id)
        for (const job of changed) {
          const [id, text] = [job.id, JSON.stringify(job)]
          changeOne(`jobs/${id}`, put, { id, job: text })
          if (look.get(id)?.job !== text) throw new NotKept(`jobs/${id}`)
        }
        if (ordered?.mark) beginRequest(ordered.mark, { id: ordered.id, revision: NO_REVISION })
      })
      saved = wanted
      unreadable = []
    },
  }
}

const rowsOf = (db: DatabaseSync): readonly { readonly position: bigint; readonly job: Job | undefined }[] => {
  const statement = db.prepare('SELECT position, id, job FROM jobs ORDER BY position')
  statement.setReadBigInts(true)
  return statement.all().map(({ position, id, job }) => ({ position: position as bigint, job: read(id, job) }))
}

const read = (id: unknown, text: unknown): Job | undefined => {
  try {
    const job: unknown = JSON.parse(String(text))
    return isJob(job) && job.id === id ? job : undefined
  } catch {
    return undefined
  }
}
