// In which order streams give way: one small step after the other, the most dispensable first, and what the first
// stream computes for the robot last of all.
import type { Cause } from './causes.ts'
import { type Lever, type StreamLevel, skipsOf } from './levels.ts'
import type { StreamReading } from './reading.ts'
import type { GuardSettings } from './settings.ts'

/** The streams by who is cut last: the higher priority, then whom the robot is told of, then who was there first. */
export const ranked = (streams: readonly StreamReading[]): readonly StreamReading[] =>
  streams
    .filter(({ runs }) => runs)
    .toSorted(
      (one, other) => other.priority - one.priority || Number(other.is_published) - Number(one.is_published), // stable
    )

/** One step down: that lever of this stream goes that far. */
export interface Step {
  readonly id: string
  readonly lever: Lever
  readonly to: number
}

const PREVIEW_STEPS = 2

/** All steps, of streams in the order of `ranked`. */
export const stepsOf = (streams: readonly StreamReading[], settings: GuardSettings): readonly Step[] => {
  const upwards = streams.toReversed()
  const [first, ...others] = streams
  const lower = others.toReversed()
  const each = (some: readonly StreamReading[], lever: Lever, to: number): readonly Step[] =>
    some.map(({ id }) => ({ id, lever, to }))
  const slower = (some: readonly StreamReading[], to: number) =>
    each(
      some.filter(({ fps }) => skipsOf(fps, settings.min_results_per_s).length > to),
      'pipeline_rate',
      to,
    )
  const levels = Array.from({ length: PREVIEW_STEPS }, (_, n) => n + 1)
  return [
    ...levels.flatMap((to) => each(upwards, 'preview_rate', to)),
    ...levels.flatMap((to) => each(upwards, 'preview_size', to)),
    ...each(upwards, 'recording', 1),
    ...levels.flatMap((to) => slower(lower, to)),
    ...(settings.may_pause ? each(lower, 'pause', 1) : []),
    ...levels.flatMap((to) => slower(first ? [first] : [], to)),
  ]
}

/** Whether a step helps against a cause. streams: in the order of `ranked`. */
export const helps = (
  { levers, for_stream }: Cause,
  { id, lever }: Step,
  streams: readonly StreamReading[],
): boolean => {
  if (!levers.includes(lever)) return false
  if (for_stream === undefined || lever === 'preview_rate' || lever === 'preview_size') return true
  const place = (wanted: string) => streams.findIndex((each) => each.id === wanted)
  return place(id) > place(for_stream)
}

/** Whether a step makes any difference now, to the device and to people. */
export const matters = (
  { is_watched, is_recorded, is_live }: StreamReading,
  lever: Lever,
  level: StreamLevel,
): boolean => {
  if (level.pause > 0) return lever === 'pause'
  if (lever === 'preview_rate' || lever === 'preview_size') return is_watched
  return lever === 'recording' ? is_recorded : is_live
}
