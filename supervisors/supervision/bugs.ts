// What is thrown where nobody can answer for it: by a listener, by a step of a reconciler. It is recorded, and all else
// goes on.
import { type Fault, faultOf } from '../../machines/errors/fault.ts'
import type { OnBug } from '../../machines/listeners.ts'
import type { Log } from '../../native/log/port.ts'

/** What a recorder of bugs works with. */
export interface BugParts {
  /** Enters a fault in the error history. */
  readonly record: (fault: Fault) => void
  readonly log: Log
  /** Unix time. */
  readonly nowMs: () => number
}

/** Makes the recorder for what concerns one resource (`streams/front`; empty: the service). */
export type RecordBugs = (resource: string) => OnBug

const QUIET_MS = 1_000 // a listener that throws with each frame shall not fill the log

/** Records bugs in the error history, and in the log with their stack; at most one a second for each resource. */
export const bugRecorder = ({ record, log, nowMs }: BugParts): RecordBugs => {
  const recordedMs = new Map<string, number>()
  return (resource) => (bug) => {
    if (Math.abs(nowMs() - (recordedMs.get(resource) ?? -QUIET_MS)) < QUIET_MS) return // the clock may be set back
    recordedMs.set(resource, nowMs())
    record({ resource, ...faultOf(bug) })
    if (bug instanceof Error) log('error', bug.stack ?? bug.message)
  }
}
