// An open store as what can be asked of it, by name. All of it waits for the disk, so it runs in a thread of its own (sqlite-worker.ts).
import { documentTable } from './sqlite-documents.ts'
import { errorTable } from './sqlite-errors.ts'
import { openFile } from './sqlite-file.ts'
import { jobTable } from './sqlite-jobs.ts'
import { mediaTable } from './sqlite-media.ts'
import { requestTable } from './sqlite-requests.ts'

/** Where the store is. maxBytes: the file grows no larger, so that a runaway client cannot fill the disk. */
export interface StoreFile {
  readonly file: string
  readonly maxBytes: number
}

/** Opens it; throws SQLite's and the file system's errors, as all of its operations do. See the port. */
export const openStore = ({ file, maxBytes }: StoreFile) => {
  const { db, faults, limit } = openFile(file, maxBytes)
  const requests = requestTable(db)
  const documents = documentTable(db, requests.begin)
  const errors = errorTable(db)
  const jobs = jobTable(db, requests.begin)
  const media = mediaTable(db, requests.begin)
  return {
    faults,
    close: () => db.close(),
    operations: {
      load: documents.load,
      setAside: (...aside: Parameters<typeof documents.setAside>) => {
        documents.setAside(...aside)
        limit()
      },
      commit: documents.commit,
      findRequest: requests.find,
      finishRequest: requests.finish,
      loadErrors: errors.load,
      saveErrors: errors.save,
      loadJobs: jobs.load,
      saveJobs: jobs.save,
      findMedia: media.find,
      knowsMedia: media.knows,
      pageMedia: media.page,
      putMedia: media.put,
      changeMedia: media.change,
      leaveMedia: media.leave,
      dropMedia: media.drop,
      loadMedia: media.load,
      sumMedia: media.sums,
      automaticMedia: media.automatic,
    },
  }
}

/** What can be asked of an open store. */
export type Operations = ReturnType<typeof openStore>['operations']
