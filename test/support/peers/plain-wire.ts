// A wire to peers of a test: plain connections to this machine.
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import * as Effect from 'effect/Effect'
import type { Fault } from '../../../machines/errors/fault.ts'
import type { PeerAnswer, PeerWire } from '../../../native/peers/port.ts'

const unreachable = (origin: string): Fault => ({ code: 'peer.unreachable', detail: `${origin} does not answer` })

/** A wire that counts its use. */
export interface PlainWire extends Pick<PeerWire, 'dial' | 'ask'> {
  /** How often that was done. */
  dials: number
  /** How often that was done. */
  asks: number
}

export const plainWire = (): PlainWire => {
  const wire: PlainWire = {
    dials: 0,
    asks: 0,
    dial: ({ origin }) =>
      Effect.acquireRelease(
        Effect.sync(() => {
          wire.dials += 1
          const { hostname, port } = new URL(origin)
          return connect(Number(port), hostname).on('error', () => {})
        }),
        (socket) => Effect.sync(() => socket.destroy()),
      ).pipe(
        Effect.tap((socket) =>
          Effect.callback<Socket, Fault>((resume) => {
            socket.once('connect', () => resume(Effect.succeed(socket)))
            socket.once('close', () => resume(Effect.fail(unreachable(origin))))
          }),
        ),
      ),
    ask: ({ origin }, { method, path, headers }) =>
      Effect.callback<PeerAnswer, Fault>((resume) => {
        wire.asks += 1
        const asking = request(origin + path, { method, agent: false, headers: { ...headers } })
        asking.on('error', () => resume(Effect.fail(unreachable(origin))))
        asking.on('response', (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('end', () => {
            const { statusCode = 0, headers: answered } = response
            resume(Effect.succeed({ status: statusCode, headers: answered, body: Buffer.concat(chunks) }))
          })
        })
        asking.end()
      }),
  }
  return wire
}
