// The recording of a stream, as the rest of the stream sees it.
import * as Effect from 'effect/Effect'
import { type RecordingSnapshot, recordingStatusOf } from '../../machines/recording/status.ts'

/** The recording's part of a stream. Its status is written by the supervisor of recordings alone. */
export class StreamRecording {
  /** What it says of itself; undefined until there is somebody who records. */
  status: (() => RecordingSnapshot | undefined) | undefined
  #letGo: Effect.Effect<void> = Effect.void
  #isReleased = false

  /** Whether one goes on, or is being ended. */
  get isRunning(): boolean {
    const status = recordingStatusOf(this.status?.())
    return status !== null && status.state !== 'failed'
  }

  /** Done when the newest recording has let go of the engine that it began with, which is not ended before. */
  get hold(): Effect.Effect<void> {
    return Effect.suspend(() => (this.#isReleased ? Effect.void : this.#letGo))
  }

  /** A recording begins: it has let go of its engine when this is done. */
  holdEngine(letGo: Effect.Effect<void>): void {
    this.#letGo = letGo
  }

  /** No recording holds an engine from now on: the service ends. */
  releaseEngine(): void {
    this.#isReleased = true
  }
}
