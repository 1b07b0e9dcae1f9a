// The buffer that a connection which brings much is read into. Node makes a buffer for each read, and what those hold
// has the whole heap of the service marked again and again.
import type { OnReadOpts, Socket } from 'node:net'

const BYTES = 256 * 1024 // two pictures of 1280x720
const MIN_BYTES = 64 * 1024 // what Node reads at once

/**
 * The memory that one connection is read into: a piece for each read, one behind the other, and another buffer when one
 * is full. What came stays as it is until it is released.
 */
export class ReadBuffer {
  #memory = memory()
  #at = 0
  #socket: Socket | undefined
  #take: ((chunk: Buffer) => void) | undefined

  /** What a connection has to be made with. */
  readonly onread: OnReadOpts = {
    buffer: () => this.#next(),
    callback: (bytes, piece) => {
      this.#at = piece.byteOffset + bytes // it was handed out before the latest `reuse`, perhaps
      const chunk = piece.subarray(0, bytes) as Buffer
      if (!this.#take || !this.#isFlowing) return this.#socket?.push(chunk) ?? false
      this.#take(chunk)
      return true
    },
  }

  /** Once it is made. */
  serve(socket: Socket): void {
    this.#socket = socket
  }

  /**
   * What comes is given to `take`, by a shorter way than the stream's `data`. What comes while the connection is
   * paused, or waits from then, still comes by `data`.
   */
  giveTo(take: (chunk: Buffer) => void): void {
    this.#take = take
  }

  /**
   * All that the connection has told of is done with: the next read begins at the front, unless something waits to be
   * told.
   */
  reuse(): void {
    if (this.#socket?.readableLength === 0) this.#at = 0
  }

  get #isFlowing(): boolean {
    return this.#socket?.readableFlowing === true && this.#socket.readableLength === 0
  }

  #next(): Uint8Array {
    if (this.#at === 0) return this.#memory
    if (this.#at + MIN_BYTES <= BYTES) return this.#memory.subarray(this.#at)
    this.#at = 0
    this.#memory = memory()
    return this.#memory
  }
}

const memory = (): Uint8Array => Buffer.allocUnsafeSlow(BYTES)
