// The I2C buses of Linux. A scan is done by a program of its own, which is started for it and ended with it: a bus that
// does not move holds whoever asks in the kernel, and that is not the service.
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import type { I2cAnswer, I2cQuestion } from '../../machines/i2c/scan.ts'
import { jsonIn } from '../../machines/schema/json.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { projectPath } from '../files/project-root.ts'
import { complaintOf, type ProgramEnd, type ProgramsPort, programFault } from '../programs/port.ts'
import type { SystemFiles } from '../system-files/port.ts'
import type { I2cPort } from './port.ts'
import { readI2c } from './read.ts'

/** Where the program is. */
export const I2C_PROGRAM = projectPath('native/addon/build/vedette-i2c')

const LIMIT_MS = 20_000 // 112 addresses take 0.1 s on a wire, and some seconds over a slow adapter on USB
const GRACE_MS = 1_000 // one that the kernel holds cannot be ended; nobody waits for that
const STUCK = 75 // its exit code where the bus does not move

/** What it takes. */
export interface LinuxI2cParts {
  readonly files: SystemFiles
  readonly programs: ProgramsPort
  readonly program?: string
  readonly limitMs?: number
}

/** A line of the program. */
interface Line {
  readonly address: number
  readonly state: I2cAnswer['state']
  readonly values?: readonly (number | null)[]
  readonly trouble?: string
}

/** The buses of this system. */
export const linuxI2c = ({ files, programs, program = I2C_PROGRAM, limitMs = LIMIT_MS }: LinuxI2cParts): I2cPort => ({
  read: Effect.promise(() => readI2c(files)),
  scan: (adapter, questions, heard) => {
    const args = [String(adapter), ...questions.map(argumentOf)]
    const order = { program, args, limitMs, maxOutputBytes: 65_536 }
    const what = `i2c-${adapter} cannot be scanned`
    const run = programs.listen(order, (text) => {
      const line = jsonIn(text) as Line | undefined // none: it was ended in the midst of one
      if (line) heard({ values: [], trouble: null, ...line })
    })
    return Effect.raceFirst(
      run.pipe(
        Effect.mapError((failure) => (failure.kind === 'late' ? stuck(adapter) : programFault(what)(failure))),
        Effect.flatMap((end) => judge(adapter, what, end)),
      ),
      Effect.flatMap(Effect.sleep(limitMs + GRACE_MS), () => Effect.fail(stuck(adapter))),
    )
  },
})

/** `0x68=75,0:2`: register 0x75, and two bytes of register 0. */
const argumentOf = ({ address, registers }: I2cQuestion): string => {
  const asked = registers.map(({ register, bytes }) => `${register.toString(16)}${bytes === 2 ? ':2' : ''}`)
  return `${address.toString(16)}=${asked.join(',')}`
}

const judge = (adapter: number, what: string, end: ProgramEnd): Effect.Effect<void, Fault> => {
  if (end.exitCode === 0) return Effect.void
  if (end.exitCode === STUCK) return Effect.fail(stuck(adapter))
  return Effect.fail({ code: 'device.failed', detail: `${what}: ${complaintOf('vedette-i2c', end)}` })
}

const stuck = (adapter: number): Fault => ({
  code: 'i2c.stuck',
  detail: oneLine`
    the bus i2c-${adapter} does not move: most often a chip or a wire holds one of its two lines low. Switch the device
    off, unplug what was connected last, and try again; nothing else of this service is touched by it
  `,
})
