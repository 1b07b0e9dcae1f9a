// A value that takes a while to be found out, found out again after a while.

/** Parts of a slow value. */
export interface SlowValueParts<Value> {
  /** Never fails. */
  readonly find: () => Promise<Value>
  /** Until it was found. */
  readonly first: Value
  readonly everyMs: number
  readonly nowMs: () => number
}

/** What was found last is told meanwhile. */
export class SlowValue<Value> {
  readonly #parts: SlowValueParts<Value>
  #value: Value
  #finding: Promise<void> | undefined
  #askedMs = Number.NEGATIVE_INFINITY

  constructor(parts: SlowValueParts<Value>) {
    this.#parts = parts
    this.#value = parts.first
  }

  get value(): Value {
    return this.#value
  }

  /** Done when it is as new as it has to be. */
  look(): Promise<void> {
    const { find, everyMs, nowMs } = this.#parts
    if (this.#finding) return this.#finding
    if (nowMs() - this.#askedMs < everyMs) return Promise.resolve()
    this.#askedMs = nowMs()
    this.#finding = find()
      .then((value) => {
        this.#value = value
      })
      .finally(() => {
        this.#finding = undefined
      })
    return this.#finding
  }
}
