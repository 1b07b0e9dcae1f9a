// Programs on terminals of this device.
import type * as Effect from 'effect/Effect'
import type * as Scope from 'effect/Scope'
import type { ConsoleSignal } from '../../machines/console/messages.ts'
import type { ConsoleMeans, ConsoleProgram, ProgramExit, TerminalSize } from '../../machines/console/session.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import { token } from '../../machines/token.ts'

/** What is to run. */
export interface WantedProgram extends TerminalSize {
  /** Of its session: by it all that the program starts is known. */
  readonly id: string
  readonly program: ConsoleProgram
}

/** Told of a terminal. */
export interface TerminalListener {
  /** Bytes that the terminal shows; they are the listener's to keep. */
  readonly output: (bytes: Uint8Array) => void
  /** What was written is taken: more may be written. */
  readonly drained: () => void
  /** Once, after all output; a fault when the terminal was lost. Not when the scope is closed before. */
  readonly ended: (how: ProgramExit | Fault) => void
}

/** A program that runs. */
export interface TerminalProgram {
  /** As if typed. False: no more before `drained`. */
  readonly write: (bytes: Uint8Array) => boolean
  /** No output until `resume`, so that the program waits once the terminal is full. */
  readonly pause: () => void
  readonly resume: () => void
  readonly resize: (size: TerminalSize) => void
  /** To the programs in the foreground. */
  readonly signal: (signal: ConsoleSignal) => void
}

export interface ConsolePort {
  /** What there is. */
  readonly look: () => Promise<ConsoleMeans>
  /**
   * Starts a program; it runs when this succeeds. Closing the scope ends it and all that it has started, and is done
   * when they are gone. Fails with `console.failed`.
   */
  readonly start: (
    wanted: WantedProgram,
    listener: TerminalListener,
  ) => Effect.Effect<TerminalProgram, Fault, Scope.Scope>
  /** Ends what sessions of a service have left that worked in the same data directory and is gone. */
  readonly endLeft: Effect.Effect<void>
}

/** Where programs are run. */
export const CONSOLE_PORT = token<ConsolePort>('console-port')
