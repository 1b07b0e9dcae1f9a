// What an engine says to the control process.
import type { Fault } from '../../../machines/errors/fault.ts'
import type { Picture } from '../../../machines/stream/picture.ts'
import type { VideoPacket } from '../../../machines/stream/video.ts'
import type { EngineEvent } from '../port.ts'
import type { Opened, Planned } from './answers.ts'

/** What goes with a picture. */
export interface PackedBeside {
  /** What was found in its frame, as in a `result`; null: nothing was looked for in it; undefined: nobody asked. */
  readonly result?: Uint8Array | null
}

/**
 * What an engine says. The bytes of a `result` are doubles as `resultFrom` reads them, those of a `picture` its JPEG,
 * those of a `video` one of its pictures.
 */
export type Report =
  | { readonly type: 'ready' }
  /**
   * What was asked for is done, or failed with a fault. value: what is answered (orders.ts says of which type), if
   * anything.
   */
  | { readonly type: 'answer'; readonly ask: number; readonly fault?: Fault; readonly value?: unknown }
  /** What was asked for is being made now: its turn has come, and its workers are ready. */
  | { readonly type: 'began'; readonly ask: number }
  /** The answer to a successful `open`. */
  | ({ readonly type: 'opened'; readonly ask: number } & Opened)
  /** The answer to a successful `plan`. */
  | ({ readonly type: 'planned'; readonly ask: number } & Planned)
  | { readonly type: 'event'; readonly event: EngineEvent }
  | { readonly type: 'result' }
  /** No result has been there to be sent for NO_RESULT_AFTER_MS. */
  | { readonly type: 'quiet' }
  | ({ readonly type: 'picture'; readonly picture: Omit<Picture, 'jpeg' | 'result'> } & PackedBeside)
  | { readonly type: 'video'; readonly packet: Omit<VideoPacket, 'bytes'> }
  /** It holds the socket of a viewer, or not and why. position_bytes: see HeldViewer. */
  | { readonly type: 'viewer-held'; readonly viewer: number; readonly position_bytes: number }
  | { readonly type: 'viewer-refused'; readonly viewer: number; readonly fault: Fault }
  /** It no longer writes to a viewer, though nobody told it so. */
  | { readonly type: 'viewer-left'; readonly viewer: number; readonly why: 'gone' | 'stalled' }
