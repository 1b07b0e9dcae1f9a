// Where sessions are kept across restarts: hashes and times, no secret.
import type { Session } from '../../machines/http/session.ts'
import { token } from '../../machines/token.ts'

export interface SessionsPort {
  /** Those that were kept last; none when they cannot be read, which is recorded. */
  readonly load: () => readonly Session[]
  /**
   * Replaces them, on the disk when it is done. What cannot be kept is recorded: it counts until the service stops all
   * the same.
   */
  readonly save: (sessions: readonly Session[]) => Promise<void>
}

/** Where the sessions of this device are kept. */
export const SESSION_STORE = token<SessionsPort>('session-store')
