// What one incarnation of a stream is made of.
import * as Effect from 'effect/Effect'
import type { RecordFault } from '../../actors/errors/error-keeper-actor.ts'
import { streamActor } from '../../actors/stream/stream-actor.ts'
import type { StreamDevice } from '../../actors/stream/stream-device.ts'
import type { EnginePort } from '../../native/engine/port.ts'
import type { IncarnateStream } from './children.ts'

interface IncarnationParts {
  readonly engines: EnginePort
  readonly record: RecordFault
  readonly device: StreamDevice
}

/**
 * For so long an engine may end the file that it writes: those who wait for it have 5 s, and 2 of them it takes to end
 * it. Else what is whole of the file is kept.
 */
const HOLD_LIMIT = '2 seconds'

/** Makes one: it has an engine of its own, which goes with it. */
export const incarnateStream =
  ({ engines, record, device }: IncarnationParts): IncarnateStream =>
  (stream) => {
    const sinks = {
      results: stream.results,
      picture: stream.viewers.pictures.deliver.bind(stream.viewers.pictures),
      video: stream.viewers.video.deliver.bind(stream.viewers.video),
      noResult: () => stream.noResult.notify('no-result'),
    }
    const ended = Effect.sync(() => stream.noResult.notify('ended'))
    const recorded = stream.recording.hold.pipe(
      Effect.timeoutOrElse({ duration: HOLD_LIMIT, orElse: () => Effect.void }),
    )
    const ofStream: RecordFault = (fault, times) => record({ resource: `streams/${stream.id}`, ...fault }, times)
    return Effect.map(
      // Said before the engine is ended, which takes a while: it says nothing more from then on.
      Effect.tap(engines.spawn(stream.id, sinks), () => Effect.addFinalizer(() => Effect.andThen(ended, recorded))),
      (engine) => ({
        logic: streamActor({ engine, stream, device, record: ofStream }),
        options: { input: stream.wanted },
      }),
    )
  }
