// Documents in one SQLite file. A commit is one transaction, on the disk when it returns; it is synchronous on purpose (0.15 ms as a rule, 5 ms at worst).
import { join } from 'node:path'
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import type { DocumentsPort } from './port.ts'
import { documentTable } from './sqlite-documents.ts'
import { errorTable } from './sqlite-errors.ts'
import { storageFault } from './sqlite-faults.ts'
import { NewerSchema, openFile } from './sqlite-file.ts'
import { jobTable } from './sqlite-jobs.ts'
import { mediaTable } from './sqlite-media.ts'
import { requestTable } from './sqlite-requests.ts'

/** Where the store is. maxBytes: the file grows no larger, so that a runaway client cannot fill the disk. */
export interface SqliteOptions {
  readonly dataDir: string
  readonly maxBytes?: number
}

const USUAL_MAX_BYTES = 128 * 1024 * 1024 // half of it for what is known of twenty thousand media items

/** The store in `vedette.db` of the data directory. */
export const sqliteDocuments = ({ dataDir, maxBytes = USUAL_MAX_BYTES }: SqliteOptions): DocumentsPort => {
  const file = join(dataDir, 'vedette.db')
  const attempt = <Value>(work: () => Value): Effect.Effect<Value, Fault> =>
    Effect.try({
      try: work,
      catch: (error): Fault =>
        error instanceof NewerSchema
          ? { code: 'storage.newer_schema', detail: error.message }
          : storageFault(file, error),
    })
  return {
    open: Effect.map(
      Effect.acquireRelease(
        attempt(() => openFile(file, maxBytes)),
        ({ db }) => Effect.sync(() => db.close()),
      ),
      ({ db, faults, limit }) => {
        const requests = requestTable(db)
        const documents = documentTable(db, requests.begin)
        const errors = errorTable(db)
        const jobs = jobTable(db, requests.begin)
        const media = mediaTable(db, requests.begin)
        return {
          openingFaults: faults,
          load: attempt(documents.load),
          setAside: (aside) =>
            attempt(() => {
              documents.setAside(aside)
              limit()
            }),
          commit: (commit) => attempt(() => documents.commit(commit)),
          findRequest: (key) => attempt(() => requests.find(key)),
          finishRequest: (mark, answer) => attempt(() => requests.finish(mark, answer)),
          loadErrors: attempt(errors.load),
          saveErrors: (kept) => attempt(() => errors.save(kept)),
          loadJobs: attempt(jobs.load),
          saveJobs: (each, ordered) => attempt(() => jobs.save(each, ordered)),
          media: {
            find: (name) => attempt(() => media.find(name)),
            knows: (name) => attempt(() => media.knows(name)),
            page: (query) => attempt(() => media.page(query)),
            put: (item) => attempt(() => media.put(item)),
            change: (item, request) => attempt(() => media.change(item, request)),
            leave: (name, ordered) => attempt(() => media.leave(name, ordered)),
            drop: (name, ordered) => attempt(() => media.drop(name, ordered)),
            load: attempt(media.load),
            sums: attempt(media.sums),
            automatic: attempt(media.automatic),
          },
        }
      },
    ),
  }
}
