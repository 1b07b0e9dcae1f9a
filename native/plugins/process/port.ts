// The programs of plugins, as the actors see them: started, spoken with, ended.
import type * as Effect from 'effect/Effect'
import type { Fault } from '../../../machines/errors/fault.ts'
import type { InstalledPlugin } from '../../../machines/plugins/installed.ts'
import type { Confinement } from '../../../machines/plugins/process/confinement.ts'
import type { FromPlugin, ToPlugin } from '../../../machines/plugins/process/messages.ts'
import { token } from '../../../machines/token.ts'

/** Who listens to a program. None of these may throw. */
export interface ProgramListener {
  /** Something that it may say, by its schema. The bytes are the listener's to keep. */
  readonly message: (message: FromPlugin, bytes: Uint8Array | undefined) => void
  /** Something that it may not say, and why; nothing becomes of it. */
  readonly refused: (why: string) => void
  /** What holds it; told once, before it runs. */
  readonly confined: (by: readonly Confinement[]) => void
  /** A line that it printed. */
  readonly printed: (line: string) => void
  /** It has ended, with everything that it started. Told once; not when we ended it. */
  readonly gone: (fault: Fault) => void
}

/** So long a message is short. */
export const MAX_SHORT_BYTES = 1024

/** A program that runs. */
export interface PluginProgram {
  readonly pid: number
  /**
   * Sends a message. false: it was not sent, since the program has ended, or has not read what came before; of what may
   * be left out less waits, and what is short has room the longest. A program that reads nothing at all for seconds
   * while something has no room is ended, of which `gone` tells.
   */
  readonly send: (message: ToPlugin, bytes?: Uint8Array, mayBeLeftOut?: boolean) => boolean
  /** Ends it at once. `why`: the beginning of a sentence of which it is the subject, for the fault of `gone`. */
  readonly kill: (why: string) => void
  /** Orders it to end, ends it after 2 s, and is done when nothing of it runs. */
  readonly end: Effect.Effect<void>
}

/** How the programs of plugins are run. */
export interface PluginPrograms {
  /** Fails with `plugin.failed` when it cannot be started. Who starts it must end it. */
  readonly start: (plugin: InstalledPlugin, listener: ProgramListener) => Effect.Effect<PluginProgram, Fault>
}

export const PLUGIN_PROGRAMS = token<PluginPrograms>('plugin-programs')
