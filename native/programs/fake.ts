// A system with no programs, or with those that a test gives it.
import * as Effect from 'effect/Effect'
import type { ProgramEnd, ProgramOrder, ProgramsPort } from './port.ts'

/** What a program does with its arguments: its output, or its whole end. */
export type FakeProgram = (args: readonly string[]) => string | ProgramEnd

export class FakePrograms implements ProgramsPort {
  /** By name. */
  readonly programs = new Map<string, FakeProgram>()
  /** What was run, in order, as one would type it. */
  readonly ran: string[] = []

  readonly run = ({ program, args }: ProgramOrder) =>
    Effect.suspend(() => {
      this.ran.push([program, ...args].join(' '))
      const act = this.programs.get(program)
      if (!act) return Effect.fail({ kind: 'missing', text: `${program} is not there` } as const)
      const end = act(args)
      return Effect.succeed(typeof end === 'string' ? { exitCode: 0, stdout: end, stderr: '' } : end)
    })

  /** It prints all at once, and goes on until it is ended. */
  readonly listen = (order: ProgramOrder, told: (line: string) => void) =>
    Effect.flatMap(this.run(order), ({ stdout }) => {
      for (const line of stdout.split('\n')) if (line) told(line)
      return Effect.never
    })
}
