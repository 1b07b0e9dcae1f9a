// SQLite's and the file system's errors as faults.
import { type Fault, isFault } from '../../machines/fault.ts'

// https://www.sqlite.org/rescode.html: the low byte is the primary code.
const BUSY = 5
const CORRUPT = 11
const FULL = 13
const NOT_A_DATABASE = 26

const codeOf = (error: unknown): number => Number((error as { errcode?: unknown }).errcode) & 0xff

/** The file itself is bad, as opposed to the disk, the rights or the program. */
export const isBroken = (error: unknown): boolean => [CORRUPT, NOT_A_DATABASE].includes(codeOf(error))

/** The fault to report for an error on the store in `file`. */
export const storageFault = (file: string, error: unknown): Fault => {
  if (isFault(error)) return error
  const { code, message } = error as { code?: string; message?: string }
  if (codeOf(error) === FULL || code === 'ENOSPC' || code === 'EDQUOT')
    return {
      code: 'storage.full',
      detail: `there is no room left to store settings in ${file}; free some space and repeat`,
    }
  if (codeOf(error) === BUSY)
    return {
      code: 'storage.in_use',
      detail: `${file} is in use by another process; end that one, or set VEDETTE_DATA_DIR to another folder`,
    }
  return { code: 'storage.failed', detail: `the settings in ${file} cannot be used: ${message}` }
}
