// A slot with the newest value of something, for all subscribers.
import { Listeners, type OnBug } from './listeners.ts'

/**
 * A latest-value slot: the newest value wins, slow readers skip, nothing grows.
 *
 * Frames travel through these and never through an actor's mailbox. It outlives the engine that fills it, so a viewer's
 * socket stays open while an engine is restarted. Listeners are called synchronously, in the order in which they came;
 * what one throws goes to `onBug`.
 */
export class Latest<T> {
  #value: T | undefined
  readonly #listeners: Listeners<T>

  constructor(onBug?: OnBug) {
    this.#listeners = new Listeners(onBug)
  }

  /** The newest value, or undefined before the first. */
  get value(): T | undefined {
    return this.#value
  }

  set(value: T): void {
    this.#value = value
    this.#listeners.notify(value)
  }

  /** Calls `listener` for each value set from now on; returns the way to stop that. */
  subscribe(listener: (value: T) => void): () => void {
    return this.#listeners.add(listener)
  }
}
