// What of the jobs has to be written: only what differs from what was written last.
import { isJob, type Job } from '../../machines/jobs/job.ts'
import type { JobChange, JobRow } from './sqlite-jobs.ts'

/** Of one open store. */
export class JobChanges {
  #saved: ReadonlyMap<string, Job> = new Map()
  #unreadable: readonly bigint[] = []

  /**
   * The jobs in what was read. A row that is no job is left out, and removed with the next saving: it is worth less
   * than a start.
   */
  loaded(rows: readonly JobRow[]): readonly Job[] {
    const found = rows.map((row) => ({ ...row, job: read(row) }))
    const jobs = found.map(({ job }) => job).filter((job) => job !== undefined)
    this.#unreadable = found.filter(({ job }) => job === undefined).map(({ place }) => place)
    this.#saved = byId(jobs)
    return jobs
  }

  /** What is to be done so that these are kept; undefined: nothing. */
  changeTo(jobs: readonly Job[]): JobChange | undefined {
    const wanted = byId(jobs)
    const gone = [...this.#saved.keys()].filter((id) => !wanted.has(id))
    const changed = jobs.filter((job) => this.#saved.get(job.id) !== job)
    if (gone.length + changed.length + this.#unreadable.length === 0) return undefined
    return { places: this.#unreadable, gone, put: changed.map((job) => ({ id: job.id, text: JSON.stringify(job) })) }
  }

  /** It was done. */
  saved(jobs: readonly Job[]): void {
    this.#saved = byId(jobs)
    this.#unreadable = []
  }
}

const byId = (jobs: readonly Job[]): ReadonlyMap<string, Job> => new Map(jobs.map((job) => [job.id, job]))

const read = ({ id, text }: JobRow): Job | undefined => {
  try {
    const job: unknown = JSON.parse(String(text))
    return isJob(job) && job.id === id ? job : undefined
  } catch {
    return undefined
  }
}
