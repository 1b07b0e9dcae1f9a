// Sessions in memory: they outlive an API, not the process.
import type { Session } from '../../machines/http/session.ts'
import type { SessionsPort } from './port.ts'

export class FakeSessions implements SessionsPort {
  /** What is kept. */
  kept: readonly Session[] = []

  readonly load = (): readonly Session[] => this.kept

  readonly save = async (sessions: readonly Session[]): Promise<void> => {
    this.kept = sessions
  }
}
