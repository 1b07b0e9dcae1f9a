// Since when a device is short of power or slowed down, and how often it was.
import { SLOWED_BY, type SlowedBy, type SystemMetrics } from './metrics.ts'

/** One reason for which the processor may be slower than it could be. */
export interface Condition {
  readonly isPresent: boolean
  /** Since when it is so, CLOCK_MONOTONIC; null: it never was another way since it is watched. */
  readonly since_us: number | null
  /** When it was seen last. */
  readonly seen_us: number | null
  /** How often it began since it is watched. */
  readonly times: number
  /** Whether it was so at any time since the device was started. */
  readonly since_start: boolean
}

/** All that is known of that; null: the device does not tell. */
export type Conditions = Readonly<Record<SlowedBy, Condition>> | null

/** A weak supply comes and goes within a second; it counts as over after so long without. */
export const CALM_US = 5_000_000

const UNSEEN: Condition = { isPresent: false, since_us: null, seen_us: null, times: 0, since_start: false }

/** What became of the conditions by a look, and which of them began or ended. */
export interface Heeded {
  readonly conditions: Conditions
  readonly began: readonly SlowedBy[]
  readonly ended: readonly SlowedBy[]
}

/** Takes what a device tells now. */
export const heedThrottling = (
  before: Conditions,
  { now, reasons, since_start }: SystemMetrics['throttling'],
  at_us: number,
): Heeded => {
  if (now === null) return { conditions: before, began: [], ended: [] } // it does not tell at this moment
  const known = before ?? (Object.fromEntries(SLOWED_BY.map((each) => [each, UNSEEN])) as NonNullable<Conditions>)
  const next = SLOWED_BY.map(
    (each) => [each, heedOne(known[each], reasons.includes(each), since_start.includes(each), at_us, before)] as const,
  )
  return {
    conditions: Object.fromEntries(next) as NonNullable<Conditions>,
    began: next.filter(([each, { times }]) => times > known[each].times).map(([each]) => each),
    ended: next.filter(([each, { isPresent }]) => known[each].isPresent && !isPresent).map(([each]) => each),
  }
}

const heedOne = (
  known: Condition,
  isNow: boolean,
  wasSinceStart: boolean,
  at_us: number,
  before: Conditions,
): Condition => {
  const since_start = known.since_start || wasSinceStart || isNow
  if (isNow)
    return known.isPresent
      ? { ...known, seen_us: at_us, since_start }
      : { isPresent: true, since_us: at_us, seen_us: at_us, times: known.times + 1, since_start }
  // it came and went between two looks
  if (before !== null && since_start && !known.since_start)
    return { isPresent: false, since_us: at_us, seen_us: at_us, times: known.times + 1, since_start }
  if (known.isPresent && at_us - (known.seen_us ?? at_us) >= CALM_US)
    return { ...known, isPresent: false, since_us: at_us, since_start }
  return { ...known, since_start }
}
