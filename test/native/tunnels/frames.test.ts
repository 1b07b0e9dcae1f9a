// Frames of a peer over real sockets: what comes of a peer that drips, stops, floods or says nothing, and of those who
// take nothing.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import * as Scope from 'effect/Scope'
import { WebSocket, WebSocketServer } from 'ws'
import { type Fault, isFault } from '../../../machines/errors/fault.ts'
import { framesTunnel } from '../../../native/tunnels/frames.ts'
import { DEFAULT_LIMITS, type TunnelLimits } from '../../../native/tunnels/limits.ts'
import type { FrameViewer, Tunnel } from '../../../native/tunnels/port.ts'
import { frame, openingOf } from '../../support/nt4/ws-frames.ts'
import { dialled, type PictureSource, pictureSource } from '../../support/peers/picture-source.ts'
import { arrival, until } from '../../support/until.ts'

const open = async (t: TestContext, source: PictureSource, limits: Partial<TunnelLimits> = {}) => {
  const connection = await dialled(t, source)
  const scope = Scope.makeUnsafe()
  t.after(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  const ask = { target: source.target, path: '/v1/interdevice/streams/front/frames' }
  const opening = framesTunnel(connection, ask, { ...DEFAULT_LIMITS, ...limits }).pipe(
    Effect.match({ onSuccess: (tunnel): Tunnel<FrameViewer> | Fault => tunnel, onFailure: (fault) => fault }),
  )
  return { connection, tunnel: await arrival('an answer', Effect.runPromise(Scope.provide(opening, scope))) }
}

/** A peer that has opened the socket, and says after that what a test has it say. */
const liveFrames = async (t: TestContext, limits: Partial<TunnelLimits> = {}) => {
  const source = await pictureSource(t, (connection, request) => connection.write(openingOf(request)))
  const { tunnel, connection: here } = await open(t, source, limits)
  if (isFault(tunnel)) throw new Error(tunnel.detail)
  const connection = source.connections[0] as Socket
  return { tunnel, connection, here, send: (...bytes: readonly Uint8Array[]) => connection.write(Buffer.concat(bytes)) }
}

/** A listener here, and his own end. */
const listener = async (t: TestContext, tunnel: Tunnel<FrameViewer>) => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false })
  await once(server, 'listening')
  const there = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`, { perMessageDeflate: false })
  const [here] = (await arrival('a listener', once(server, 'connection'))) as [WebSocket]
  const heard: Buffer[] = []
  there.on('message', (message) => heard.push(message as Buffer)).on('error', () => {})
  t.after(() => {
    there.terminate()
    here.terminate()
    server.close()
  })
  await until('his end', () => there.readyState === WebSocket.OPEN)
  const held = { here, there, heard, left: 0, closed: once(there, 'close') as Promise<[code: number]> }
  tunnel.join(here, () => {
    held.left += 1
  })
  return held
}

const endOf = (tunnel: Tunnel<FrameViewer>): Promise<Fault> =>
  arrival('the end of the tunnel', Effect.runPromise(Effect.flip(tunnel.ended)))

const [ONE, TWO] = [Buffer.alloc(300, 'one'), Buffer.alloc(70_000, 'two')]
const PING = frame(Buffer.from('?'), { opcode: 9 })

/**
 * What a message may begin with that never comes to its end. That of a head means a length, which more of it would make
 * another.
 */
const BEGINNINGS: Readonly<Record<string, Buffer>> = {
  'in its head': frame(TWO).subarray(0, 3),
  'in what it holds': frame(TWO).subarray(0, 500),
  'in the same chunk as the end of another': Buffer.concat([frame(ONE), frame(TWO).subarray(0, 500)]),
  'between its pieces': frame(ONE, { isLast: false }),
}

for (const [where, beginning] of Object.entries(BEGINNINGS))
  for (const drip of where === 'in its head' ? [null] : [Buffer.from('-'), null])
    test(`a message that ${drip ? 'drips' : 'stops'} ${where} ends it`, async (t) => {
      const { tunnel, send, connection } = await liveFrames(t, { partMs: 80, lookMs: 10 })
      const { closed } = await listener(t, tunnel)
      send(beginning)
      const isInPieces = where === 'between its pieces'
      const dripping = setInterval(() => drip && send(isInPieces ? PING : drip), 5)
      t.after(() => clearInterval(dripping))

      const fault = await endOf(tunnel)

      clearInterval(dripping)
      assert.equal(fault.code, 'peer.bad_answer')
      assert.match(fault.detail, /not whole after 0.08 s/)
      assert.deepEqual(await arrival('the goodbye', closed).then(([code]) => code), 1013)
      await until('the connection', () => connection.closed)
    })

test('a peer that has nothing to say between messages, or pings, may take its time', async (t) => {
  let nowMs = 0
  t.mock.method(performance, 'now', () => nowMs)
  t.mock.timers.enable({ apis: ['setInterval'] })
  const { tunnel, send, connection, here } = await liveFrames(t, { partMs: 300, lookMs: 10 })
  const held = await listener(t, tunnel)
  const { heard } = held
  const later = (ms: number) => {
    nowMs += ms
    t.mock.timers.tick(10)
  }
  send(frame(ONE))
  await until('the first', () => heard.length === 1)

  const [asked, came] = [connection.bytesRead, here.bytesRead]
  later(10_000)
  send(PING)
  await until('its answer', () => connection.bytesRead > asked)
  later(10_000)
  send(frame(TWO).subarray(0, 400))
  await until('the beginning', () => here.bytesRead === came + PING.length + 400)
  later(200)
  send(frame(TWO).subarray(400))
  await until('the second', () => heard.length === 2)
  later(10_000)

  assert.deepEqual([held.left, held.here.readyState], [0, WebSocket.OPEN])
  assert.ok(heard[1]?.equals(TWO))
})

test('when nobody has taken anything for a while, the peer is not listened to until somebody does', async (t) => {
  const { tunnel, connection } = await liveFrames(t, { pauseMs: 20, lookMs: 10 })
  const { there, heard } = await listener(t, tunnel)
  const large = frame(Buffer.alloc(400_000, 'x'))
  connection.write(large)
  await until('a first', () => heard.length === 1)
  there.pause()

  await until('the peer to have to wait', () => {
    if (connection.writableLength === 0) connection.write(large)
    return connection.writableLength > large.length / 2
  })
  there.resume()

  await until('the peer to be rid of it', () => connection.writableLength === 0)
  assert.equal(there.readyState, WebSocket.OPEN)
})

test('an answer whose head is endless opens nothing', async (t) => {
  const source = await pictureSource(t, (connection, request) =>
    connection.write(openingOf(request, `x-long: ${'x'.repeat(9_000)}\r\n`)),
  )

  const { tunnel } = await open(t, source)

  assert.ok(isFault(tunnel))
  assert.equal(tunnel.code, 'peer.bad_answer', tunnel.detail)
})
