// The results of a recording on their way to its sidecar. What the disk does not take in time is left out and counted,
// so that nothing grows.
import { createWriteStream, type WriteStream } from 'node:fs'
import type { Result } from '../../../machines/engine/result.ts'
import { recordOf, type SidecarHead } from '../../../machines/recording/sidecar.ts'

const MAX_WAITING_BYTES = 4 * 1024 * 1024 // a thousand long results

/** Writes the lines of one sidecar. */
export class SidecarWriter {
  readonly #file: WriteStream
  readonly #firstUs: number
  /** How many results are in it, or on their way there. */
  written = 0
  lost = 0
  #error: Error | undefined

  /** Creates the file and writes its first line. */
  constructor(path: string, head: SidecarHead) {
    this.#firstUs = head.monotonic_us_of_pts_0
    this.#file = createWriteStream(path, { flags: 'a', flush: true })
    this.#file.on('error', (error) => {
      this.#error = error
    })
    this.#file.write(`${JSON.stringify(head)}\n`)
  }

  /** Of frames that came before the first recorded picture nothing is written. */
  add(results: readonly Result[]): void {
    let lines = ''
    let count = 0
    for (const result of results) {
      const record = recordOf(result, this.#firstUs)
      if (record === undefined) continue
      if (this.#error || this.#file.writableLength > MAX_WAITING_BYTES) {
        this.lost += 1
        continue
      }
      lines += `${JSON.stringify(record)}\n`
      count += 1
    }
    if (count === 0) return
    this.written += count
    this.#file.write(lines, (error) => {
      if (!error) return
      this.written -= count
      this.lost += count
    })
  }

  /** Waits until it is on the disk, or cannot be. The error that kept it from there; undefined: none. */
  end(): Promise<Error | undefined> {
    return new Promise((resolve) => {
      if (this.#file.closed) return resolve(this.#error)
      this.#file.once('close', () => resolve(this.#error))
      this.#file.end()
    })
  }
}
