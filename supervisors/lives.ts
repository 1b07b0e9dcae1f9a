// The news of who lives and who does not, for all who want it.
import type { Life } from './supervisor.ts'

/** Hands each turn of life to every listener, in order. */
export class Lives {
  readonly #listeners = new Set<(life: Life) => void>()

  readonly tell = (life: Life): void => {
    for (const listener of [...this.#listeners]) listener(life)
  }

  subscribe(listener: (life: Life) => void): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }
}
