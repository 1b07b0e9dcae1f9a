// One supervised recording for each stored stream, which records nothing until it is told to.
import * as Effect from 'effect/Effect'
import type { RecordFault } from '../../actors/errors/error-keeper-actor.ts'
import { type RecordingParts, recordingActor } from '../../actors/recording/recording-actor.ts'
import type { RecordingNews } from '../../actors/recording/recording-news.ts'
import type { StreamRegistry } from '../../actors/stream/stream-registry.ts'
import type { StreamRuntime } from '../../actors/stream/stream-runtime.ts'
import type { RecordingSnapshot } from '../../machines/recording/status.ts'
import type { WantedChildren } from '../supervision/reconciler.ts'
import { anyChild, type Child, type LifecycleEvent, type Supervisor } from '../supervision/supervisor.ts'

const RECORDINGS = 'recordings'
const PREFIX = `${RECORDINGS}/`

/** What it takes to record streams. */
export interface RecordingChildrenParts extends Pick<RecordingParts, 'media' | 'clock' | 'imu'> {
  readonly supervisor: Supervisor
  readonly streams: StreamRegistry
  readonly record: RecordFault
}

// of the three that a service has to stop; what is not done by then is done at its next start
const END_LIMIT = '2 seconds'

/**
 * When the service stops: files are ended while there are still engines to end them, and a store to keep them. No
 * engine is held any longer than that.
 */
export const endRecordings = (
  supervisor: Pick<Supervisor, 'stop'>,
  streams: Pick<StreamRegistry, 'all'>,
): Effect.Effect<void> => {
  const letGo = Effect.sync(() => {
    for (const stream of streams.all()) stream.recording.releaseEngine()
  })
  return Effect.andThen(
    supervisor.stop(RECORDINGS),
    Effect.forEach(streams.all(), ({ id }) => supervisor.stop(PREFIX + id), {
      concurrency: 'unbounded',
      discard: true,
    }),
  ).pipe(Effect.timeoutOrElse({ duration: END_LIMIT, orElse: () => letGo }))
}

/** Of the streams that are stored. One that was deleted and created again is another. */
export const recordingChildren = ({
  supervisor,
  streams,
  record,
  ...parts
}: RecordingChildrenParts): WantedChildren<StreamRuntime> => ({
  name: RECORDINGS,
  watch: (changed) => streams.subscribe(changed),
  wanted: () => new Map(streams.all().map((stream) => [PREFIX + stream.id, stream])),
  isSame: (before, after) => before === after,
  start: (id, stream): Child => {
    stream.recording.status = () => supervisor.snapshot(id) as RecordingSnapshot | undefined
    const ofStream = (fault: Parameters<RecordFault>[0]) => record({ resource: `streams/${stream.id}`, ...fault })
    const incarnate = Effect.sync(() => ({ logic: recordingActor({ ...parts, stream, record: ofStream }) }))
    return anyChild({ id, incarnate })
  },
})

/** What it takes to tell of recordings. */
export interface RecordingFollowerParts {
  readonly supervisor: Pick<Supervisor, 'actor'>
  readonly streams: Pick<StreamRegistry, 'get'>
  readonly news: RecordingNews
}

/** Heeds each turn of what records. */
export const followRecordings =
  ({ supervisor, streams, news }: RecordingFollowerParts) =>
  ({ id, type }: LifecycleEvent): void => {
    const stream = id.startsWith(PREFIX) ? streams.get(id.slice(PREFIX.length)) : undefined
    if (!stream) return
    const look = () => news.look(stream)
    if (type === 'started') supervisor.actor(id)?.subscribe({ next: look, complete: look, error: look })
    look()
  }
