// What can be wrong with a question to a log.
import type { Fault } from '../../machines/errors/fault.ts'
import type { LogSourceId } from '../../machines/logs/line.ts'

export const unknownCursor = (source: LogSourceId): Fault => ({
  code: 'cursor.unknown',
  detail: `the cursor is none of the log ${source}; begin again without it`,
})
