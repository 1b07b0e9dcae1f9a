// Programs of the system: run with a list of arguments, which no shell reads, for a limited time and a limited output.
import type * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import { token } from '../../machines/token.ts'

/** What shall be run. */
export interface ProgramOrder {
  /** Its name, looked up in the path of this service, or its absolute path. */
  readonly program: string
  readonly args: readonly string[]
  /** Missing: 10 s. A program that is listened to has no limit unless one is given. */
  readonly limitMs?: number
  /** Of what it prints. Missing: 1 MiB; of one that is listened to any number, and 64 KiB of each line. */
  readonly maxOutputBytes?: number
}

/** How a program ended by itself. */
export interface ProgramEnd {
  /** 0: well, by what most programs mean. */
  readonly exitCode: number
  /** What it printed; empty when its lines were listened to. */
  readonly stdout: string
  readonly stderr: string
}

/** Why a program gave no end of its own. */
export interface ProgramFailure {
  /**
   * missing: it is not installed. refused: it may not be run. late: its time was over. stopped: by much output or a
   * signal.
   */
  readonly kind: 'missing' | 'refused' | 'late' | 'stopped'
  /** For people; begins with the name of the program, ends without a full stop. */
  readonly text: string
}

export interface ProgramsPort {
  /** Runs it and gives its end, whatever its exit code means. Stopping to wait ends it. */
  readonly run: (order: ProgramOrder) => Effect.Effect<ProgramEnd, ProgramFailure>
  /**
   * The same, with each line told as it is printed, without its end; one longer than 64 KiB comes cut, unless the order
   * says how much may be printed. `told` may not throw.
   */
  readonly listen: (order: ProgramOrder, told: (line: string) => void) => Effect.Effect<ProgramEnd, ProgramFailure>
}

/** The programs of this device. */
export const PROGRAMS = token<ProgramsPort>('programs')

/** A failure as a fault. what: was not done, as the beginning of a sentence. */
export const programFault =
  (what: string) =>
  ({ text }: ProgramFailure): Fault => ({ code: 'device.failed', detail: `${what}: ${text}` })

/** What a program said last of why it failed, as a sentence without a full stop. */
export const complaintOf = (program: string, { exitCode, stderr }: ProgramEnd): string => {
  const last = stderr.trim().split('\n').at(-1)
  return `${program} failed with ${exitCode}${last ? `: ${last}` : ''}`
}
