// What people can see of the resource guard. It outlives the guard; what that decided last stays to be read.
import type { Cause } from '../../machines/guard/causes.ts'
import type { Decision } from '../../machines/guard/policy.ts'
import type { DeviceReading } from '../../machines/guard/reading.ts'
import type { GuardStateName } from '../../machines/guard/state-name.ts'

const MAX_DECISIONS = 100

/** A decision, with its time as Unix time too. */
export interface ToldDecision extends Decision {
  readonly told_at_ms: number
  /** In a sentence. */
  readonly detail: string
}

/** What the last look has found. */
export interface GuardFindings {
  readonly device: DeviceReading
  readonly causes: readonly Cause[]
  /** How late each stream is: 1 is late. By its id. */
  readonly lateness: ReadonlyMap<string, number>
  /** Who is cut last comes first. */
  readonly order: readonly string[]
}

/** Written by the guard and its branch alone. */
export class GuardView {
  /** Of the guard's machine. */
  state: GuardStateName = 'off'
  /** undefined while it does not look. */
  findings: GuardFindings | undefined
  #decisions: readonly ToldDecision[] = []

  /** The newest first. */
  get decisions(): readonly ToldDecision[] {
    return this.#decisions
  }

  note(decided: readonly ToldDecision[]): void {
    if (decided.length > 0) this.#decisions = [...decided, ...this.#decisions].slice(0, MAX_DECISIONS)
  }
}
