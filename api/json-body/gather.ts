// Bodies whose length is not said may come in pieces of one byte each: they are put together as they come. A million
// pieces that are put together at the end hold up everybody else.
import type { IncomingMessage } from 'node:http'
import { pipeline, type Readable, Transform } from 'node:stream'

const MAX_PIECE_BYTES = 16 * 1024

/** The same bytes in larger pieces, where they may come in small ones. */
export const gatherBody = (headers: IncomingMessage['headers'], payload: Readable): Readable =>
  // whoever reads it is told of errors
  headers['transfer-encoding'] === undefined ? payload : pipeline(payload, new Gathering(), () => {})

class Gathering extends Transform {
  #piece = Buffer.allocUnsafe(MAX_PIECE_BYTES)
  #bytes = 0

  override _transform(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    if (this.#bytes + chunk.length > MAX_PIECE_BYTES) this.#pass()
    if (chunk.length > MAX_PIECE_BYTES) this.push(chunk)
    else this.#bytes += chunk.copy(this.#piece, this.#bytes)
    done()
  }

  override _flush(done: () => void): void {
    this.#pass()
    done()
  }

  #pass(): void {
    if (this.#bytes > 0) this.push(Buffer.from(this.#piece.subarray(0, this.#bytes)))
    this.#bytes = 0
  }
}
