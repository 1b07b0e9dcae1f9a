// Ends each trial of a pipeline when its time is over. Lives as long as the service, and does nothing while nobody
// tries one.
import * as Effect from 'effect/Effect'
import type * as Scope from 'effect/Scope'
import type { StreamRegistry } from './stream-registry.ts'

const LOOK_EVERY = '250 millis'

/** Ends them for as long as it runs. */
export const endTrials = (
  streams: Pick<StreamRegistry, 'all' | 'subscribe'>,
): Effect.Effect<never, never, Scope.Scope> =>
  Effect.gen(function* () {
    let wake = () => {}
    yield* Effect.acquireRelease(
      Effect.sync(() => streams.subscribe(() => wake())),
      (stop) => Effect.sync(stop),
    )
    const untilOneIsTried = Effect.callback<void>((resume) => {
      wake = () => {
        if (streams.all().some(({ tried }) => tried.graph)) resume(Effect.void)
      }
      wake()
    })
    const end = Effect.sync(() => {
      for (const { tried } of streams.all()) tried.endInTime()
    })
    return yield* Effect.forever(untilOneIsTried.pipe(Effect.andThen(Effect.sleep(LOOK_EVERY)), Effect.andThen(end)))
  })
