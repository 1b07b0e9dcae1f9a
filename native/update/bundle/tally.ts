// Whether a bundle is whole, found out as its bytes come, so that nobody waits for it to be read again.
import { createHash } from 'node:crypto'
import type { Fault } from '../../../machines/errors/fault.ts'
import { BUNDLE_BEGINNING, CLOSING_BYTES, closingOf } from './format.ts'
import { DAMAGED, NO_BUNDLE } from './refusals.ts'

/** The bytes of one bundle, from its first on. */
export class Tally {
  readonly #hash = createHash('sha256')
  #beginning = Buffer.alloc(0)
  /** What may turn out to be the closing frame. */
  #end = Buffer.alloc(0)
  #bytes = 0

  /** How many came. */
  get bytes(): number {
    return this.#bytes
  }

  /** Takes the next ones. */
  add(piece: Buffer): void {
    this.#bytes += piece.length
    const missing = BUNDLE_BEGINNING.length - this.#beginning.length
    if (missing > 0) this.#beginning = Buffer.concat([this.#beginning, piece.subarray(0, missing)])
    if (piece.length >= CLOSING_BYTES) {
      this.#hash.update(this.#end).update(piece.subarray(0, -CLOSING_BYTES))
      this.#end = Buffer.from(piece.subarray(-CLOSING_BYTES)) // a copy: the piece itself is large, and goes
      return
    }
    const both = Buffer.concat([this.#end, piece])
    const surplus = Math.max(0, both.length - CLOSING_BYTES)
    this.#hash.update(both.subarray(0, surplus))
    this.#end = both.subarray(surplus)
  }

  /** Why what came until now is the beginning of no bundle; undefined: it may be one. */
  beginningFlaw(): Fault | undefined {
    const begins = BUNDLE_BEGINNING.subarray(0, this.#beginning.length)
    return this.#beginning.equals(begins) ? undefined : NO_BUNDLE
  }

  /** Why what came is no whole bundle; undefined: it is. Nothing is added afterwards. */
  flaw(): Fault | undefined {
    if (this.#beginning.length < BUNDLE_BEGINNING.length) return NO_BUNDLE
    return this.beginningFlaw() ?? (this.#end.equals(closingOf(this.#hash.copy().digest())) ? undefined : DAMAGED)
  }
}
