// A recording's effects: a draft in the media store, and the engine of the stream that writes it.

import * as Effect from 'effect/Effect'
import { cropNote } from '../../machines/cameras/crop.ts'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import type { RecordedFile, RecordingEvent, RecordingRequest } from '../../machines/recording/order.ts'
import { type RecordingActions, recordingMachine } from '../../machines/recording/recording-machine.ts'
import type { RecordingEffects } from '../../machines/recording/recording-setup.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import type { Clock } from '../../native/clock/port.ts'
import type { Engine, EngineEvent, RewindKept } from '../../native/engine/port.ts'
import type { MediaStore } from '../../native/media/port.ts'
import { fromEffect, fromScoped, type Talk } from '../run.ts'
import type { StreamRuntime } from '../stream/stream-runtime.ts'
import type { ImuHold, ImuRecorder } from './imu-recorder.ts'
import { RecordingSession } from './recording-session.ts'

/** What the recording of one stream works with. record: enters a fault in the error history. */
export interface RecordingParts {
  readonly stream: StreamRuntime
  readonly media: Pick<MediaStore, 'begin'>
  readonly clock: Pick<Clock, 'nowMs' | 'onSet'>
  readonly record: (fault: Fault) => void
  /** What the IMU says; default: there is none. */
  readonly imu?: ImuRecorder
}

/** The recording machine with its effects, for one stream. Whatever ends the actor ends the file. */
export const recordingActor = ({ stream, media, clock, record, imu }: RecordingParts) => {
  let session: RecordingSession | undefined
  let tell: (event: RecordingEvent) => void = () => {}

  /**
   * From the draft on the file is the session's, also when nobody waits for it any more: a draft that nobody owns is
   * written for ever.
   */
  const begin = ({ name, rewinds, library }: RecordingRequest): Effect.Effect<RecordedFile, Fault> =>
    Effect.uninterruptible(
      Effect.gen(function* () {
        const engine = stream.engine.current.value
        const opened = stream.engine.opened.value
        const { state } = stream.status()
        if (!engine || !opened || state !== 'live') return yield* Effect.fail(noPictures(stream.id, state))
        const draft = yield* Effect.promise(() =>
          media.begin({
            kind: 'recording',
            origin: rewinds ? 'rewind' : 'recording',
            media_type: 'video/mp4',
            stream_id: stream.id,
            name: name ?? stream.id,
            captured_ms: clock.nowMs(),
            metadata: cropNote(opened.crop),
          }),
        )
        if (isFault(draft)) return yield* Effect.fail(draft)
        const own = new RecordingSession({ draft, engine, opened, record, ...(imu && { imu }) })
        session = own
        stream.recording.holdEngine(own.letGo)
        endForRoom(own)
        const files = { path: draft.path, sidecar_path: draft.sidecarPath }
        const order = { ...files, stream: stream.id, rewinds, ...(library && { library }) }
        yield* Effect.onError(own.begin(order), () => Effect.sync(() => forget(own)))
        return { name: draft.name, since_ms: clock.nowMs() }
      }),
    )

  const endForRoom = (own: RecordingSession): void => {
    const { noRoom } = own.draft
    const ended = () => {
      own.noteNoRoom()
      if (session === own) tell({ type: 'recording.ended', fault: noRoom.reason as Fault, progress: null })
    }
    if (noRoom.aborted) ended()
    else noRoom.addEventListener('abort', ended, { once: true })
  }

  const forget = (own: RecordingSession): void => {
    if (session === own) session = undefined
  }

  const finish = (): Effect.Effect<Fault | null> =>
    Effect.suspend(() => {
      const own = session
      if (!own) return Effect.succeed(null)
      return Effect.ensuring(
        own.end,
        Effect.sync(() => forget(own)),
      )
    })

  const heard = (engine: Engine, event: EngineEvent): void => {
    if (session?.engine !== engine) return
    if (event.type === 'exited') tell({ type: 'engine.gone', fault: event.fault })
    else if (event.type === 'recording') {
      session.noteProgress(event.progress)
      tell({ type: 'recording.progressed', progress: event.progress })
    } else if (event.type === 'record-ended') {
      const isShort = event.fault.code !== 'recording.other_size' // what comes then is in the next file
      session.noteClosed(event.progress, isShort)
      tell({ type: 'recording.ended', fault: event.fault, progress: event.progress })
    }
  }

  return recordingMachine.provide({
    actions: { record: (_, fault: Fault) => record(fault) } satisfies Required<RecordingActions>,
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
          const unfollow = stream.engine.current.subscribe(guard(follow))
          const tellPictures = guard(() =>
            send({ type: stream.status().state === 'live' ? 'pictures.came' : 'pictures.went' }),
          )
          const unwatch = stream.onMoved(tellPictures)
          follow(stream.engine.current.value)
          tellPictures()
          const unset = clock.onSet(guard((by_ms) => send({ type: 'clock.set', by_ms })))
          const letGo = imu ? keepWithPictures(imu, stream, guard) : () => {}
          yield* Effect.addFinalizer(() => {
            unfollow()
            unwatch()
            unsubscribe()
            unset()
            letGo()
            tell = () => {}
            return Effect.ignore(finish())
          })
          return yield* Effect.never
        }),
      ),
    } satisfies Required<RecordingEffects>,
  })
}

/** What is kept of the IMU goes as far back as the pictures that are kept. Returns the way to stop that. */
const keepWithPictures = (
  imu: ImuRecorder,
  { engine }: Pick<StreamRuntime, 'engine'>,
  guard: Talk<RecordingEvent>['guard'],
): (() => void) => {
  let hold: ImuHold | undefined
  const follow = (kept: RewindKept | null | undefined) => {
    if (!kept) {
      hold?.release()
      hold = undefined
      return
    }
    hold ??= imu.hold(0)
    hold.spanUs = kept.span_us + REWIND_TOLD_US
  }
  const stop = engine.rewound.subscribe(guard(follow))
  follow(engine.rewound.value)
  return () => {
    stop()
    hold?.release()
  }
}

/** An engine tells once a second what it keeps, and a clip begins a moment after it was asked for. */
const REWIND_TOLD_US = 5_000_000

const engineChanged = (id: string): Fault => ({
  code: 'recording.failed',
  detail: `The stream ${id} has another engine; its recording goes on in another file.`,
})

const noPictures = (id: string, state: string): Fault => ({
  code: 'recording.failed',
  detail: oneLine`
    The stream ${id} gives no pictures to be recorded: its state is ${state}. Start the recording when it is live.
  `,
})
