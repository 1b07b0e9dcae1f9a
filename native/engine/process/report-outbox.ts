// What an engine still has to say. A control process that does not read costs no memory: of results and of each kind of
// picture only the newest waits, and whoever must not lose one waits himself.
import type { Writable } from 'node:stream'
import { encodeFrame, MAX_FRAME_BYTES } from '../protocol/frames.ts'
import type { Report } from '../protocol/reports.ts'

// Answers and edges, behind one picture that may be on its way; a peer further behind than that is not coming back.
const MAX_QUEUED_BYTES = MAX_FRAME_BYTES + 1024 * 1024

/** Writes reports to a stream, the newest first when it is slow. */
export class ReportOutbox {
  readonly #stream: Writable
  readonly #waiting = new Map<string, () => void>()
  #leaving: (() => void)[] = []

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

  /** For what makes no sense later. False: there is no room, and it is skipped. */
  sendIfRoom(report: Report, bytes: Uint8Array): boolean {
    if (this.#stream.writableNeedDrain) return false
    this.#write(report, bytes)
    return true
  }

  /** Never skipped. left: called once the peer has read so much that another may be written. */
  sendInTurn(report: Report, bytes: Uint8Array, left: () => void): void {
    this.#write(report, bytes)
    if (this.#stream.writableNeedDrain) this.#leaving.push(left)
    else left()
  }

  /** Drops what waits: it belongs to a camera that is closed now. */
  clear(): void {
    this.#waiting.clear()
    this.#leaving = []
  }

  #flush(): void {
    for (const left of this.#leaving.splice(0)) left()
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
