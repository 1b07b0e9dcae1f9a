// An open store as what can be asked of it, by name. All of it waits for the disk, so it runs in a thread of its own
// (sqlite-worker.ts).
import { keepCopy } from './sqlite-copies.ts'
import { documentTable } from './sqlite-documents.ts'
import { errorTable } from './sqlite-errors.ts'
import { openFile } from './sqlite-file.ts'
import { jobTable } from './sqlite-jobs.ts'
import { mediaTable } from './sqlite-media.ts'
import { StorePlace } from './sqlite-place.ts'
import { requestTable } from './sqlite-requests.ts'

/** Where the store is. maxBytes: the file grows no larger, so that a runaway client cannot fill the disk. */
export interface StoreFile {
  readonly file: string
  readonly maxBytes: number
}

const APPLICATION_ID = 0x76656465 // `vede`, in the header of the file

/** Opens it; throws SQLite's and the file system's errors, as all of its operations do. See the port. */
export const openStore = ({ file, maxBytes }: StoreFile) => {
  const { db, faults, limit } = openFile(file, maxBytes)
  const requests = requestTable(db)
  const documents = documentTable(db, requests.begin)
  const errors = errorTable(db)
  const jobs = jobTable(db, requests.begin)
  const media = mediaTable(db, requests.begin)
  const place = new StorePlace(file)
  let hasFailed = false
  /** What is written counts only where it will be found again. */
  const writing =
    <Values extends readonly unknown[], Value>(write: (...values: Values) => Value) =>
    (...values: Values): Value => {
      hasFailed = true
      place.refuseOther()
      const written = write(...values)
      place.refuseOther()
      hasFailed = false
      return written
    }
  const probe = writing(() => db.exec(`PRAGMA application_id = ${APPLICATION_ID}`))
  return {
    faults,
    close: () => db.close(),
    operations: {
      load: documents.load,
      setAside: writing((...aside: Parameters<typeof documents.setAside>) => {
        documents.setAside(...aside)
        limit()
      }),
      commit: writing(documents.commit),
      findRequest: requests.find,
      finishRequest: writing(requests.finish),
      loadErrors: errors.load,
      saveErrors: writing(errors.save),
      loadJobs: jobs.load,
      saveJobs: writing(jobs.save),
      findMedia: media.find,
      knowsMedia: media.knows,
      pageMedia: media.page,
      putMedia: writing(media.put),
      changeMedia: writing(media.change),
      leaveMedia: writing(media.leave),
      dropMedia: writing(media.drop),
      loadMedia: media.load,
      sumMedia: media.sums,
      automaticMedia: media.automatic,
      keepCopy: () => keepCopy(db, file),
      /** Throws what a write would be told now. A write tries it where that is not to be seen otherwise. */
      check: () => {
        place.refuseOther()
        place.refuseReadOnly()
        if (hasFailed || place.hasLittleRoom()) probe()
      },
    },
  }
}

/** What can be asked of an open store. */
export type Operations = ReturnType<typeof openStore>['operations']
