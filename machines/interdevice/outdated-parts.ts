// The parts of another device that may have changed since they were read: noted by its events, until they are read
// again.
import type { InventoryPart } from './inventory-part.ts'

/** Of so many parts no list is kept any more: the whole is read. A device has a handful. */
const MAX_PARTS = 64

interface Noted {
  readonly part: InventoryPart
  /** The newest event that it was in. */
  readonly seq: number
}

/** Numbers are the numbers of the device's events, of one epoch. */
export class OutdatedParts {
  #isWhole = true
  #turn = 0
  #readings = 0
  #wholeReadAt = 0
  readonly #noted = new Map<string, Noted>()
  readonly #readAt = new Map<string, number>()

  /** Whether the whole has to be read. */
  get isWhole(): boolean {
    return this.#isWhole
  }

  /** Rises with each time that nothing is known to be so any more. Who reads the whole remembers it. */
  get turn(): number {
    return this.#turn
  }

  /** How often something was read. */
  get readings(): number {
    return this.#readings
  }

  /** Nothing may be different. */
  get isNothing(): boolean {
    return !this.#isWhole && this.#noted.size === 0
  }

  /** Those that have to be read, in the order in which they were noted. */
  get parts(): readonly InventoryPart[] {
    return [...this.#noted.values()].map(({ part }) => part)
  }

  /** Nothing is known to be so any more. */
  all(): void {
    this.#isWhole = true
    this.#turn += 1
    this.#wholeReadAt = 0
    this.#noted.clear()
    this.#readAt.clear()
  }

  /** An event tells of a part. False: what was read has that already. */
  note(part: InventoryPart, seq: number): boolean {
    const key = keyOf(part)
    if (seq <= Math.max(this.#wholeReadAt, this.#readAt.get(key) ?? 0)) return false
    this.#noted.set(key, { part, seq })
    if (this.#noted.size > MAX_PARTS) this.all()
    return true
  }

  /** The whole was read as it was after that event. turn: as it was when it was asked for. */
  hasReadAll(seq: number, turn: number): void {
    if (turn !== this.#turn) return
    this.#isWhole = false
    this.#readings += 1
    this.#wholeReadAt = seq
    this.#readAt.clear()
    for (const [key, noted] of this.#noted) if (noted.seq <= seq) this.#noted.delete(key)
  }

  /** A part was read as it was after that event. */
  hasRead(part: InventoryPart, seq: number): void {
    const key = keyOf(part)
    const noted = this.#noted.get(key)
    if (noted && noted.seq <= seq) this.#noted.delete(key)
    if (this.#readAt.size >= MAX_PARTS) this.#readAt.clear() // at worst one is read once more
    this.#readings += 1
    this.#readAt.set(key, seq)
  }

  /**
   * Who was asked for a sign of life after so many readings has given it: what those have and had been told before has
   * come, and what comes now is news, whatever its number. Or a reading that says too high a number would have all news
   * taken for old.
   */
  hasCaughtUp(readings: number): void {
    if (readings !== this.#readings) return
    this.#wholeReadAt = 0
    this.#readAt.clear()
  }
}

const keyOf = ({ type, id }: InventoryPart): string => `${type}/${id}`
