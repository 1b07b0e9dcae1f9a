// One file of a recording: from the order to begin it to the item that is whole, whoever is interrupted meanwhile.
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { type FileState, hasBegun, isClosed, nextFileState } from '../../machines/recording/file-state.ts'
import type { RecordingProgress } from '../../machines/recording/progress.ts'
import type { Engine, EngineOpened, RecordingOrder } from '../../native/engine/port.ts'
import type { MediaDraft } from '../../native/media/port.ts'
import { ImuNotes, type ImuRecorder } from './imu-recorder.ts'

/** What a session is made of. */
export interface RecordingSessionParts {
  readonly draft: MediaDraft
  readonly engine: Engine
  /** What the camera answered. */
  readonly opened: EngineOpened
  /** Enters a fault in the error history. */
  readonly record: (fault: Fault) => void
  /** What the IMU says; default: there is none. */
  readonly imu?: ImuRecorder
}

/**
 * A file that an engine writes. It owns the draft: this is completed or abandoned, once, whatever happens to those who
 * wait for that.
 */
export class RecordingSession {
  readonly draft: MediaDraft
  readonly engine: Engine
  /** Done when the engine writes nothing of it any more. */
  readonly letGo: Effect.Effect<void>
  /**
   * Ends the file, as whole as it got, and answers why it is shorter than it should be. Not to be interrupted; whoever
   * asks while it is being ended, or later, has the same answer.
   */
  readonly end: Effect.Effect<Fault | null>
  readonly #parts: RecordingSessionParts
  readonly #notes: ImuNotes | undefined
  readonly #letGo = Promise.withResolvers<void>()
  #state: FileState = 'unordered'
  #progress: RecordingProgress | undefined
  /** More was to come. */
  #isShort = false

  constructor(parts: RecordingSessionParts) {
    this.#parts = parts
    this.draft = parts.draft
    this.engine = parts.engine
    this.#notes = parts.imu && new ImuNotes(parts.imu, parts.draft.appendImu)
    this.letGo = Effect.promise(() => this.#letGo.promise)
    this.end = Effect.uninterruptible(Effect.runSync(Effect.cached(Effect.suspend(() => this.#end()))))
  }

  /**
   * Has the engine write, and is interrupted at that whatever calls it. When it fails nothing is left of the file; when
   * it is interrupted, what was written is kept.
   */
  begin(order: RecordingOrder): Effect.Effect<void, Fault> {
    const ordered = Effect.suspend(() => {
      this.#state = nextFileState(this.#state, 'ordered')
      return this.engine.startRecording(order)
    })
    return Effect.interruptible(this.#whileItLives(ordered)).pipe(
      Effect.onExit((exit) => {
        if (Exit.isFailure(exit)) return Exit.hasInterrupts(exit) ? this.end : this.#abandoned
        this.#state = nextFileState(this.#state, 'begun')
        return Effect.void
      }),
    )
  }

  /** The engine has told how far it is. */
  noteProgress(progress: RecordingProgress): void {
    this.#progress = progress
    if (progress.first_us !== null) this.#notes?.begin(progress.first_us)
  }

  /** The engine has closed the file by itself. isShort: more was to come. */
  noteClosed(progress: RecordingProgress, isShort: boolean): void {
    this.#state = nextFileState(this.#state, 'closed')
    this.noteProgress(progress)
    this.#isShort = isShort
  }

  /** There is no room for more. */
  noteNoRoom(): void {
    this.#isShort = true
  }

  /** An engine that has only been slow to begin is not to write on. */
  readonly #abandoned: Effect.Effect<null> = Effect.suspend(() =>
    Effect.andThen(Effect.forkDetach(Effect.ignore(this.#whileItLives(this.engine.stopRecording))), this.#dropped),
  )

  readonly #dropped: Effect.Effect<null> = Effect.suspend(() => {
    this.#letGo.resolve()
    this.#notes?.release()
    return Effect.as(
      Effect.promise(() => this.draft.abandon()),
      null,
    )
  })

  /** untilUs: when the last picture was taken, as far as that is known. */
  #endNotes(untilUs = Number.POSITIVE_INFINITY): Effect.Effect<void> {
    return Effect.gen({ self: this }, function* () {
      while (this.#notes?.finish(untilUs)) yield* Effect.yieldNow
      this.#notes?.release()
    })
  }

  #end(): Effect.Effect<Fault | null> {
    const { draft, engine, opened, record } = this.#parts
    const stop = Effect.catch(this.#whileItLives(engine.stopRecording), (fault: Fault) => Effect.succeed(fault))
    return Effect.gen({ self: this }, function* () {
      if (this.#state === 'unordered') return yield* this.#dropped
      const ended = isClosed(this.#state) ? this.#progress : yield* stop
      this.#letGo.resolve()
      if (ended && !isFault(ended)) {
        this.noteProgress(ended)
        yield* this.#endNotes((ended.first_us ?? 0) + ended.duration_us)
      } else yield* this.#endNotes()
      const fault = isFault(ended) ? ended : null
      if (!hasBegun(this.#state) && ended && !isFault(ended) && ended.pictures === 0) return yield* this.#dropped
      const done = yield* Effect.promise(() =>
        draft.complete({
          width_px: opened.width_px,
          height_px: opened.height_px,
          // What an engine that died told last is not what is in the file.
          ...(ended &&
            !isFault(ended) && { frames: ended.pictures, duration_ms: Math.round(ended.duration_us / 1000) }),
          ...((this.#isShort || fault) && { truncated: true }),
        }),
      )
      const unkept = isFault(done) ? failureOf(done) : null
      if (unkept && hasBegun(this.#state)) record(unkept)
      return unkept ?? (fault && failureOf(fault))
    })
  }

  /** An engine that is gone answers nothing; when it is, nobody writes its files any more. */
  #whileItLives<Value>(order: Effect.Effect<Value, Fault>): Effect.Effect<Value, Fault> {
    return Effect.raceFirst(order, Effect.andThen(this.engine.gone, Effect.fail(engineGone)))
  }
}

/** Who stops a recording hears that it failed, whatever the reason: nothing could be done first. */
const failureOf = ({ code, detail }: Fault): Fault => ({
  code: code === 'recording.unavailable' ? code : 'recording.failed',
  detail,
})

const engineGone: Fault = {
  code: 'recording.failed',
  detail: 'The engine that recorded has ended; what it had written of the recording is kept.',
}
