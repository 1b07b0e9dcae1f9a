// What an engine still has to say. A control process that does not read costs no memory: of results and of each kind of picture only the newest waits.
import type { Writable } from 'node:stream'
import { encodeFrame, type Report } from './wire.ts'

const MAX_QUEUED_BYTES = 1024 * 1024 // answers and edges only; a peer that far behind is not coming back

/** Writes reports to a stream, the newest first when it is slow. */
export class Outbox {
  readonly #stream: Writable
  readonly #waiting = new Map<string, () => void>()

  constructor(stream: Writable) {
    this.#stream = stream
    stream.on('drain', () => this.#flush())
  }

  /** Never skipped: answers and edges, which are few. */
  send(report: Report): void {
    if (this.#stream.writableLength < MAX_QUEUED_BYTES) this.#write(report)
  }

  /** Replaces an older report of the same key that could not be written yet. */
  sendLatest(key: string, report: Report, bytes: Uint8Array): void {
    if (this.#stream.writableNeedDrain) this.#waiting.set(key, () => this.#write(report, bytes))
    else this.#write(report, bytes)
  }

  /** Drops what waits: it belongs to a camera that is closed now. */
  clear(): void {
    this.#waiting.clear()
  }

  #flush(): void {
    for (const [key, write] of this.#waiting) {
      if (this.#stream.writableNeedDrain) return
      this.#waiting.delete(key)
      write()
    }
  }

  #write(report: Report, bytes?: Uint8Array): void {
    const [head, tail] = encodeFrame(report, bytes)
    if (!tail) {
      this.#stream.write(head)
      return
    }
    this.#stream.cork()
    this.#stream.write(head)
    this.#stream.write(tail)
    this.#stream.uncork()
  }
}
