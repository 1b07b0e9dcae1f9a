// Lines that come while an item is being written, on their way to a file beside it. What the disk does not take in time
// is left out, so that nothing grows.
import { createWriteStream, type WriteStream } from 'node:fs'

/** Two minutes of a fast IMU that were kept come at once. */
const MAX_WAITING_BYTES = 16 * 1024 * 1024

/** More than an hour of a fast IMU. */
const MAX_BYTES = 512 * 1024 * 1024

/** The file is made with its first lines. */
export class LineFile {
  readonly #path: string
  #file: WriteStream | undefined
  #bytes = 0
  #error: Error | undefined

  constructor(path: string) {
    this.#path = path
  }

  /** Whole lines. False: they are left out. */
  append(lines: string): boolean {
    if (this.#error || this.#bytes + lines.length > MAX_BYTES) return false
    this.#file ??= this.#begun()
    if (this.#file.writableEnded || this.#file.writableLength + lines.length > MAX_WAITING_BYTES) return false
    this.#bytes += lines.length
    this.#file.write(lines)
    return true
  }

  /** Waits until all of it is on the disk, or cannot be. What kept it from there; undefined: nothing. */
  end(): Promise<Error | undefined> {
    const file = this.#file
    if (!file || file.closed) return Promise.resolve(this.#error)
    return new Promise((resolve) => {
      file.once('close', () => resolve(this.#error))
      file.end()
    })
  }

  #begun(): WriteStream {
    const file = createWriteStream(this.#path, { flags: 'a', flush: true })
    file.on('error', (error) => {
      this.#error = error
    })
    return file
  }
}
