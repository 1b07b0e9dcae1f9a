// The I2C buses of this device: what the system says of them, which touches none; and a scan, which does.
import type * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import type { I2cReading } from '../../machines/i2c/reading.ts'
import type { I2cAnswer, I2cQuestion } from '../../machines/i2c/scan.ts'
import { token } from '../../machines/token.ts'

export interface I2cPort {
  /** What the system knows. It asks nothing over a bus and never fails: what cannot be read is left out. */
  readonly read: Effect.Effect<I2cReading>
  /**
   * Asks at each address for one byte, and where something answers for the registers of the question; each answer is
   * told as it comes. Whether the bus may be asked is decided before. Fails with `i2c.stuck` when the bus does not
   * move, `device.failed` when it cannot be reached.
   */
  readonly scan: (
    adapter: number,
    questions: readonly I2cQuestion[],
    heard: (answer: I2cAnswer) => void,
  ) => Effect.Effect<void, Fault>
}

/** The I2C buses of this device. */
export const I2C = token<I2cPort>('i2c')
