// SQLite's and the file system's errors as faults.
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { isFullDisk } from '../files/atomic.ts'

// https://www.sqlite.org/rescode.html: the low byte is the primary code.
const ERROR = 1
const BUSY = 5
const READ_ONLY = 8
const CORRUPT = 11
const FULL = 13
const CONSTRAINT = 19
const CONSTRAINT_TRIGGER = CONSTRAINT | (7 << 8)
const MISMATCH = 20
const NOT_A_DATABASE = 26

/**
 * Met while a file is opened these say that it holds something else than expected: a table that is there already, or is
 * not.
 */
const BAD_CONTENT = [ERROR, CORRUPT, CONSTRAINT, MISMATCH, NOT_A_DATABASE]

/** A file that SQLite can read and this program cannot use. */
export class Broken extends Error {
  readonly errcode = CORRUPT // as SQLite itself reports what it finds
}

/** The file is not where it was, or may not be written any more. message: all that is to be said. */
export class Unavailable extends Error {}

/** A file that a newer version of this program wrote. */
export class NewerSchema extends Error {}

const codeOf = (error: unknown): number => Number((error as { errcode?: unknown }).errcode) & 0xff

/** Whether what was met while a file was opened speaks of the file itself, as opposed to the disk or the rights. */
export const isBroken = (error: unknown): boolean => BAD_CONTENT.includes(codeOf(error))

/** The file, or the place where it is, is not to be written to. */
export const isReadOnly = (error: unknown): boolean => codeOf(error) === READ_ONLY

/** There is no room left, on the disk or within the limit. */
export const isFull = (error: unknown): boolean => codeOf(error) === FULL || isFullDisk(error)

/** A trigger refused a write; this program makes none. */
export const isOfTrigger = (error: unknown): boolean =>
  Number((error as { errcode?: unknown }).errcode) === CONSTRAINT_TRIGGER

/** The fault to report for an error on the store in `file`. */
export const storageFault = (file: string, error: unknown): Fault => {
  if (isFault(error)) return error
  if (error instanceof NewerSchema) return { code: 'storage.newer_schema', detail: error.message }
  if (isFull(error))
    return {
      code: 'storage.full',
      detail: `there is no room left to store settings in ${file}; free some space and repeat`,
    }
  if (codeOf(error) === BUSY)
    return {
      code: 'storage.in_use',
      detail: `${file} is in use by another process; end that one, or set VEDETTE_DATA_DIR to another folder`,
    }
  if (error instanceof Unavailable) return { code: 'storage.unavailable', detail: error.message }
  if (isReadOnly(error))
    return { code: 'storage.unavailable', detail: `nothing can be stored in ${file}: ${(error as Error).message}` }
  return { code: 'storage.failed', detail: `the settings in ${file} cannot be used: ${(error as Error).message}` }
}
