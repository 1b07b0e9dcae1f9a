// What goes on because somebody is signed in: pictures and feeds that were opened with a session end with it.
import type { Socket } from 'node:net'
import type { Session } from '../../machines/http/session.ts'
import { isHeld } from '../connections/connections.ts'
import type { Sessions } from './sessions.ts'

/** A session can end by the clock alone, which may be set at any time: nobody would say so. A look costs next to nothing. */
const LOOK_EVERY_MS = 1_000

/** The sockets on which requests passed that would not have passed without their session. */
export class Admitted {
  readonly #sockets = new Map<Socket, Session>()
  readonly #sessions: Sessions
  readonly #release: () => void
  #looks: NodeJS.Timeout | undefined // only while there is something to look at

  constructor(sessions: Sessions) {
    this.#sessions = sessions
    this.#release = sessions.onEnd(() => this.#endWithoutSession())
  }

  /** A keep-alive connection stands here with its latest session. */
  add(socket: Socket, session: Session): void {
    if (!this.#sockets.has(socket)) socket.once('close', () => this.#forget(socket))
    this.#sockets.set(socket, session)
    this.#looks ??= setInterval(() => this.#endWithoutSession(), LOOK_EVERY_MS).unref()
  }

  close(): void {
    this.#release()
    this.#rest()
  }

  #forget(socket: Socket): void {
    this.#sockets.delete(socket)
    if (this.#sockets.size === 0) this.#rest()
  }

  #rest(): void {
    clearInterval(this.#looks)
    this.#looks = undefined
  }

  /** Ordinary requests are over in a moment, and the next one on their connection is asked who it is. */
  #endWithoutSession(): void {
    for (const [socket, session] of this.#sockets)
      if (isHeld(socket) && !this.#sessions.isGood(session)) socket.destroy()
  }
}
