// What an engine says to the control process.
import type { Fault } from '../../../machines/errors/fault.ts'
import type { Picture } from '../../../machines/stream/picture.ts'
import type { VideoPacket } from '../../../machines/stream/video.ts'
import type { EngineEvent, EngineOpened } from '../port.ts'
import type { SentLayout } from './results.ts'

/** What an engine says. The bytes of a `result` are doubles as `resultFrom` reads them, those of a `picture` its JPEG, those of a `video` one of its pictures. */
export type Report =
  | { readonly type: 'ready' }
  /**
   * Done, or failed with a fault. value: what was asked for, if anything: a Pulse for a ping, a RecordingProgress for the end of a
   * recording, a list of Control, a ControlOutcome.
   */
  | { readonly type: 'answer'; readonly ask: number; readonly fault?: Fault; readonly value?: unknown }
  /** What was asked for is being made now: its turn has come, and its workers are ready. */
  | { readonly type: 'began'; readonly ask: number }
  /** The answer to a successful `open`. plan: the number of the results that have its layout. */
  | {
      readonly type: 'opened'
      readonly ask: number
      readonly opened: Omit<EngineOpened, 'layout'>
      readonly plan: number
      readonly layout: SentLayout
    }
  /** The answer to a successful `plan`; results of that number have this layout. */
  | { readonly type: 'planned'; readonly ask: number; readonly plan: number; readonly layout: SentLayout }
  | { readonly type: 'event'; readonly event: EngineEvent }
  | { readonly type: 'result' }
  /** No result has been there to be sent for QUIET_AFTER_MS. */
  | { readonly type: 'quiet' }
  | { readonly type: 'picture'; readonly picture: Omit<Picture, 'jpeg'> }
  | { readonly type: 'video'; readonly packet: Omit<VideoPacket, 'bytes'> }
  /** It holds the socket of a viewer, or not and why. position_bytes: see HeldViewer. */
  | { readonly type: 'viewer-held'; readonly viewer: number; readonly position_bytes: number }
  | { readonly type: 'viewer-refused'; readonly viewer: number; readonly fault: Fault }
  /** It no longer writes to a viewer, though nobody told it so. */
  | { readonly type: 'viewer-left'; readonly viewer: number; readonly why: 'gone' | 'stalled' }
