// What a program is told: it waits here in pieces until the program reads it, so that it is seen whether it reads.

/** What is not read in so long a queue has no room. */
export const MAX_QUEUED_BYTES = 4 * 1024 * 1024

/** Beyond that for what is short: refusals, orders to end. */
const RESERVED_BYTES = 256 * 1024

const PIECE_BYTES = 64 * 1024 // each that is read shows that the program reads

/** What it works with. */
export interface OutboxParts {
  /** Hands a piece to the kernel; `done` when that has all of it. */
  readonly write: (piece: Uint8Array, done: () => void) => void
  /** Something had no room, and nothing was read for as long as a program may take. Told once. */
  readonly stuck: () => void
  /** How long that is. */
  readonly stuckMs: number
  /** The length of a message that is short. */
  readonly shortBytes: number
}

/** The messages to one program. */
export class Outbox {
  readonly #parts: OutboxParts
  readonly #pieces: Uint8Array[] = []
  #queued = 0
  #isWriting = false
  #isClosed = false
  #timer: NodeJS.Timeout | undefined

  constructor(parts: OutboxParts) {
    this.#parts = parts
  }

  /** Not taken by the kernel yet. */
  get queuedBytes(): number {
    return this.#queued
  }

  /** Whether there was room for a message; where nothing waits, there is. Its chunks must not change from then on. */
  push(chunks: readonly Uint8Array[]): boolean {
    if (this.#isClosed) return false
    const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
    const room = MAX_QUEUED_BYTES + (length <= this.#parts.shortBytes ? RESERVED_BYTES : 0)
    if (this.#queued > 0 && this.#queued + length > room) {
      this.#timer ??= setTimeout(() => this.#parts.stuck(), this.#parts.stuckMs).unref()
      return false
    }
    for (const chunk of chunks)
      for (let at = 0; at < chunk.length; at += PIECE_BYTES) this.#pieces.push(chunk.subarray(at, at + PIECE_BYTES))
    this.#queued += length
    this.#writeNext()
    return true
  }

  /** Nothing of it is written any more. */
  close(): void {
    this.#isClosed = true
    this.#stopTimer()
    this.#pieces.length = 0
    this.#queued = 0
  }

  /** All is read: what has no room from now on is another matter. */
  #stopTimer(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #writeNext(): void {
    if (this.#isWriting) return
    const piece = this.#pieces.shift()
    if (!piece) return
    this.#isWriting = true
    this.#parts.write(piece, () => {
      this.#isWriting = false
      if (this.#isClosed) return
      this.#queued -= piece.length
      if (this.#queued > 0) this.#timer?.refresh()
      else this.#stopTimer()
      this.#writeNext()
    })
  }
}
