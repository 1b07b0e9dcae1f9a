// How often and how soon a crashed child is started again.
import * as Cause from 'effect/Cause'
import * as Duration from 'effect/Duration'
import * as Effect from 'effect/Effect'
import * as Schedule from 'effect/Schedule'

/** At most `maxRestarts` within the sliding window `within`; the delay doubles with each crash in the window, from `firstDelay` up to `longestDelay`. */
export interface Policy {
  readonly maxRestarts: number
  readonly within: Duration.Input
  readonly firstDelay: Duration.Input
  readonly longestDelay: Duration.Input
}

/** For a child that can be started again without loss: the fifth crash within a minute gives it up. */
export const usualPolicy: Policy = {
  maxRestarts: 4,
  within: '1 minute',
  firstDelay: '100 millis', // an engine killed by a stray signal shall be back within a second
  longestDelay: '10 seconds',
}

/** The policy as a schedule: restart intensity and exponential back-off in one, so a child that has run well for a while starts afresh. */
export const restartSchedule = <Crash>(policy: Policy): Schedule.Schedule<number, Crash> => {
  const withinMs = Duration.toMillis(policy.within)
  const firstMs = Duration.toMillis(policy.firstDelay)
  const longestMs = Duration.toMillis(policy.longestDelay)
  return Schedule.fromStep(
    Effect.sync(() => {
      let crashes: readonly number[] = []
      return (nowMs: number, _crash: Crash) => {
        crashes = [...crashes.filter((atMs) => nowMs - atMs < withinMs), nowMs]
        if (crashes.length > policy.maxRestarts) return Cause.done(crashes.length)
        const delayMs = Math.min(longestMs, firstMs * 2 ** (crashes.length - 1))
        return Effect.succeed<[number, Duration.Duration]>([crashes.length, Duration.millis(delayMs)])
      }
    }),
  )
}
