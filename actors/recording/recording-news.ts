// Tells everybody of the turns of recordings, through all incarnations of what records. Lives as long as the service.
import { recordingStatusOf } from '../../machines/recording/status.ts'
import { recordingChanged } from '../../machines/stream/events.ts'
import type { EventBus } from '../events/event-bus.ts'
import type { StreamRuntime } from '../stream/stream-runtime.ts'

const IDLE = JSON.stringify([null, null])

export class RecordingNews {
  readonly #events: Pick<EventBus, 'publish'>
  readonly #told = new WeakMap<StreamRuntime, string>()

  constructor(events: Pick<EventBus, 'publish'>) {
    this.#events = events
  }

  /** Something of a recording may be another: tells what is, unless it was told already or is how far it is. */
  look(stream: StreamRuntime): void {
    if (stream.isDeleted) return
    const snapshot = stream.recording.status?.()
    const recording = recordingStatusOf(snapshot)
    const { code, detail } = snapshot?.context.fault ?? {}
    const fault = code && detail !== undefined ? { code, detail } : null
    const turn = JSON.stringify([recording && [recording.state, recording.name], fault])
    if (turn === (this.#told.get(stream) ?? IDLE)) return
    this.#told.set(stream, turn)
    this.#events.publish(recordingChanged, { resource_ref: { stream_id: stream.id }, data: { recording, fault } })
  }
}
