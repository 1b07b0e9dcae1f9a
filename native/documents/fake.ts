// Documents in memory: for tests, and for a device that shall keep nothing. They outlive a closed store, not the
// process.
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import type { KeptErrors } from '../../machines/errors/history.ts'
import type { Job } from '../../machines/jobs/job.ts'
import type { KeptRequest, LeftBehind, RequestMark } from '../../machines/requests/request.ts'
import type { CollectionNumbers, SettingAside, StoredDocument } from '../../machines/settings/load.ts'
import { type Commit, changesIn } from '../../machines/settings/store.ts'
import { nowMs } from '../clock/system.ts'
import { FakeMediaRows } from './fake-media.ts'
import type { Documents, DocumentsPort } from './port.ts'

/** A store that can be told to fail. */
export class FakeDocuments implements DocumentsPort {
  /** As long as this is set, everything fails with it. */
  fault: Fault | null = null
  /** With this, only setting aside fails. */
  asideFault: Fault | null = null
  /** What the next opening reports. */
  openingFaults: readonly Fault[] = []
  /** What a commit waits for. */
  disk: Effect.Effect<void> = Effect.void
  /** All that was committed, oldest first. */
  readonly commits: Commit[] = []
  /** What is kept, in order of creation; a test may put in what no writer would. */
  documents: readonly StoredDocument[] = []
  /** What was set aside by an earlier run. */
  asideEarlier: readonly StoredDocument[] = []
  /** What was set aside. */
  readonly aside: SettingAside['rows'][number][] = []
  /** What is kept of requests, by key. */
  readonly requests = new Map<string, KeptRequest>()
  /** All saved states of the error history, oldest first. */
  readonly errorSaves: KeptErrors[] = []

  /** All saved states of the jobs, oldest first. */
  readonly jobSaves: (readonly Job[])[] = []

  /** What is known of media items. */
  readonly media = new FakeMediaRows()

  readonly #collections = new Map<string, CollectionNumbers>()
  #places = 0n

  readonly open: Effect.Effect<Documents, Fault> = this.#try(() => ({
    openingFaults: this.openingFaults,
    check: this.#try(() => undefined),
    keepCopy: this.#try(() => undefined),
    load: this.#try(() => ({
      documents: this.documents,
      unreadable: [],
      aside: this.asideEarlier,
      collections: Object.fromEntries(this.#collections),
    })),
    setAside: (aside) =>
      Effect.suspend(() => (this.asideFault ? Effect.fail(this.asideFault) : this.#try(() => this.#setAside(aside)))),
    commit: (commit) =>
      Effect.andThen(
        this.disk,
        this.#try(() => this.#commit(commit)),
      ),
    findRequest: (key) => this.#try(() => this.requests.get(key)),
    finishRequest: (mark, answer) =>
      this.#try(() => {
        const { written = null } = this.requests.get(mark.key) ?? {}
        this.requests.set(mark.key, { ...mark, written, answer })
      }),
    loadErrors: this.#try(() => this.errorSaves.at(-1) ?? { revision: 0, entries: [] }),
    saveErrors: (kept) => this.#try(() => void this.errorSaves.push(kept)),
    loadJobs: this.#try(() => this.jobSaves.at(-1) ?? []),
    saveJobs: (jobs, ordered) =>
      this.#try(() => {
        this.jobSaves.push(jobs)
        if (ordered) this.#begin(ordered.mark, { id: ordered.id, revision: 0 })
      }),
    media: {
      find: (name) => this.#try(() => this.media.find(name)),
      knows: (name) => this.#try(() => this.media.knows(name)),
      page: (query) => this.#try(() => this.media.page(query)),
      put: (item) => this.#try(() => this.media.put(item)),
      change: (item, request) =>
        this.#try(() => {
          const isThere = this.media.change(item)
          if (isThere) this.#begin(request, { id: item.name, revision: item.revision })
          return isThere
        }),
      leave: (name, ordered) =>
        this.#try(() => {
          this.media.leave(name)
          this.#begin(ordered?.mark, { id: name, revision: ordered?.revision ?? 0 })
        }),
      drop: (name, ordered) =>
        this.#try(() => {
          this.media.drop(name)
          this.#begin(ordered?.mark, { id: name, revision: ordered?.revision ?? 0 })
        }),
      load: this.#try(() => this.media.load()),
      sums: this.#try(() => this.media.sums()),
      automatic: this.#try(() => this.media.automatic()),
    },
  }))

  #try<Value>(work: () => Value): Effect.Effect<Value, Fault> {
    return Effect.suspend(() => (this.fault ? Effect.fail(this.fault) : Effect.sync(work)))
  }

  #begin(mark: RequestMark | undefined, left: LeftBehind): void {
    if (mark) this.requests.set(mark.key, { ...mark, written: { ...left, at_ms: nowMs() }, answer: null })
  }

  #setAside({ rows, back, collections }: SettingAside): void {
    const places = new Set(rows.map(({ place }) => place))
    this.documents = this.documents.filter(({ place }) => !places.has(place))
    this.aside.push(...rows)
    for (const { place, revision } of back) {
      const found = this.asideEarlier.filter((each) => each.place === place)
      this.asideEarlier = this.asideEarlier.filter((each) => each.place !== place)
      this.documents = [...this.documents, ...found.map((each) => ({ ...each, place: ++this.#places, revision }))]
    }
    for (const [name, numbers] of Object.entries(collections)) this.#collections.set(name, numbers)
  }

  #commit(commit: Commit): void {
    this.#begin(commit.request, { id: commit.id, revision: commit.revision })
    for (const change of changesIn(commit)) this.#write(change)
  }

  #write(commit: Commit): void {
    const { collection, id, revision, value, collectionRevision, collectionBase } = commit
    this.commits.push(commit)
    this.#collections.set(collection, { revision: collectionRevision, base: collectionBase })
    const isIt = (each: StoredDocument) => each.collection === collection && each.id === id
    const before = this.documents.find(isIt)
    if (value === undefined) this.documents = this.documents.filter((each) => each !== before)
    else if (before) this.documents = this.documents.map((each) => (isIt(each) ? { ...each, revision, value } : each))
    else this.documents = [...this.documents, { place: ++this.#places, collection, id, revision, value }]
  }
}
