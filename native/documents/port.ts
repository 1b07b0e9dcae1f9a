// Where documents are kept: a store with one writer. Synchronous on purpose: a commit is one short transaction.
import type * as Effect from 'effect/Effect'
import type * as Scope from 'effect/Scope'
import type { Fault } from '../../machines/fault.ts'

/** One kept document. value is JSON. revision rises by one per committed change and survives the document's deletion. */
export interface StoredDocument {
  readonly collection: string
  readonly id: string
  readonly revision: number
  readonly value: unknown
}

/** One atomic change: documents put and deleted, with their collections' own revisions. value undefined = deleted. */
export interface Commit {
  readonly collection: string
  readonly collection_revision: number
  readonly id: string
  readonly revision: number
  readonly value: unknown
}

/** A counted entry of the error history, exactly as on the wire. */
export interface StoredError {
  readonly code: string
  readonly resource: string
  readonly detail: string
  readonly count: number
  readonly first_at_ms: number
  readonly last_at_ms: number
}

/** An open store. Every call is one transaction, synced to disk before it returns (error entries excepted: written soon). Throws a Fault: `storage.full`, `storage.failed`. */
export interface Documents {
  readonly load: () => { readonly documents: readonly StoredDocument[]; readonly collections: Readonly<Record<string, number>> }
  readonly commit: (commit: Commit) => void
  readonly loadErrors: () => readonly StoredError[]
  readonly saveErrors: (entries: readonly StoredError[]) => void
}

export interface DocumentsPort {
  /** Opens, creates or migrates the store; closes with the scope. Fails with `storage.newer_schema`, `storage.corrupt` (the broken file is set aside under another name first), `storage.failed`. */
  readonly open: Effect.Effect<Documents, Fault, Scope.Scope>
}
