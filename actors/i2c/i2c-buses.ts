// The I2C buses, for all who ask: read from the system at each question, which touches none of them, and scanned as
// work for jobs. Whether a bus may be scanned is looked at again when its turn has come: a display or a driver may have
// come meanwhile.
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import { isFault } from '../../machines/errors/fault.ts'
import type { I2cReading } from '../../machines/i2c/reading.ts'
import { type I2cAnswer, scanQuestions, scanResult } from '../../machines/i2c/scan.ts'
import { scannable, type WantedScan } from '../../machines/i2c/scannable.ts'
import type { I2cPort } from '../../native/i2c/port.ts'
import type { Work } from '../jobs/jobs.ts'

/** What it works with. */
export interface I2cParts {
  readonly i2c: I2cPort
}

export class I2cBuses {
  readonly #i2c: I2cPort

  constructor({ i2c }: I2cParts) {
    this.#i2c = i2c
  }

  reading(): Promise<I2cReading> {
    return Effect.runPromise(this.#i2c.read)
  }

  /** The work of a job. Its result is an `I2cScan`. */
  scan(wanted: WantedScan): Work {
    const i2c = this.#i2c
    return (report) =>
      Effect.gen(function* () {
        const adapter = scannable(yield* i2c.read, wanted)
        if (isFault(adapter)) return yield* Effect.fail<Fault>(adapter)
        const questions = scanQuestions(adapter)
        const answers: I2cAnswer[] = []
        yield* i2c.scan(adapter.number, questions, (answer) => {
          answers.push(answer)
          report({
            percent: (100 * answers.length) / questions.length,
            stage: 'asking',
            message: `${answers.length} of ${questions.length} addresses of i2c-${adapter.number}`,
          })
        })
        return scanResult(adapter, answers)
      })
  }
}
