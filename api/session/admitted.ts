// What goes on because somebody is signed in: pictures and feeds that were opened with a session end with it.
import type { Socket } from 'node:net'
import type { Session } from '../../machines/http/session.ts'
import { isHeld } from '../connections/connections.ts'
import type { Sessions } from './sessions.ts'

/** The sockets on which requests passed that would not have passed without their session. */
export class Admitted {
  readonly #sockets = new Map<Socket, string>()
  readonly #release: () => void

  constructor(sessions: Sessions) {
    this.#release = sessions.onEnd(({ hash }) => this.#end(hash))
  }

  /** A keep-alive connection stands here with its latest session. */
  add(socket: Socket, { hash }: Session): void {
    if (!this.#sockets.has(socket)) socket.once('close', () => this.#sockets.delete(socket))
    this.#sockets.set(socket, hash)
  }

  close(): void {
    this.#release()
  }

  /** Ordinary requests are over in a moment, and the next one on their connection is asked who it is. */
  #end(hash: string): void {
    for (const [socket, each] of this.#sockets) if (each === hash && isHeld(socket)) socket.destroy()
  }
}
