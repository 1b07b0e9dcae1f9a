// The one decision about the bandwidth that each preview may take over the network.
import { EVERYTHING, type Grant, type Preview, rateOf, stepsOf } from './ladder.ts'

/** How it was decided last. */
export interface Decision {
  /** Of which previews it was, so that the number means something. */
  readonly ladder: string
  /** How many of the ladder's were taken. */
  readonly steps: number
}

/** What everybody gets, by the id of the preview, and how that was decided. */
export interface Shared {
  readonly grants: ReadonlyMap<string, Grant>
  readonly decision: Decision
}

// Pictures differ from one second to the next. A new decision is made for a little less than there is; it stays until
// it does not fit any more, or until so much is left that a viewer could be given more and it would fit all the same.
const AIMED_AT = 0.93
const TO_SPARE = 0.85

/**
 * Shares so many bytes a second among previews.
 *
 * Never more than there are, unless everybody has come down to the least there is. Of two previews that are alike the
 * one with the higher priority never gets less. before: the last decision; undefined: there is none.
 */
export const share = (previews: readonly Preview[], bytesPerS: number, before?: Decision): Shared => {
  const ladder = previews
    .map(({ id, priority, viewers, sizes_bytes }) => `${id} ${priority} ${viewers} ${sizes_bytes.length}`)
    .sort()
    .join('\n')
  const kept = before?.ladder === ladder ? stepsKept(previews, bytesPerS, before.steps) : undefined
  const steps = kept ?? stepsToFit(previews, AIMED_AT * bytesPerS)
  return { grants: grantsAfter(previews, steps), decision: { ladder, steps } }
}

const stepsKept = (previews: readonly Preview[], bytesPerS: number, steps: number): number | undefined => {
  const fits = stepsToFit(previews, bytesPerS) <= steps
  const isTight = steps <= stepsToFit(previews, TO_SPARE * bytesPerS)
  return fits && isTight ? steps : undefined
}

/** The fewest steps after which they take no more than that; all there are, when no number of them suffices. */
export const stepsToFit = (previews: readonly Preview[], bytesPerS: number): number => {
  const byId = new Map(previews.map((preview) => [preview.id, preview]))
  const rates = new Map(previews.map((preview) => [preview.id, rateOf(preview, EVERYTHING)]))
  const steps = stepsOf(previews)
  for (const [taken, { id, grant }] of steps.entries()) {
    if (sum(rates.values()) <= bytesPerS) return taken
    rates.set(id, rateOf(byId.get(id) as Preview, grant))
  }
  return steps.length
}

/** What everybody has after so many steps. */
export const grantsAfter = (previews: readonly Preview[], steps: number): ReadonlyMap<string, Grant> => {
  const grants = new Map(previews.map(({ id }) => [id, EVERYTHING]))
  for (const { id, grant } of stepsOf(previews).slice(0, steps)) grants.set(id, grant)
  return grants
}

/** What they take in all, in bytes a second. */
export const rateOfAll = (previews: readonly Preview[], grants: ReadonlyMap<string, Grant>): number =>
  sum(previews.map((preview) => rateOf(preview, grants.get(preview.id) ?? EVERYTHING)))

const sum = (numbers: Iterable<number>): number => {
  let all = 0
  for (const each of numbers) all += each
  return all
}
