// Connections that go on because a request was let in: pictures and feeds that were opened with a session end with it,
// and all that a device has open with its trust.
import type { Socket } from 'node:net'
import { isHeld } from '../connections/connections.ts'

/**
 * A session, or trust, can end by the clock alone, which may be set at any time: nobody would say so. A look costs next
 * to nothing.
 */
const LOOK_EVERY_MS = 1_000

/**
 * Why requests passed on a socket. isCutOff: whether an ordinary request ends with it too. Else it is left to its end,
 * which is near, and the next one on its connection is asked who it is: who signs out shall get the answer.
 */
export interface Pass {
  readonly isGood: () => boolean
  readonly isCutOff: boolean
}

/** Calls when passes may have ended. Returns the way to stop that. */
type Ends = (look: () => void) => () => void

/** The sockets on which requests passed that would not have passed else. */
export class AdmittedSockets {
  readonly #sockets = new Map<Socket, Pass>()
  readonly #releases: readonly (() => void)[]
  #looks: NodeJS.Timeout | undefined // only while there is something to look at

  constructor(ends: readonly Ends[]) {
    this.#releases = ends.map((each) => each(() => this.#look()))
  }

  /** A keep-alive connection stands here with its latest pass. */
  add(socket: Socket, pass: Pass): void {
    if (!this.#sockets.has(socket)) socket.once('close', () => this.#forget(socket))
    this.#sockets.set(socket, pass)
    this.#looks ??= setInterval(() => this.#look(), LOOK_EVERY_MS).unref()
  }

  close(): void {
    for (const release of this.#releases) release()
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

  #look(): void {
    for (const [socket, { isGood, isCutOff }] of this.#sockets)
      if ((isCutOff || isHeld(socket)) && !isGood()) socket.destroy()
  }
}
