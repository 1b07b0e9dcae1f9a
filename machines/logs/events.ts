// What is published about the logs.
import { documentEvent } from '../events/kind.ts'

/** The settings of the log were changed. */
export const logChanged = documentEvent({
  kind: 'log_changed',
  about: 'How much the service writes into its log was changed.',
  of: null,
})
