// A commit on its way to the store: its values are JSON text already, which the store does not read.
import { type Commit, changesIn } from '../../machines/settings/store.ts'

/** A change. text: the value; undefined where the document is deleted. */
export type TextChange = Omit<Commit, 'value' | 'request' | 'others'> & { readonly text: string | undefined }

/** The changes of one transaction, and the request that ordered them. */
export interface TextCommit extends Pick<Commit, 'request'> {
  /** At least one. */
  readonly changes: readonly TextChange[]
}

export const textCommit = (commit: Commit): TextCommit => ({
  changes: changesIn(commit).map(({ value, request: _, others: __, ...change }) => ({
    ...change,
    text: value === undefined ? undefined : JSON.stringify(value),
  })),
  ...(commit.request && { request: commit.request }),
})
