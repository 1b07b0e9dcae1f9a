// A recording's effects: a draft in the media store, and the engine of the stream that writes it.
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import { cropNote } from '../../machines/cameras/crop.ts'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import type { RecordedFile, RecordingEvent, RecordingWish } from '../../machines/recording/order.ts'
import type { RecordingProgress } from '../../machines/recording/progress.ts'
import { recordingMachine } from '../../machines/recording/recording-machine.ts'
import type { RecordingEffects } from '../../machines/recording/recording-setup.ts'
import type { Clock } from '../../native/clock/port.ts'
import type { Engine, EngineEvent, EngineOpened } from '../../native/engine/port.ts'
import type { MediaDraft, MediaStore } from '../../native/media/port.ts'
import { fromEffect, fromScoped } from '../run.ts'
import type { StreamRuntime } from '../stream/stream-runtime.ts'

/** What the recording of one stream works with. record: enters a fault in the error history. */
export interface RecordingParts {
  readonly stream: StreamRuntime
  readonly media: Pick<MediaStore, 'begin'>
  readonly clock: Pick<Clock, 'nowMs'>
  readonly record: (fault: Fault) => void
}

/** A file that an engine writes. progress: as the engine last told it. hasEnded: the engine has closed it by itself. isShort: more was to come. */
interface Session {
  readonly draft: MediaDraft
  readonly engine: Engine
  readonly opened: EngineOpened
  progress?: RecordingProgress
  hasEnded?: boolean
  isShort?: boolean
}

/** The recording machine with its effects, for one stream. Whatever ends the actor ends the file. */
export const recordingActor = ({ stream, media, clock, record }: RecordingParts) => {
  let session: Session | undefined
  let tell: (event: RecordingEvent) => void = () => {}

  const begin = ({ name, rewinds, library }: RecordingWish): Effect.Effect<RecordedFile, Fault> =>
    Effect.gen(function* () {
      const engine = stream.engine.value
      const opened = stream.opened.value
      const { state } = stream.status()
      if (!engine || !opened || state !== 'live') return yield* Effect.fail(noPictures(stream.id, state))
      const draft = yield* Effect.promise(() =>
        media.begin({
          ...{
            kind: 'recording',
            origin: rewinds ? 'rewind' : 'recording',
            media_type: 'video/mp4',
            stream_id: stream.id,
          },
          ...{ name: name ?? stream.id, captured_ms: clock.nowMs(), metadata: cropNote(opened.crop) },
        }),
      )
      if (isFault(draft)) return yield* Effect.fail(draft)
      const files = { path: draft.path, sidecar_path: draft.sidecarPath }
      const order = { ...files, stream: stream.id, rewinds, ...(library && { library }) }
      yield* whileItLives(engine, engine.startRecording(order)).pipe(
        Effect.onExit((exit) => (Exit.isFailure(exit) ? Effect.promise(draft.abandon) : Effect.void)),
      )
      session = { draft, engine, opened }
      const ended = () => {
        if (session?.draft === draft) session.isShort = true
        tell({ type: 'recording.ended', fault: draft.noRoom.reason as Fault, progress: null })
      }
      draft.noRoom.addEventListener('abort', ended, { once: true })
      return { name: draft.name, since_ms: clock.nowMs() }
    })

  const finish = (): Effect.Effect<Fault | null> =>
    Effect.suspend(() => {
      if (!session) return Effect.succeed(null)
      const { draft, engine, opened, progress, hasEnded, isShort } = session
      session = undefined
      const stop = Effect.catch(whileItLives(engine, engine.stopRecording), (fault: Fault) => Effect.succeed(fault))
      return Effect.gen(function* () {
        const ended = hasEnded ? progress : yield* stop
        const fault = isFault(ended) ? ended : null
        const done = yield* Effect.promise(() =>
          draft.complete({
            ...{ width_px: opened.width_px, height_px: opened.height_px },
            // What an engine that died told last is not what is in the file.
            ...(ended &&
              !isFault(ended) && { frames: ended.pictures, duration_ms: Math.round(ended.duration_us / 1000) }),
            ...((isShort || fault) && { truncated: true }),
          }),
        )
        const unkept = isFault(done) ? failureOf(done) : null
        if (unkept) record(unkept)
        return unkept ?? (fault && failureOf(fault))
      })
    })

  const heard = (engine: Engine, event: EngineEvent): void => {
    if (session?.engine !== engine) return
    if (event.type === 'exited') tell({ type: 'engine.gone', fault: event.fault })
    else if (event.type === 'recording') {
      session.progress = event.progress
      tell({ type: 'recording.progressed', progress: event.progress })
    } else if (event.type === 'record-ended') {
      session.progress = event.progress
      session.hasEnded = true
      session.isShort = event.fault.code !== 'recording.other_size' // what comes then is in the next file
      tell({ type: 'recording.ended', fault: event.fault, progress: event.progress })
    }
  }

  return recordingMachine.provide({
    actions: { record: (_, fault: Fault) => record(fault) },
    actors: {
      begin: fromEffect(begin),
      finish: fromEffect(finish),
      watchStream: fromScoped<never, void, RecordingEvent>((_, { send, guard }) =>
        Effect.gen(function* () {
          tell = send
          let unsubscribe = () => {}
          const follow = (engine: Engine | undefined) => {
            unsubscribe()
            unsubscribe = engine?.subscribe(guard((event) => heard(engine, event))) ?? (() => {})
            if (session && session.engine !== engine) send({ type: 'engine.gone', fault: engineChanged(stream.id) })
          }
          const unfollow = stream.engine.subscribe(guard(follow))
          const unwatch = stream.onMoved(
            guard(() => {
              if (stream.status().state === 'live') send({ type: 'pictures.came' })
            }),
          )
          follow(stream.engine.value)
          yield* Effect.addFinalizer(() => {
            unfollow()
            unwatch()
            unsubscribe()
            tell = () => {}
            return Effect.ignore(finish())
          })
          return yield* Effect.never
        }),
      ),
    } satisfies Required<RecordingEffects>,
  })
}

/** An engine that is gone answers nothing; when it is, nobody writes its files any more. */
const whileItLives = <Value>(engine: Engine, order: Effect.Effect<Value, Fault>): Effect.Effect<Value, Fault> =>
  Effect.raceFirst(order, Effect.andThen(engine.gone, Effect.fail(engineGone)))

/** Whoever stops a recording hears that it failed, whatever the reason: there is nothing that he could do first. */
const failureOf = ({ code, detail }: Fault): Fault => ({
  code: code === 'recording.unavailable' ? code : 'recording.failed',
  detail,
})

const engineGone: Fault = {
  code: 'recording.failed',
  detail: 'The engine that recorded has ended; what it had written of the recording is kept.',
}

const engineChanged = (id: string): Fault => ({
  code: 'recording.failed',
  detail: `The stream ${id} has another engine; its recording goes on in another file.`,
})

const noPictures = (id: string, state: string): Fault => ({
  code: 'recording.failed',
  detail: `The stream ${id} gives no pictures to be recorded: its state is ${state}. Start the recording when it is live.`,
})
