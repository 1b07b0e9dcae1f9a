// Files of the kernel that are read again and again: opened once, read from their beginning each time.
import { closeSync, openSync, readSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'

const MAX_BYTES = 65_536
const AROUND = /^[\s\0]+|[\s\0]+$/g
const shared = Buffer.allocUnsafe(MAX_BYTES)

/**
 * A file that the kernel answers at once, out of its own memory. One that fails is opened again the next time: what it
 * belongs to may have come back.
 */
export class HeldFile {
  readonly #path: string
  #fd: number | undefined

  constructor(path: string) {
    this.#path = path
  }

  /** null: it cannot be read now. */
  text(): string | null {
    try {
      this.#fd ??= openSync(this.#path, 'r')
      let length = 0
      while (length < MAX_BYTES) {
        const got = readSync(this.#fd, shared, length, MAX_BYTES - length, length)
        if (got === 0) break
        length += got
      }
      return shared.toString('latin1', 0, length).replace(AROUND, '')
    } catch {
      this.close()
      return null
    }
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd)
    this.#fd = undefined
  }
}

const LIMIT_BYTES = 4_096 // a value of a sensor or a driver is a line
const LATE_MS = 100 // longer takes no memory of a driver, only a chip on a bus that does not answer
const REST_FACTOR = 20
const MAX_REST_MS = 30_000
const MAX_AGE_MS = MAX_REST_MS + 10_000

/** A file whose answer may take a while, since a driver asks a chip for it. What it said last is told meanwhile. */
export class SlowFile {
  readonly path: string
  readonly #nowMs: () => number
  #handle: FileHandle | undefined
  #text: string | null = null
  #readMs = Number.NEGATIVE_INFINITY
  #restsUntilMs = Number.NEGATIVE_INFINITY
  #isReading = false
  #isClosed = false

  constructor(path: string, nowMs: () => number) {
    this.path = path
    this.#nowMs = nowMs
  }

  /** What it said last; null: it could not be read, or that is long ago. */
  get text(): string | null {
    return this.#nowMs() - this.#readMs < MAX_AGE_MS ? this.#text : null
  }

  /** Reads it; one that answered late is left alone for a while. Never fails. */
  async ask(): Promise<void> {
    const startedMs = this.#nowMs()
    if (this.#isClosed || startedMs < this.#restsUntilMs) return
    this.#isReading = true
    this.#text = await this.#read()
    this.#isReading = false
    const tookMs = this.#nowMs() - startedMs
    this.#readMs = startedMs + tookMs
    if (tookMs > LATE_MS) this.#restsUntilMs = this.#readMs + Math.min(MAX_REST_MS, tookMs * REST_FACTOR)
    if (this.#isClosed) await this.#release()
  }

  async #read(): Promise<string | null> {
    try {
      this.#handle ??= await open(this.path, 'r')
      const bytes = Buffer.allocUnsafe(LIMIT_BYTES)
      const { bytesRead } = await this.#handle.read(bytes, 0, LIMIT_BYTES, 0)
      return bytes.toString('latin1', 0, bytesRead).replace(AROUND, '')
    } catch {
      await this.#release()
      return null
    }
  }

  async #release(): Promise<void> {
    const handle = this.#handle
    this.#handle = undefined
    await handle?.close().catch(() => {})
  }

  /** One that is being read is released when that has ended. */
  close(): void {
    this.#isClosed = true
    if (!this.#isReading) void this.#release()
  }
}

/**
 * Slow files that are read one after the other, so that however many of them hang, they hold one thread of the pool
 * that all files of the process are read by.
 */
export class SlowFiles {
  #files: readonly SlowFile[] = []
  #asking: Promise<void> | undefined

  /** From now on these. */
  replace(files: readonly SlowFile[]): void {
    const kept = new Set(files)
    for (const file of this.#files) if (!kept.has(file)) file.close()
    this.#files = files
  }

  /** Done when all were read, also when they were being read already. */
  ask(): Promise<void> {
    this.#asking ??= this.#askAll().finally(() => {
      this.#asking = undefined
    })
    return this.#asking
  }

  async #askAll(): Promise<void> {
    for (const file of this.#files) await file.ask()
  }

  close(): void {
    this.replace([])
  }
}
