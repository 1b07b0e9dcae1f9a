// Documents in memory: for tests, and for a device that shall keep nothing. They outlive a closed store, not the process.
import * as Effect from 'effect/Effect'
import type { ErrorEntry } from '../../machines/error-history.ts'
import type { Fault } from '../../machines/fault.ts'
import type { Commit } from '../../machines/settings.ts'
import type { Documents, DocumentsPort, StoredDocument } from './port.ts'

/** A store that can be told to fail. */
export class FakeDocuments implements DocumentsPort {
  /** As long as this is set, everything fails with it. */
  fault: Fault | null = null
  /** What the next opening reports. */
  openingFaults: readonly Fault[] = []
  /** All that was committed, oldest first. */
  readonly commits: Commit[] = []
  /** All saved states of the error history, oldest first. */
  readonly errorSaves: (readonly ErrorEntry[])[] = []

  readonly open: Effect.Effect<Documents, Fault> = this.#try(() => ({
    openingFaults: this.openingFaults,
    load: this.#try(() => ({ documents: this.#documents(), collections: this.#collections() })),
    commit: (commit) => this.#try(() => void this.commits.push(commit)),
    loadErrors: this.#try(() => this.errorSaves.at(-1) ?? []),
    saveErrors: (entries) => this.#try(() => void this.errorSaves.push(entries)),
  }))

  #try<Value>(work: () => Value): Effect.Effect<Value, Fault> {
    return Effect.suspend(() => (this.fault ? Effect.fail(this.fault) : Effect.sync(work)))
  }

  #documents(): readonly StoredDocument[] {
    const documents = new Map<string, StoredDocument>()
    for (const { collection, id, revision, value } of this.commits) {
      const key = `${collection}/${id}`
      if (documents.get(key)?.value === undefined) documents.delete(key) // one that is created again comes last
      documents.set(key, { collection, id, revision, value })
    }
    return [...documents.values()]
  }

  #collections(): Readonly<Record<string, number>> {
    return Object.fromEntries(
      this.commits.map(({ collection, collectionRevision }) => [collection, collectionRevision]),
    )
  }
}
