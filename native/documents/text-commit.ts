// A commit on its way to the store: its value is JSON text already, which the store does not read.
import type { Commit } from '../../machines/settings/store.ts'

/** text: the value; undefined where the document is deleted. */
export type TextCommit = Omit<Commit, 'value'> & { readonly text: string | undefined }

export const textCommit = ({ value, ...commit }: Commit): TextCommit => ({
  ...commit,
  text: value === undefined ? undefined : JSON.stringify(value),
})
