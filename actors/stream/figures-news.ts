// Tells those who listen the figures of all streams. Lives as long as the service, and does nothing while nobody
// listens.
import * as Effect from 'effect/Effect'
import type * as Scope from 'effect/Scope'
import { streamFigures } from '../../machines/stream/events.ts'
import type { EventBus } from '../events/event-bus.ts'
import type { StreamRegistry } from './stream-registry.ts'

/** What it works with. */
export interface FiguresNewsParts {
  readonly events: Pick<EventBus, 'publish' | 'audience'>
  readonly streams: Pick<StreamRegistry, 'all'>
}

const TELL_EVERY = '1 second'

/** Tells them for as long as it runs: what is another, and everything once somebody more listens. */
export const tellFigures = ({ events, streams }: FiguresNewsParts): Effect.Effect<never, never, Scope.Scope> =>
  Effect.gen(function* () {
    let told = ''
    let listening = events.audience.value ?? 0
    let wake = () => {}
    const heed = (count: number) => {
      if (count > listening) told = ''
      listening = count
      wake()
    }
    yield* Effect.acquireRelease(
      Effect.sync(() => events.audience.subscribe(heed)),
      (stop) => Effect.sync(stop),
    )

    const untilSomebodyListens = Effect.callback<void>((resume) => {
      wake = () => {
        if (listening > 0) resume(Effect.void)
      }
      wake()
    })

    const tell = Effect.sync(() => {
      const figures = streams.all().map((stream) => stream.figures())
      const text = JSON.stringify(figures)
      if (text === told) return
      told = text
      events.publish(streamFigures, { resource_ref: {}, data: { streams: figures } })
    })

    return yield* Effect.forever(
      untilSomebodyListens.pipe(Effect.andThen(tell), Effect.andThen(Effect.sleep(TELL_EVERY))),
    )
  })
