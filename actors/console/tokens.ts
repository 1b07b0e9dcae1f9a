// The tokens of console sessions.
import type { ConsoleOrder, ConsoleWord } from '../../machines/console/messages.ts'
import type { ConsoleSession, DeviceConsole, NewConsoleSession } from '../../machines/console/session.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import { token } from '../../machines/token.ts'

/** Whoever is attached to a session. */
export interface ConsoleViewer {
  /** The network address. */
  readonly address: string
  /** Takes what the terminal shows. False: no more, before it says `ready`. */
  readonly show: (bytes: Uint8Array) => boolean
  readonly tell: (word: ConsoleWord) => void
  /** What it has sent may go on: the program takes it again. */
  readonly drained: () => void
  /** It is not attached any more; a word before that says why. */
  readonly end: () => void
}

/** What a viewer does. Each does nothing once it is not attached any more. */
export interface ConsoleSeat {
  /** What is typed. False: no more before `drained`. */
  readonly type: (bytes: Uint8Array) => boolean
  readonly order: (order: Exclude<ConsoleOrder, { kind: 'drawn' }>) => void
  /** It takes more of what is shown. */
  readonly ready: () => void
  readonly leave: () => void
}

/** All console sessions of this device. */
export interface Consoles {
  /** In the order in which they were started; a fault where this device can have none. */
  readonly all: () => Promise<readonly ConsoleSession[] | Fault>
  readonly device: () => Promise<DeviceConsole>
  /** Its program runs when this answers. from: the network address. */
  readonly create: (wanted: NewConsoleSession, from: string) => Promise<ConsoleSession | Fault>
  /** Nothing of it is left when this answers. */
  readonly end: (id: string, from: string) => Promise<Fault | undefined>
  /** Why nobody can attach; undefined: one can. */
  readonly refusal: (id: string) => Fault | undefined
  /** In place of whoever is attached. */
  readonly attach: (id: string, viewer: ConsoleViewer) => ConsoleSeat | Fault
}

export const CONSOLES = token<Consoles>('consoles')
