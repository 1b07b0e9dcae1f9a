// The listeners of one thing, kept from harming one another.

/** Told of what a listener threw. */
export type OnBug = (bug: unknown) => void

/**
 * A set of listeners, called synchronously in the order in which they came.
 *
 * A listener that throws is heard of by `onBug` and called again the next time; neither the others nor the one who
 * notifies notice. What is thrown while a bug is being told of is dropped: telling of it may lead back here. Without
 * `onBug` the first bug is thrown after all were called.
 */
export class Listeners<T> {
  readonly #listeners = new Set<(value: T) => void>()
  readonly #onBug: OnBug | undefined
  #isReporting = false

  constructor(onBug?: OnBug) {
    this.#onBug = onBug
  }

  /** Returns the way to stop listening. The same function may listen twice. */
  add(listener: (value: T) => void): () => void {
    const own = (value: T) => listener(value)
    this.#listeners.add(own)
    return () => {
      this.#listeners.delete(own)
    }
  }

  get size(): number {
    return this.#listeners.size
  }

  notify(value: T): void {
    let bugs: unknown[] | undefined // no array for each frame
    for (const listener of this.#listeners) {
      try {
        listener(value)
      } catch (bug) {
        bugs = [...(bugs ?? []), bug]
      }
    }
    if (bugs) this.#report(bugs)
  }

  #report(bugs: readonly unknown[]): void {
    if (!this.#onBug) throw bugs[0]
    if (this.#isReporting) return
    this.#isReporting = true
    try {
      for (const bug of bugs) this.#onBug(bug)
    } finally {
      this.#isReporting = false
    }
  }
}

interface Subscribable<T> {
  readonly getSnapshot: () => T
  readonly subscribe: (listener: (value: T) => void) => { readonly unsubscribe: () => void }
}

// Changes that settle something need a few; more than this many in answer to one change would keep all else in the
// process waiting for ever.
const MAX_ROUNDS = 100

/**
 * Makes a store's subscribers listeners as above, and returns the store.
 *
 * By itself `@xstate/store` lets a subscriber's throw out of the change itself, and never again calls those that
 * subscribed after it. A change that a subscriber makes is told when all have heard of the one before: `@xstate/store`
 * tells nothing to a subscriber that is still being called, as the one is that calls them all. Of subscribers that
 * answer every change with another one the last change is not told, and `onBug` hears of it.
 */
export const isolateSubscribers = <T, Store extends Subscribable<T>>(
  store: Store & Subscribable<T>,
  onBug?: OnBug,
): Store => {
  const listeners = new Listeners<T>(onBug)
  store.subscribe(() => {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const told = store.getSnapshot()
      listeners.notify(told)
      if (told === store.getSnapshot()) return
    }
    const bug = new Error(`the subscribers of a store have changed it ${MAX_ROUNDS} times in answer to one change`)
    if (!onBug) throw bug
    onBug(bug)
  })
  const subscribe: Subscribable<T>['subscribe'] = (listener) => ({ unsubscribe: listeners.add(listener) })
  return Object.assign(store, { subscribe })
}
