// The newest output of a terminal, for whoever attaches later: so many bytes and no more, in memory that is taken once.

/** Of each session. */
export const SCROLL_BACK_BYTES = 256 * 1024

const NEW_LINE = 0x0a

/** A ring of bytes. */
export class ScrollBack {
  readonly #ring: Uint8Array
  #end = 0 // where the next byte goes
  #isWrapped = false

  constructor(bytes = SCROLL_BACK_BYTES) {
    this.#ring = new Uint8Array(bytes)
  }

  push(chunk: Uint8Array): void {
    const size = this.#ring.length
    const kept = chunk.length > size ? chunk.subarray(chunk.length - size) : chunk
    const first = kept.subarray(0, size - this.#end)
    this.#ring.set(first, this.#end)
    this.#ring.set(kept.subarray(first.length), 0)
    this.#isWrapped ||= this.#end + chunk.length > size
    this.#end = (this.#end + kept.length) % size
    if (this.#end === 0 && kept.length > 0) this.#isWrapped = true
  }

  /**
   * What is kept, the oldest first. Where something is missing before it, it begins with a whole line: a terminal that
   * is given the rest of a character or of a control sequence shows rubbish.
   */
  content(): Uint8Array {
    if (!this.#isWrapped) return this.#ring.slice(0, this.#end)
    const all = new Uint8Array(this.#ring.length)
    all.set(this.#ring.subarray(this.#end), 0)
    all.set(this.#ring.subarray(0, this.#end), this.#ring.length - this.#end)
    const firstEnd = all.indexOf(NEW_LINE)
    return firstEnd < 0 ? all : all.subarray(firstEnd + 1)
  }
}
