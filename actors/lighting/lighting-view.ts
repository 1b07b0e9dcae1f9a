// What people can see of the lights. It outlives the actor; written by that and by its branch alone.
import type { Claim } from '../../machines/lighting/claims.ts'
import type { LightingStateName } from '../../machines/lighting/state-name.ts'
import type { FoundOutputs } from '../../native/lighting/port.ts'

export class LightingView {
  /** Of the lights as a whole. */
  state: LightingStateName = 'finding'
  /** What was found last; undefined until the first look. */
  found: FoundOutputs | undefined
  /** Who wants what. */
  claims: readonly Claim[] = []
  /** The outputs that fail, with why. */
  readonly failing = new Map<string, string>()
  /** What the device shows as its temperature, °C; null: it does not tell, or nobody asks. */
  celsius: number | null = null
  /** Whether all is off since the device is too warm. */
  isCut = false
}
