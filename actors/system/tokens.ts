// What the room of the system offers to others.
import type * as Effect from 'effect/Effect'
import type * as Scope from 'effect/Scope'
import type { Latest } from '../../machines/latest.ts'
import type { SystemMetrics } from '../../machines/system/metrics.ts'
import { token } from '../../machines/token.ts'

/** How the device does, for those who need it. */
export interface SystemMetricsSource {
  /** The newest sample; undefined while nobody needs any, and until the first. */
  readonly latest: Latest<SystemMetrics | undefined>
  /** From now on and as long as the scope there is a sample each second. */
  readonly need: Effect.Effect<void, never, Scope.Scope>
  /** The same for the next half minute: of those who ask again and again. Costs next to nothing. */
  readonly needForAWhile: () => void
}

export const SYSTEM_METRICS = token<SystemMetricsSource>('system-metrics')
