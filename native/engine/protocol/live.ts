// What a stream is told while it runs, by a robot and of a clock, as it comes over the wire. Whoever sends it has
// clamped it; these limits are wider, and keep what nobody has from the arithmetic of each frame.
import type { SourceClock } from '../../../machines/clock/source-clock.ts'
import type { Heading, LiveControls } from '../../../machines/extcam/live.ts'

const MAX_IDS = 1024 // more than any field has tags
const MAX_SKIP = 100_000 // an hour of pictures
const MAX_DECIMATE = 8 // as the schema of the detectors
const FARTHEST_M = 1000
const MAX_DEG = 1e9 // unwrapped: three years of turning
const MAX_ID = 1e9 // as the addon reads whole numbers
const MAX_US = 9e15 // as the addon reads times

const isBetween = (value: unknown, least: number, most: number): value is number =>
  typeof value === 'number' && value >= least && value <= most // false for NaN

const isWhole = (value: unknown, least: number, most: number): boolean =>
  Number.isInteger(value) && isBetween(value, least, most)

const isId = (value: unknown): boolean => isWhole(value, 0, MAX_ID)

const isListOf = (value: unknown, maxEntries: number, is: (entry: unknown) => boolean): boolean =>
  Array.isArray(value) && value.length <= maxEntries && value.every(is)

const isWindow = (value: unknown): boolean => {
  const { x0, y0, x1, y1 } = (value ?? {}) as Readonly<Record<string, unknown>>
  return isBetween(x0, 0, 1) && isBetween(y0, 0, 1) && isBetween(x1, x0, 1) && isBetween(y1, y0, 1)
}

const isAim = (value: unknown): boolean =>
  isListOf(value, 3, (each) => isBetween(each, -FARTHEST_M, FARTHEST_M)) && (value as unknown[]).length === 3

/** Each field by itself; null is one of the values of all but one. */
const FIELDS: { readonly [Field in keyof LiveControls]: (value: unknown) => boolean } = {
  priority_id: (value) => value === null || isId(value),
  aim_m: (value) => value === null || isAim(value),
  localization_ids: (value) => value === null || isListOf(value, MAX_IDS, isId),
  skip: (value) => isWhole(value, 0, MAX_SKIP),
  decimate: (value) => value === null || isBetween(value, 1, MAX_DECIMATE),
  window: (value) => value === null || isWindow(value),
}

/** The first field that makes no sense; undefined: all do. */
export const oddLiveField = (live: unknown): string | undefined => {
  const fields = (live ?? {}) as Readonly<Record<string, unknown>>
  return Object.entries(FIELDS).find(([field, is]) => !is(fields[field]))?.[0]
}

/** Whether a sample says something. */
export const isHeading = (heading: unknown): boolean => {
  const { at_us, yaw_deg, yaw_rate_dps } = (heading ?? {}) as { readonly [Field in keyof Heading]?: unknown }
  return (
    isBetween(at_us, 0, MAX_US) && isBetween(yaw_deg, -MAX_DEG, MAX_DEG) && isBetween(yaw_rate_dps, -MAX_DEG, MAX_DEG)
  )
}

/** Whether it says where the clock stands, or null, that nobody knows. */
export const isSourceClock = (clock: unknown): boolean => {
  if (clock === null) return true
  const { offset_us, within_us } = (clock ?? {}) as { readonly [Field in keyof SourceClock]?: unknown }
  return isWhole(offset_us, -MAX_US, MAX_US) && isWhole(within_us, 0, MAX_US)
}
