// Viewers in the hands of an engine: it writes pictures to their sockets itself, so that these do not pass through
// JavaScript here.
import type { Fault } from '../../machines/errors/fault.ts'
import type { Sent } from '../../machines/stream/picture.ts'
import type { Owed } from '../../machines/viewers/record.ts'

/** How a viewer is shown pictures. */
export interface ViewerLook {
  /** Of which kind (PictureKind). */
  readonly key: string
  /** Of the pipeline, of which that is; empty: the camera's pictures. */
  readonly output: string
  /** At most; 0: all. */
  readonly fps: number
  /** What is written behind each part. */
  readonly boundary: string
  /** A viewer that takes no whole picture for so long is ended. */
  readonly stall_limit_ms: number
}

/**
 * Why an engine no longer writes to a viewer. stalled: it took nothing. engine: it has ended; `owed` is what it left
 * undone.
 */
export type ViewerEnd = { readonly why: 'gone' | 'stalled' } | { readonly why: 'engine'; readonly owed: Owed }

/**
 * A connection that an engine holds beside its owner here. It writes nothing until `start`, so that there never are two
 * who do.
 */
export interface HeldViewer {
  /** How many bytes the kernel has been given for this connection, counted from the same moment by each holder. */
  readonly positionBytes: number
  /** From now on only the engine writes. ended: called once, unless it is released before. */
  readonly start: (look: ViewerLook, ended: (end: ViewerEnd) => void) => void
  /** What it has been sent by the engine; undefined: no picture yet. */
  readonly sent: () => Sent | undefined
  /** The engine lets go. What it has begun is not finished: for a viewer that is ended. */
  readonly release: () => void
}

/** What a socket must be to be handed over: one of Node's own, and nobody's encryption around it. */
export interface PlainSocket {
  readonly remoteAddress?: string | undefined
}

/** The hand-over of viewers to an engine. Closed for good when the engine has ended. */
export interface ViewerHandover {
  /**
   * Hands a duplicate of a TCP socket over. All that was written to it must be with the kernel, and it must not be one
   * of TLS.
   */
  readonly hold: (socket: PlainSocket) => Promise<HeldViewer | Fault>
  /**
   * Shows its viewers of an output, or of the camera when that is empty, a JPEG instead of pictures that do not come,
   * until the next one does. null: no more of that.
   */
  readonly showInstead: (jpeg: Uint8Array | null, output: string) => void
}
