// What is published about the error history.
import { eventKind } from '../events/kind.ts'
import { ErrorEntry, errorEntryExample } from './history.ts'

/** A fault was counted. */
export const errorRecorded = eventKind({
  kind: 'error_recorded',
  about: 'A fault was counted in the error history; `data` is its entry.',
  reference: {},
  data: ErrorEntry,
  revised: true,
  example: {
    resource_ref: {},
    revision: 4,
    data: errorEntryExample,
  },
})

/** The history is empty. */
export const errorsCleared = eventKind({
  kind: 'errors_cleared',
  about: 'The error history was cleared.',
  reference: {},
  data: null,
  revised: true,
  example: { resource_ref: {}, revision: 5 },
})
