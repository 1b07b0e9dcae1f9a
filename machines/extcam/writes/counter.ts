// A key whose value is a count: a robot program asks for something by counting up.

/** Remembers one such key, over links and over restarts of the robot's program. */
export class Counter {
  #last: number | undefined
  #session: object | undefined

  /**
   * Whether a count asks for something: when it is above the last that was seen. A smaller one comes from a robot
   * program that started again, and is remembered. isRetained: it was written before anybody here listened. The first
   * that is ever seen asks for nothing then, for it may be as old as the robot's program. session: on which it came.
   * When that had none before, whatever counted there has just begun, and a count above 0 asks whatever was seen
   * elsewhere.
   */
  asks(count: number, isRetained: boolean, session: object): boolean {
    const last = this.#last
    const isFirst = session !== this.#session
    this.#last = count
    this.#session = session
    if (isFirst && !isRetained) return count > 0
    return last !== undefined && count > last
  }
}
