// What the room of the system offers to others.
import type * as Effect from 'effect/Effect'
import type * as Scope from 'effect/Scope'
import type { Hardware } from '../../machines/extcam/snapshot.ts'
import type { Latest } from '../../machines/latest.ts'
import type { Conditions } from '../../machines/system/conditions.ts'
import type { MetricsHistory } from '../../machines/system/history.ts'
import type { SystemMetrics } from '../../machines/system/metrics.ts'
import type { DeviceRuns } from '../../machines/system/release.ts'
import { token } from '../../machines/token.ts'

/** How the device does, for those who need it. */
export interface SystemMetricsSource {
  /** The newest sample; undefined while nobody needs any, and until the first. */
  readonly latest: Latest<SystemMetrics | undefined>
  /** From now on and as long as the scope there is a sample each second. */
  readonly need: Effect.Effect<void, never, Scope.Scope>
  /** The same for the next half minute: of those who ask again and again. Costs next to nothing. */
  readonly needForAWhile: () => void
  /** The same, and the newest sample as soon as there is one; undefined: there is none within two seconds. */
  readonly ask: () => Promise<SystemMetrics | undefined>
  /** Of the last seconds, at most ten minutes, as far as somebody needed samples then. */
  readonly historyOf: (window_s: number) => MetricsHistory
}

export const SYSTEM_METRICS = token<SystemMetricsSource>('system-metrics')

/** How the device does, as the robot's tables have it. */
export interface HardwareSource {
  /**
   * May be called with each frame: it answers at once with what was sampled last, and has it sampled further on.
   * undefined: nothing was yet, or nothing lately. The same object until something new was sampled.
   */
  readonly latest: () => Hardware | undefined
}

export const HARDWARE = token<HardwareSource>('hardware')

/** Since when and how often the device was short of power or slowed down; null: it does not tell. */
export const CONDITIONS = token<() => Conditions>('system-conditions')

/** How the device was switched off; undefined until that was looked up. */
export const DEVICE_RUNS = token<Latest<DeviceRuns>>('device-runs')
