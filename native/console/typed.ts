// What is typed, on its way to a program that may be slow to read it, or never does. The stream of Node would wait for
// a terminal that is full and do nothing else meanwhile: no output is read, so that the program waits as well.
import { writeSync } from 'node:fs'
import type { Pty } from './pty.ts'

/**
 * At a time. What the terminal echoes of it is read before the next: Linux 6.18 keeps 12 KiB of echo that nobody reads,
 * and throws the rest away.
 */
const PIECE_BYTES = 1024
const FULL_WAIT_MS = 10 // nothing tells when a terminal takes more; the output of its program is a hint

/** All that was typed and that the terminal has not taken yet. */
export class Typed {
  readonly #pty: Pick<Pty, 'fd' | 'stream'>
  readonly #taken: () => void
  readonly #pieces: Uint8Array[] = []
  #bytes = 0
  #isGoingOn = false

  /** taken: told when nothing waits any more. */
  constructor(pty: Pick<Pty, 'fd' | 'stream'>, taken: () => void) {
    this.#pty = pty
    this.#taken = taken
  }

  /** Bytes that wait. */
  get length(): number {
    return this.#bytes
  }

  push(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) this.#pieces.push(bytes.subarray(at, at + PIECE_BYTES))
    this.#bytes += bytes.length
    if (this.#isGoingOn) return
    this.#isGoingOn = true
    this.#write()
  }

  readonly #write = (): void => {
    const [piece] = this.#pieces
    if (!piece) {
      this.#isGoingOn = false
      this.#taken()
      return
    }
    const bytes = this.#tryWrite(piece)
    this.#bytes -= bytes
    if (bytes === piece.length) this.#pieces.shift()
    else this.#pieces[0] = piece.subarray(bytes)
    if (bytes > 0) setImmediate(this.#write)
    else setTimeout(this.#write, FULL_WAIT_MS)
  }

  /** Bytes that the terminal takes now. One that is closed takes all: its number may be that of another file by now. */
  #tryWrite(piece: Uint8Array): number {
    const { fd, stream } = this.#pty
    if (stream.destroyed) return piece.length
    try {
      return writeSync(fd, piece)
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'EAGAIN' ? 0 : piece.length
    }
  }
}
