// What is published about the error history.
import { eventKind } from '../events/kind.ts'
import { ErrorEntry } from './history.ts'

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
    data: {
      code: 'engine.hung',
      resource: 'streams/front',
      detail: 'the engine did not answer for 3 s and was started again',
      count: 2,
      first_at_ms: 1_767_225_600_000,
      last_at_ms: 1_767_229_200_000,
    },
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
