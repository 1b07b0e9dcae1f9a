// Where one file of a recording is between the service and the engine that writes it.

/**
 * unordered: the engine was not asked for it yet. ordered: it was asked. begun: it has answered that it writes.
 * closed: it has closed the file by itself; closed-early: it did so before it answered.
 */
export type FileState = 'unordered' | 'ordered' | 'begun' | 'closed-early' | 'closed'

/** What moves it on. ordered: by the service; the others come from the engine. */
export type FileChange = 'ordered' | 'begun' | 'closed'

const NEXT: Readonly<Record<FileChange, Readonly<Partial<Record<FileState, FileState>>>>> = {
  ordered: { unordered: 'ordered' },
  begun: { ordered: 'begun', 'closed-early': 'closed' },
  closed: { ordered: 'closed-early', begun: 'closed' },
}

/** The state after a change; the same where a change says nothing new. */
export const nextFileState = (state: FileState, change: FileChange): FileState => NEXT[change][state] ?? state

/**
 * Whether the engine has answered that it writes: before that, a file without a picture is nothing that anybody misses.
 */
export const hasBegun = (state: FileState): boolean => state === 'begun' || state === 'closed'

/** Whether the engine has closed the file, so that it need not be told to. */
export const isClosed = (state: FileState): boolean => state === 'closed' || state === 'closed-early'
