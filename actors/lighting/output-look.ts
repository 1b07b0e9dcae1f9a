// Looks which outputs there are, for whoever asks, and not again for each of them.
import type { Fault } from '../../machines/errors/fault.ts'
import { type Clock, monotonicMs } from '../../native/clock/port.ts'
import type { FoundOutputs, Lights } from '../../native/lighting/port.ts'
import { answerOf, answerOrFail, within } from '../run.ts'

/** A look reads a hundred files and asks a program for lines: pages ask each second, plugs are not so quick. */
const COUNTS_MS = 2_000
const LIMIT = '10 seconds' // a bus that hangs takes longer
const TOO_SLOW: Fault = { code: 'device.failed', detail: 'the outputs were not found within 10 s' }

export class OutputLook {
  readonly #lights: Pick<Lights, 'find'>
  readonly #clock: Pick<Clock, 'monotonicUs'>
  #last: { readonly at_ms: number; readonly answer: Promise<FoundOutputs | Fault> } | undefined

  constructor(lights: Pick<Lights, 'find'>, clock: Pick<Clock, 'monotonicUs'>) {
    this.#lights = lights
    this.#clock = clock
  }

  /** What there is now, or was a moment ago. */
  look(): Promise<FoundOutputs | Fault> {
    const now_ms = monotonicMs(this.#clock)
    if (!this.#last || now_ms - this.#last.at_ms >= COUNTS_MS) this.#last = { at_ms: now_ms, answer: this.lookNow() }
    return this.#last.answer
  }

  /** What there is now. */
  lookNow(): Promise<FoundOutputs | Fault> {
    return answerOf(answerOrFail(this.#lights.find).pipe(within(LIMIT, TOO_SLOW)))
  }
}
