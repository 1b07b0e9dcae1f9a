/**
 * A latest-value slot: the newest value wins, slow readers skip, nothing grows.
 *
 * Frames travel through these and never through an actor's mailbox. It outlives the engine that fills it, so a viewer's socket stays open
 * while an engine is restarted. Listeners are called synchronously, in the order in which they came, and must not throw.
 */
export class Latest<T> {
  #value: T | undefined
  readonly #listeners = new Set<(value: T) => void>()

  /** The newest value, or undefined before the first. */
  get value(): T | undefined {
    return this.#value
  }

  set(value: T): void {
    this.#value = value
    for (const listener of this.#listeners) listener(value)
  }

  /** Forgets the value; listeners stay. */
  clear(): void {
    this.#value = undefined
  }

  /** Calls `listener` for each value set from now on; returns the way to stop that. */
  subscribe(listener: (value: T) => void): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }
}
