// What does the work of a step, as those see it who keep it.

/** Runs until end(). */
export interface KeptHost {
  /** Of its channel. */
  readonly number: number
  /** Names of the classes that it tells apart. */
  readonly labels: readonly string[] | undefined
  /** Waits until it can be asked. Fails with a sentence when it cannot begin; it has ended then. */
  readonly ready: Promise<void>
  /** Whether a plan has it. */
  readonly isUsed: boolean
  /** To be called now and then: ends what hangs. */
  look(): void
  /** Whoever waits for it is told at once that it is gone. */
  end(): Promise<void>
}
