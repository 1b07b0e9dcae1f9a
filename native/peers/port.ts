// How this device reaches another one: connections that are checked before anybody gets them, requests and WebSockets
// on them.
import type { IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import type * as Effect from 'effect/Effect'
import type * as Scope from 'effect/Scope'
import type { Fault } from '../../machines/errors/fault.ts'
import { token } from '../../machines/token.ts'

/** Where a peer is and how it is known. */
export interface PeerTarget {
  /** `https://10.12.34.11:5801`, no path. */
  readonly origin: string
  /**
   * What its certificate must be, SHA-256 as 64 hex digits; null: any, and then no token is sent, unless to loopback.
   */
  readonly fingerprint: string | null
  /** That it gave us. */
  readonly token: string | null
  /**
   * Which device is meant; another one that has the address now does nothing of what it is asked. Left out: whichever
   * answers.
   */
  readonly device_id?: string
}

/** bringsMuch: pictures without end come, say, so that memory is kept to read them into. */
export interface DialOptions {
  readonly bringsMuch?: boolean
}

/** A request to another device. */
export interface PeerRequest {
  readonly method: string
  /** With its query. */
  readonly path: string
  /** Sent as JSON. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** For all of it, the connection too. */
  readonly limitMs: number
  /** Of the answer's body. */
  readonly maxBytes: number
}

/** Whatever the peer has answered, redirects and refusals too: what they mean is up to the caller. */
export interface PeerAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** An open WebSocket. */
export interface PeerSocket {
  /** Fails when the connection has ended, with why. */
  readonly ended: Effect.Effect<never, Fault>
  readonly send: (text: string) => void
  /** Asks for a sign of life; calls back when it has come, with the time that it took in milliseconds. */
  readonly ping: (answered: (roundTripMs: number) => void) => void
}

/**
 * The wire to peers. Nothing follows a redirect, and a token never leaves before the certificate has been checked.
 *
 * Fails with `identity.not_kept` and `identity.unreadable` over TLS while this device has no identity, and then nothing
 * is called. With `peer.unreachable` when no connection was made, so that nothing has left; `peer.wrong_certificate`
 * when another device answers, or a certificate is meant and it is plain HTTP; `peer.self` when this device does;
 * `peer.too_slow` when there was no answer in time: then what was asked for may have been done. `peer.refuses_us`:
 * `follow` only, by 401 or 403. `peer.bad_answer`: what came makes no sense, or is too long; of an order (all but GET)
 * that is `peer.too_slow` too, since it may have been carried out.
 */
export interface PeerWire {
  /** A connection, shaken hands and checked; our own certificate is shown. Destroyed with the scope. */
  readonly dial: (
    target: PeerTarget,
    limitMs: number,
    options?: DialOptions,
  ) => Effect.Effect<Socket, Fault, Scope.Scope>
  /**
   * The fingerprint of the certificate that is shown at an address, of any device: callers that go on from there pin
   * it. `peer.unreachable` over plain HTTP, which shows none.
   */
  readonly identify: (origin: string, limitMs: number) => Effect.Effect<string, Fault>
  /** connected: called once when the peer has taken the connection and is who it must be. */
  readonly ask: (target: PeerTarget, request: PeerRequest, connected?: () => void) => Effect.Effect<PeerAnswer, Fault>
  /** Opens a WebSocket within a few seconds. Each message is whole, 64 KiB at most. Closed with the scope. */
  readonly follow: (
    target: PeerTarget,
    path: string,
    heard: (message: Buffer, isBinary: boolean) => void,
  ) => Effect.Effect<PeerSocket, Fault, Scope.Scope>
}

/** The wire to other devices. */
export const PEER_WIRE = token<PeerWire>('peer-wire')
