// What the file system says, as faults.

import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { isFullForFile } from '../files/atomic.ts'

/** The fault for an error of the file system about the media in `path`. Throws what is none: a bug. */
export const mediaFault = (path: string, error: unknown): Fault => {
  if (isFault(error)) return error
  const { syscall, message } = error as NodeJS.ErrnoException
  if (syscall === undefined) throw error
  return isFullForFile(error)
    ? {
        code: 'storage.full',
        detail: oneLine`
          there is no room left in ${path}; delete some media items (DELETE /v1/media/{name}), or free some space
        `,
        resource: 'media',
      }
    : { code: 'storage.failed', detail: `the media in ${path} cannot be used: ${message}`, resource: 'media' }
}

/** Answers with a fault instead of rejecting with what the file system says. */
export const attempted = <Value>(path: string, work: Promise<Value>): Promise<Value | Fault> =>
  work.catch((error: unknown) => mediaFault(path, error))
