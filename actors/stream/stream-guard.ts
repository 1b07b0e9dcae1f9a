// What the resource guard takes from a stream. It outlives the guard, which gives everything back when it ends.
import type { Fault } from '../../machines/errors/fault.ts'
import type { GuardedStatus } from '../../machines/guard/guarded-status.ts'
import { NO_LIMIT, type StreamLimit } from '../../machines/guard/levels.ts'
import { Listeners, type OnBug } from '../../machines/listeners.ts'

/** What a stream is told by the guard, and how people are told. */
export interface Guarded {
  readonly limit: StreamLimit
  /** null: nothing is taken, and nobody has restored it just now. */
  readonly status: GuardedStatus | null
}

const UNGUARDED: Guarded = { limit: NO_LIMIT, status: null }

/** The guard's part of a stream. Written by the resource guard alone. */
export class StreamGuard {
  readonly #changed: Listeners<void>
  readonly #paused: Listeners<void>
  #guarded = UNGUARDED

  constructor(onBug?: OnBug) {
    this.#changed = new Listeners(onBug)
    this.#paused = new Listeners(onBug)
  }

  get limit(): StreamLimit {
    return this.#guarded.limit
  }

  get status(): GuardedStatus | null {
    return this.#guarded.status
  }

  /** Why nothing of it runs; null: it does. */
  get pause(): Fault | null {
    const { limit, status } = this.#guarded
    return limit.is_paused ? { code: 'guard.paused', detail: status?.detail ?? '' } : null
  }

  /** From now on that is taken; undefined: nothing. */
  set(guarded: Guarded = UNGUARDED): void {
    const { is_paused } = this.#guarded.limit
    this.#guarded = guarded
    this.#changed.notify()
    if (guarded.limit.is_paused !== is_paused) this.#paused.notify()
  }

  /** Calls back after each change; returns the way to stop that. */
  onChanged(changed: () => void): () => void {
    return this.#changed.add(changed)
  }

  /** Calls back when it was paused, or let on; returns the way to stop that. */
  onPaused(paused: () => void): () => void {
    return this.#paused.add(paused)
  }
}
