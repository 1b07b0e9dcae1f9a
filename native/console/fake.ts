// Terminals without a device: what is typed is shown, as by a terminal whose program does nothing.
import * as Effect from 'effect/Effect'
import type { ConsoleSignal } from '../../machines/console/messages.ts'
import type { ConsoleMeans, ProgramExit, TerminalSize } from '../../machines/console/session.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import type { ConsolePort, TerminalListener, TerminalProgram, WantedProgram } from './port.ts'

/** One that runs. */
export class FakeTerminal implements TerminalProgram {
  readonly wanted: WantedProgram
  readonly listener: TerminalListener
  readonly typed: Uint8Array[] = []
  readonly signals: ConsoleSignal[] = []
  size: TerminalSize
  isPaused = false
  isEnded = false

  constructor(wanted: WantedProgram, listener: TerminalListener) {
    this.wanted = wanted
    this.listener = listener
    this.size = wanted
  }

  write(bytes: Uint8Array): boolean {
    this.typed.push(bytes)
    this.listener.output(bytes)
    return true
  }

  pause(): void {
    this.isPaused = true
  }

  resume(): void {
    this.isPaused = false
  }

  resize(size: TerminalSize): void {
    this.size = size
  }

  signal(signal: ConsoleSignal): void {
    this.signals.push(signal)
  }

  /** Its program ends by itself. */
  exit(how: ProgramExit | Fault): void {
    this.listener.ended(how)
  }
}

export class FakeConsole implements ConsolePort {
  means: ConsoleMeans = { user: 'vedette', programs: ['shell', 'top'], absent: null, hasNoNewRights: true }
  /** Why none starts, while it is set. */
  fault: Fault | undefined
  /** None comes up, while it is set. */
  isSlow = false
  readonly terminals: FakeTerminal[] = []

  readonly look = async (): Promise<ConsoleMeans> => this.means

  readonly start: ConsolePort['start'] = (wanted, listener) =>
    Effect.suspend(() => {
      const { fault } = this
      if (fault) return Effect.fail(fault)
      const taken = Effect.acquireRelease(
        Effect.sync(() => {
          const terminal = new FakeTerminal(wanted, listener)
          this.terminals.push(terminal)
          return terminal
        }),
        (terminal) =>
          Effect.sync(() => {
            terminal.isEnded = true
          }),
      )
      return this.isSlow ? Effect.andThen(taken, Effect.never) : taken
    })

  readonly endLeft = Effect.void
}
