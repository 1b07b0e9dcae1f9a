// The listeners of one form. A message is encoded once, and each of them is sent the same bytes; of a slow one only its
// position in them is kept.
import type { Socket } from 'node:net'
import type { WebSocket } from 'ws'

/** A listener. connection: what its socket writes to. */
export interface Ends {
  readonly socket: WebSocket
  readonly connection: Socket
}

/**
 * What was told in one turn of the event loop: whole frames. end: so many bytes were told with its last, since the
 * first of all.
 */
interface Piece {
  readonly bytes: Buffer
  readonly end: number
}

interface Member extends Ends {
  readonly taken: (error?: Error | null) => void
  /** So many of the published bytes it was sent, or came too late for. */
  at: number
  /** The system does not have all yet that it was sent. */
  isTaking: boolean
}

const MAX_BEHIND_BYTES = 1_048_576
const MAX_AT_ONCE_BYTES = 65_536 // of what waits for one
const TRY_AGAIN_LATER = 1013

/**
 * All of them are sent frames as they are, past the library, which would make a head for each and write it and the rest
 * as two: without compression it leaves each frame of its own whole in the connection when it returns.
 */
export class Subscribers {
  readonly #members = new Set<Member>()
  #turn: Buffer[] = []
  #pieces: readonly Piece[] = []
  #end = 0

  get isEmpty(): boolean {
    return this.#members.size === 0
  }

  /** Sends it these frames first, and all that is published from now on. Returns the function that removes it. */
  join(ends: Ends, first: Buffer): () => void {
    this.sendNow()
    const taken = (error?: Error | null) => {
      member.isTaking = false
      if (!error) this.#send(member)
    }
    const member: Member = { ...ends, taken, at: this.#end, isTaking: true }
    this.#members.add(member)
    member.connection.write(first, taken)
    return () => this.#members.delete(member)
  }

  /** What is told in one turn of the event loop goes out in one write, when it ends. */
  tell(frame: Buffer): void {
    if (this.#turn.length === 0) setImmediate(() => this.sendNow())
    this.#turn.push(frame)
  }

  /** Sends what was told in this turn. */
  sendNow(): void {
    if (this.#turn.length === 0) return
    const bytes = this.#turn.length === 1 ? (this.#turn[0] as Buffer) : Buffer.concat(this.#turn)
    this.#turn = []
    this.#end += bytes.length
    this.#pieces = [...this.#pieces, { bytes, end: this.#end }]
    let oldest = this.#end
    for (const member of this.#members) {
      this.#send(member)
      if (isOpen(member)) oldest = Math.min(oldest, member.at)
    }
    this.#pieces = this.#pieces.filter(({ end }) => end > oldest)
  }

  #send(member: Member): void {
    if (member.at === this.#end || !isOpen(member)) return // closing; the pings see to its end
    if (!member.isTaking) this.#sendNext(member)
    else if (this.#end - member.at > MAX_BEHIND_BYTES)
      member.socket.close(TRY_AGAIN_LATER, 'too far behind; come back with since and epoch')
  }

  #sendNext(member: Member): void {
    const { connection, taken } = member
    const next = this.#nextFor(member)
    const last = next.at(-1) as Piece
    member.at = last.end
    member.isTaking = true
    if (next.length > 1) connection.cork()
    for (const piece of next) {
      if (piece === last) connection.write(piece.bytes, taken)
      else connection.write(piece.bytes)
    }
    if (next.length > 1) connection.uncork()
  }

  /** At least one piece; of many as many as go at once. */
  #nextFor({ at }: Member): readonly Piece[] {
    let from = this.#pieces.length - 1
    while (from > 0 && (this.#pieces[from - 1] as Piece).end > at) from -= 1
    const waiting = this.#pieces.slice(from)
    const count = waiting.findIndex(({ end }) => end - at >= MAX_AT_ONCE_BYTES)
    return count < 0 ? waiting : waiting.slice(0, count + 1)
  }
}

const isOpen = ({ socket }: Member): boolean => socket.readyState === socket.OPEN
