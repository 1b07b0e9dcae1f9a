// Runs work one after the other.

/** Each task waits for all that came before. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve()

  inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    const done = this.#last.then(work)
    this.#last = done.catch(() => {}) // a bug is of that one alone
    return done
  }
}
