// What the files of a device tell of a processor that is slowed down.
import type { SlowedBy, SystemMetrics } from '../../machines/system/metrics.ts'
import { type Slowed, slowedByAny, slowedByFirmware } from '../../machines/system/slowed.ts'
import { numberIn } from '../system-files/port.ts'
import type { Inventory } from './inventory.ts'

type Sources = Pick<Inventory, 'firmware' | 'supplyAlarms' | 'coolers' | 'slowCounters'>

/** All of them. */
export const throttlingPaths = ({ firmware, supplyAlarms, coolers, slowCounters }: Sources): readonly string[] => [
  ...(firmware === null ? [] : [firmware]),
  ...supplyAlarms,
  ...coolers,
  ...slowCounters,
]

/** Remembers the counters of the previous look: what has grown since happens now. */
export class ThrottlingFiles {
  #counts: readonly (number | null)[] = []

  /** textOf: of a path. */
  of(sources: Sources, textOf: (path: string) => string | null): SystemMetrics['throttling'] {
    const { firmware, supplyAlarms, coolers, slowCounters } = sources
    const figure = (path: string) => numberIn(textOf(path))
    const counts = slowCounters.map(figure)
    const slowed = slowedByAny([
      firmware === null ? null : slowedByFirmware(textOf(firmware)),
      ...supplyAlarms.map((path) => slowedWhile('under-voltage', figure(path))),
      ...coolers.map((path) => slowedWhile('temperature-limit', figure(path))),
      ...counts.map((count, n) => slowedByCount(this.#counts[n] ?? null, count)),
    ])
    this.#counts = counts
    return slowed === null
      ? { now: null, reasons: [], since_start: [] }
      : { now: slowed.now.length > 0, reasons: [...slowed.now], since_start: [...slowed.since_start] }
  }
}

const slowedWhile = (reason: SlowedBy, figure: number | null): Slowed | null => {
  if (figure === null) return null
  return { now: figure > 0 ? [reason] : [], since_start: [] }
}

const slowedByCount = (before: number | null, count: number | null): Slowed | null => {
  if (count === null) return null
  return {
    now: before !== null && count > before ? ['throttled'] : [],
    since_start: count > 0 ? ['throttled'] : [],
  }
}
