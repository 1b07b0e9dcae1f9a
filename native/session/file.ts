// Sessions in a small file of their own that only the service may read; why not among the documents:
// docs/decisions/0059-sign-in.md.

import { readFileSync } from 'node:fs'
import type { Fault } from '../../machines/errors/fault.ts'
import { type Session, StoredSessions } from '../../machines/http/session.ts'
import { firstError, schemaErrors } from '../../machines/schema/errors.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { writeFileWholeSoon } from '../files/atomic.ts'
import { SerialQueue } from '../files/serial-queue.ts'
import type { SessionsPort } from './port.ts'

/** record: told `session.unreadable` and `session.not_kept`. */
export const fileSessions = (path: string, record: (fault: Fault) => void): SessionsPort => {
  const turns = new SerialQueue()
  const write = (sessions: readonly Session[]) =>
    writeFileWholeSoon(path, `${JSON.stringify(sessions)}\n`, { mode: 0o600 }).catch(({ message }: Error) => {
      const detail = oneLine`
        who signs in or out now does so until the service stops: sessions cannot be kept in ${path} (${message})
      `
      record({ code: 'session.not_kept', detail })
    })
  return { load: () => loaded(path, record), save: (sessions) => turns.inTurn(() => write(sessions)) }
}

const loaded = (path: string, record: (fault: Fault) => void): readonly Session[] => {
  const read = readAt(path)
  if ('sessions' in read) return read.sessions
  record({
    code: 'session.unreadable',
    detail: oneLine`
      everybody has to sign in again: ${path}, where sessions are kept, ${read.complaint}. It is written anew at the
      next sign-in
    `,
  })
  return []
}

const readAt = (path: string): { readonly sessions: readonly Session[] } | { readonly complaint: string } => {
  try {
    const sessions: unknown = JSON.parse(readFileSync(path, 'utf8'))
    const errors = schemaErrors(StoredSessions, sessions)
    return errors.length === 0
      ? { sessions: sessions as Session[] }
      : { complaint: `does not fit (${firstError(errors, 'it')})` }
  } catch (error) {
    if (error instanceof SyntaxError) return { complaint: 'is not JSON' }
    const { code, message } = error as NodeJS.ErrnoException
    return code === 'ENOENT' ? { sessions: [] } : { complaint: `cannot be read (${message})` }
  }
}
