// What is known at any time of the program of a plugin.
import type { Fault } from '../../errors/fault.ts'
import type { Confinement } from './confinement.ts'

/** How the program of a plugin does. */
export interface PluginRun {
  /** As its machine says. */
  readonly state: string
  readonly restarts: number
  readonly fault: Fault | null
  /** What holds its program, and what does not; empty until it was started. */
  readonly confinement: readonly Confinement[]
  /** What it said that nobody may say; nothing became of that. */
  readonly refused: number
  /** Why the latest of that was refused; null: none was. */
  readonly refusal: string | null
  /** The latest lines that it printed or logged, the oldest first. */
  readonly lines: readonly string[]
}
