// Keeps since when the device is short of power or slowed down, and tells who must know. Lives as long as the service.
import type { Fault } from '../../machines/errors/fault.ts'
import { faultsOfConditions } from '../../machines/system/condition-faults.ts'
import { type Conditions, heedThrottling } from '../../machines/system/conditions.ts'
import { powerChanged, throttlingChanged } from '../../machines/system/events.ts'
import { SLOWED_BY, type SlowedBy, type SystemMetrics } from '../../machines/system/metrics.ts'
import type { RecordFault } from '../errors/error-keeper-actor.ts'
import type { EventBus } from '../events/event-bus.ts'

/** What it works with. */
export interface ConditionKeeperParts {
  readonly events: Pick<EventBus, 'publish'>
  readonly record: RecordFault
}

const SUPPLY: SlowedBy = 'under-voltage'

export class ConditionKeeper {
  readonly #parts: ConditionKeeperParts
  #conditions: Conditions = null
  #fault: Fault | null = null

  constructor(parts: ConditionKeeperParts) {
    this.#parts = parts
  }

  /** null: the device never told. */
  get conditions(): Conditions {
    return this.#conditions
  }

  /** Takes what was seen, and gives what is wrong now. */
  heed(seen: SystemMetrics['throttling'], at_us: number): Fault | null {
    const { conditions, began, ended } = heedThrottling(this.#conditions, seen, at_us)
    this.#conditions = conditions
    const changed = [...began, ...ended]
    if (changed.length > 0 && conditions) this.#tell(conditions, began, changed)
    return this.#fault
  }

  #tell(conditions: NonNullable<Conditions>, began: readonly SlowedBy[], changed: readonly SlowedBy[]): void {
    const { events, record } = this.#parts
    const present = SLOWED_BY.filter((each) => conditions[each].isPresent)
    this.#fault = faultsOfConditions(present)[0] ?? null
    for (const fault of faultsOfConditions(began)) record({ resource: 'system', ...fault })
    if (changed.includes(SUPPLY)) {
      const { isPresent, times } = conditions[SUPPLY]
      events.publish(powerChanged, { resource_ref: {}, data: { under_voltage: isPresent, times } })
    }
    events.publish(throttlingChanged, { resource_ref: {}, data: { slowed: present.length > 0, reasons: present } })
  }
}
