// What the addon and its JavaScript throw, as faults.
import { isFaultCode } from '../../../machines/errors/catalogue.ts'
import type { Fault } from '../../../machines/errors/fault.ts'

const MAX_DETAIL_LENGTH = 500 // what is wrong with a name of a megabyte is said by its beginning

/** The fault of something that was thrown in an engine. */
export const toFault = (error: unknown): Fault => {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown }
  const detail = String(message ?? error).slice(0, MAX_DETAIL_LENGTH)
  return { code: isFaultCode(code) ? code : 'engine.failed', detail }
}
