// A key whose value is a count: a robot program asks for something by counting up.

/** Remembers one such key, over links and over restarts of the robot's program. */
export class Counter {
  #last: number | undefined

  /**
   * Whether a count asks for something: when it is above the last that was seen. A smaller one comes from a robot program that began anew, and is remembered.
   * isRetained: it was written before anybody here listened. The first that is ever seen asks for nothing then, for it may be as old as the robot's program.
   */
  asks(count: number, isRetained: boolean): boolean {
    const last = this.#last
    this.#last = count
    return last === undefined ? !isRetained && count > 0 : count > last
  }
}
