// Pictures of a peer, passed on byte for byte: each on a connection of its own, which somebody else has dialled and
// checked.
import type { Socket } from 'node:net'
import type * as Effect from 'effect/Effect'
import type * as Scope from 'effect/Scope'
import type { Fault } from '../../machines/errors/fault.ts'
import { token } from '../../machines/token.ts'
import type { PeerTarget, PeerWire } from '../peers/port.ts'

/** A connection here whose answer has its head, and on which nobody else writes. */
export type PreviewViewer = Socket

/** An open WebSocket here, or what behaves like one. */
export interface FrameViewer {
  readonly readyState: number
  /** The `readyState` of one that is open. */
  readonly OPEN: number
  /** The `readyState` of one that is closed. */
  readonly CLOSED: number
  /** Bytes that it has not taken yet. */
  readonly bufferedAmount: number
  readonly send: (message: Buffer, options: { readonly binary: boolean }) => void
  readonly once: (event: 'close', left: () => void) => unknown
  readonly close: (code: number, reason: string) => void
  /** Ends it at once. */
  readonly terminate: () => void
}

/** What is asked for, and of whom. path: with its query. */
export interface TunnelAsk {
  readonly target: PeerTarget
  readonly path: string
}

/** What comes in from a peer, and is passed on to whoever is let in. */
export interface Tunnel<Viewer> {
  /** Passes on to one more, from the next picture that begins. left: called once, when its connection has closed. */
  readonly join: (viewer: Viewer, left: () => void) => void
  /**
   * Fails when nothing more comes, with why: `peer.unreachable` when the peer ended it, `peer.bad_answer` when it makes
   * no sense.
   */
  readonly ended: Effect.Effect<never, Fault>
}

/** mediaType: as the peer names it, with its boundary. */
export interface PreviewTunnel extends Tunnel<PreviewViewer> {
  readonly mediaType: string
}

/** One picture as a peer answered it. */
export interface PeerPicture {
  /** The one who asked has it already, so that there are no bytes. */
  readonly isUnchanged: boolean
  /** Those that are about the picture. */
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Buffer
}

/**
 * The ways for pictures through this device. What is passed on is what came: nothing is decoded, and nothing is kept.
 *
 * A picture is passed on to each viewer that has taken all that it was sent before, whole; all others miss it whole. So
 * who is late sees the next one that begins, and nothing grows. Who takes nothing for 30 s is let go. When the scope
 * closes or the peer ends it, all viewers are.
 *
 * Before anything was passed on they fail as the peer refused: with its own code where that is known here
 * (`stream.not_found`, `stream.no_picture`, `viewer.too_many`, ...), with `peer.refuses_us`, `peer.too_slow`,
 * `peer.unreachable` or `peer.bad_answer`.
 */
export interface TunnelPort {
  /** Asks for live pictures (MJPEG) on a fresh connection. The first of them waits for the first viewer. */
  readonly preview: (connection: Socket, ask: TunnelAsk) => Effect.Effect<PreviewTunnel, Fault, Scope.Scope>
  /** The same on a WebSocket, whose messages are passed on whole. */
  readonly frames: (connection: Socket, ask: TunnelAsk) => Effect.Effect<Tunnel<FrameViewer>, Fault, Scope.Scope>
  /** One picture. known: what the one who asks has already (`if-none-match`, `if-modified-since`). */
  readonly picture: (
    wire: Pick<PeerWire, 'ask'>,
    ask: TunnelAsk,
    known: Readonly<Record<string, string>>,
  ) => Effect.Effect<PeerPicture, Fault>
}

export const TUNNEL_PORT = token<TunnelPort>('tunnel-port')
