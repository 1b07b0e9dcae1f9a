// What lies in the slots of a device, as the machine of updates knows it.
import type { FailedVersion } from './slots.ts'
import type { KnownVersion } from './update-state.ts'

/** What lies in the slots. */
export interface KnownSlots {
  readonly running: KnownVersion
  readonly other: KnownVersion | null
  /** Whether the one that runs is not committed. */
  readonly isTrial: boolean
  /** The name of the one that is chosen for the next start. */
  readonly chosen: string
  /** The last one that was given up. */
  readonly failed: FailedVersion | null
  /** The oldest version that may be installed; null: any. */
  readonly floor: string | null
}
