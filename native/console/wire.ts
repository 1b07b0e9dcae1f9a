// What a service and the process of a terminal say to each other, over the channel that Node gives a child. The bytes
// of the terminal go through a socket of their own, so nothing has to be framed.
import type { ConsoleSignal } from '../../machines/console/messages.ts'
import type { ProgramExit, TerminalSize } from '../../machines/console/session.ts'

/** Where the process of a terminal finds the socket of its bytes. */
export const BYTES_FD = 3

/** What is to be run. */
export interface ProgramLine extends TerminalSize {
  readonly file: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly folder: string
}

/** What the service says. */
export type ToTerminal =
  | ({ readonly type: 'start' } & ProgramLine)
  | ({ readonly type: 'resize' } & TerminalSize)
  | { readonly type: 'signal'; readonly signal: ConsoleSignal }

/** What it is told. failed: it could not be started. exited: after the last byte. */
export type FromTerminal =
  | { readonly type: 'started'; readonly pid: number }
  | { readonly type: 'failed'; readonly why: string }
  | ({ readonly type: 'exited' } & ProgramExit)

/** The mark in the environment of all that a session starts: the data directory of its service, and its id. */
export const SESSION_MARK = 'VEDETTE_CONSOLE_SESSION'

/** Its value. */
export const markOf = (dataDir: string, id: string): string => `${dataDir}#${id}`
