// Documents in one SQLite file. A commit is one transaction, on the disk when it is answered; a thread of its own waits
// for that.
import { join } from 'node:path'
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import type { AskedStore, OpenStore } from './asked-store.ts'
import { ErrorChanges } from './error-changes.ts'
import { JobChanges } from './job-changes.ts'
import { itemIn, knownIn, rowOf } from './media-rows.ts'
import type { Documents, DocumentsPort, MediaRows } from './port.ts'
import { SETTINGS_FILE } from './settings-file.ts'
import { openThread } from './store-thread.ts'
import { textCommit } from './text-commit.ts'

/** Where the store is. maxBytes: the file grows no larger, so that a runaway client cannot fill the disk. */
export interface SqliteOptions {
  readonly dataDir: string
  readonly maxBytes?: number
}

const DEFAULT_MAX_BYTES = 128 * 1024 * 1024 // half of it for what is known of twenty thousand media items

/** The store in `vedette.db` of the data directory. open: in a thread of its own, when nothing else is said. */
export const sqliteDocuments = (
  { dataDir, maxBytes = DEFAULT_MAX_BYTES }: SqliteOptions,
  open: OpenStore = openThread,
): DocumentsPort => ({
  open: Effect.map(open({ file: join(dataDir, SETTINGS_FILE), maxBytes }), documentsIn),
})

const documentsIn = (store: AskedStore): Documents => {
  const errors = new ErrorChanges()
  const jobs = new JobChanges()
  return {
    openingFaults: store.faults,
    check: store.ask('check'),
    keepCopy: store.ask('keepCopy'),
    load: store.ask('load'),
    setAside: (aside) => store.ask('setAside', aside),
    commit: (commit) => store.ask('commit', textCommit(commit)),
    findRequest: (key) => store.ask('findRequest', key),
    finishRequest: (mark, answer) => store.ask('finishRequest', mark, answer),
    loadErrors: Effect.map(store.ask('loadErrors'), (rows) => errors.loaded(rows)),
    saveErrors: (kept) =>
      whole(() => Effect.map(store.ask('saveErrors', errors.changeTo(kept)), () => errors.saved(kept))),
    loadJobs: Effect.map(store.ask('loadJobs'), (rows) => jobs.loaded(rows)),
    saveJobs: (each, ordered) =>
      whole(() => {
        const change = jobs.changeTo(each) ?? (ordered?.mark && NO_CHANGE)
        return change ? Effect.map(store.ask('saveJobs', change, ordered), () => jobs.saved(each)) : Effect.void
      }),
    media: mediaIn(store),
  }
}

/** What was written is noted down with it: the next change begins from there. */
const whole = <Value>(work: () => Effect.Effect<Value, Fault>): Effect.Effect<Value, Fault> =>
  Effect.uninterruptible(Effect.suspend(work))

const NO_CHANGE = { places: [], gone: [], put: [] }

const mediaIn = (store: AskedStore): MediaRows => ({
  find: (name) => Effect.map(store.ask('findMedia', name), itemIn),
  knows: (name) => store.ask('knowsMedia', name),
  page: (query) =>
    Effect.map(store.ask('pageMedia', query), ({ rows, next }) => ({
      items: rows.map(itemIn).filter((item) => item !== undefined),
      next,
    })),
  put: (item) => store.ask('putMedia', rowOf(item)),
  change: (item, mark) => store.ask('changeMedia', rowOf(item), mark && { mark, revision: item.revision }),
  leave: (name, ordered) => store.ask('leaveMedia', name, ordered),
  drop: (name, ordered) => store.ask('dropMedia', name, ordered),
  load: Effect.map(store.ask('loadMedia'), (rows) => rows.map(knownIn)),
  sums: store.ask('sumMedia'),
  automatic: store.ask('automaticMedia'),
})
