// Where a connection that brings much is read into. Node makes a buffer for each read, and what those hold has the whole heap of the service marked again and again.
import type { OnReadOpts, Socket } from 'node:net'

const BYTES = 256 * 1024 // two pictures of 1280x720
const LEAST_BYTES = 64 * 1024 // what Node reads at once

/** The memory that one connection is read into: a piece for each read, one behind the other, and another room when one is full. What came stays as it is until somebody says that it is not needed any more. */
export class ReadRoom {
  #room = memory()
  #at = 0
  #socket: Socket | undefined

  /** What a connection has to be made with. */
  readonly onread: OnReadOpts = {
    buffer: () => this.#next(),
    callback: (bytes, piece) => {
      this.#at += bytes
      return this.#socket?.push(Buffer.from(piece.buffer, piece.byteOffset, bytes)) ?? false
    },
  }

  /** Once it is made. */
  serve(socket: Socket): void {
    this.#socket = socket
  }

  /** All that the connection has told of is done with: the next read begins at the front, unless something waits to be told. */
  reuse(): void {
    if (this.#socket?.readableLength === 0) this.#at = 0
  }

  #next(): Uint8Array {
    if (this.#at === 0) return this.#room
    if (this.#at + LEAST_BYTES <= BYTES) return this.#room.subarray(this.#at)
    this.#at = 0
    this.#room = memory()
    return this.#room
  }
}

const memory = (): Uint8Array => Buffer.allocUnsafeSlow(BYTES)
