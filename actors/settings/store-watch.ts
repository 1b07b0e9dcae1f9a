// Looks whether anything can be stored, so that people are told before they lose something: the folder may have been
// removed, the card have turned read-only, the disk be full.
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import type { Documents } from '../../native/documents/port.ts'

const LOOK_EVERY = '15 seconds'

/** What the watch over the settings store works with. */
export interface StoreWatchParts {
  /** What the opening of the store met, which people are to know until the next start; null: nothing. */
  readonly standing: Fault | null
  /** What a write would be told. */
  readonly check: Documents['check']
  /** Enters a fault in the error history. */
  readonly record: (fault: Fault) => void
}

export class StoreWatch {
  readonly #parts: StoreWatchParts
  #wake: () => void = () => {}
  #known: Fault | null = null

  constructor(parts: StoreWatchParts) {
    this.#parts = parts
  }

  /** Something was written, or could not be: where that is news, it is looked at once. */
  noteWrite(isDone: boolean): void {
    if (isDone === (this.#known !== null)) this.#wake()
  }

  /** Looks, for ever, and tells what there is: a fault; null when it is over. */
  follow(tell: (fault: Fault | null) => void): Effect.Effect<never> {
    const look = (isByItself: boolean) =>
      Effect.map(
        Effect.match(this.#parts.check, { onSuccess: () => null, onFailure: (fault: Fault) => fault }),
        (fault) => {
          // Who could not write has been told, and so has the history.
          if (fault && isByItself && fault.code !== this.#known?.code) this.#parts.record(fault)
          this.#known = fault
          tell(fault ?? this.#parts.standing)
        },
      )
    const woken = Effect.callback<boolean>((resume) => {
      this.#wake = () => resume(Effect.succeed(false))
      return Effect.sync(() => {
        this.#wake = () => {}
      })
    })
    const next = Effect.raceFirst(Effect.as(Effect.sleep(LOOK_EVERY), true), woken)
    return Effect.andThen(
      Effect.sync(() => tell(this.#parts.standing)),
      Effect.forever(Effect.flatMap(next, look)),
    )
  }
}
