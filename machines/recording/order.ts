// The request for a recording, and the events of its machine.
import type { Fault } from '../errors/fault.ts'
import type { RecordingProgress } from './progress.ts'

/** The request to record. */
export interface RecordingRequest {
  /** What people call it. */
  readonly name: string | null
  /** It begins with the pictures that were kept. */
  readonly rewinds: boolean
  /** It ends when it has begun: a clip of what was kept. The order is answered when the file is whole. */
  readonly endsAtOnce: boolean
  /** The encoder of H.264; null: JPEGs as they are. */
  readonly library: string | null
}

/** A file that is being recorded. */
export interface RecordedFile {
  /** Of the media item. */
  readonly name: string
  /** Unix time. */
  readonly since_ms: number
}

export type RecordingEvent =
  /** Answered with the file when the engine records to it; where it ends at once, when it is whole. */
  | ({ readonly type: 'recording.start'; readonly ask: number } & RecordingRequest)
  /** Answered when the file is whole; at once when nothing is recorded. */
  | { readonly type: 'recording.stop'; readonly ask: number }
  | { readonly type: 'recording.progressed'; readonly progress: RecordingProgress }
  /** It has ended by itself: no room is left, or the pictures have another size. */
  | { readonly type: 'recording.ended'; readonly fault: Fault; readonly progress: RecordingProgress | null }
  /** The engine is gone, and its file is as it left it. */
  | { readonly type: 'engine.gone'; readonly fault: Fault }
  /** There are pictures, again or from now on. */
  | { readonly type: 'pictures.came' }
  /** The stream gives none. */
  | { readonly type: 'pictures.went' }
  /** The clock of the device was set: the file was begun so much later. */
  | { readonly type: 'clock.set'; readonly by_ms: number }

/** The request in an order to begin. */
export const requestOf = ({ name, rewinds, endsAtOnce, library }: RecordingRequest): RecordingRequest => ({
  name,
  rewinds,
  endsAtOnce,
  library,
})
