// A WebSocket on which something came that is wrong: it is ended at once, and not read on until somebody says goodbye.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import * as Scope from 'effect/Scope'
import { PROTOCOL_41 } from '../../../native/nt4/protocol.ts'
import { diallerOf } from '../../../native/peers/dial.ts'
import { socketWire } from '../../../native/peers/wire.ts'
import { framesTunnel } from '../../../native/tunnels/frames.ts'
import { FLOODS } from '../../support/api/floods.ts'
import { nt4Lab } from '../../support/nt4/nt4.ts'
import { wsNt4 } from '../../support/nt4/ws-nt4.ts'
import { arrival } from '../../support/until.ts'

const LIMIT_MS = 20_000 // the library waits for 30 s
const WRONG = ['a message without an end', 'a text that is none'] as const

type Wrong = (typeof WRONG)[number]

const KEY = 'dGhlIHNhbXBsZSBub25jZQ=='
const HANDSHAKE =
  'GET /nt/wrong HTTP/1.1\r\nhost: 127.0.0.1\r\nupgrade: websocket\r\nconnection: upgrade\r\n' +
  `sec-websocket-version: 13\r\nsec-websocket-key: ${KEY}\r\nsec-websocket-protocol: ${PROTOCOL_41}\r\n\r\n`

/** Sends for as long as anybody takes it, and does not hang up itself. Resolves when it was cut off. */
const pour = async (socket: Socket, flood: (typeof FLOODS)[Wrong], isClient: boolean): Promise<void> => {
  const { first, again } = flood({ isClient, path: '/' })
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  const write = () => {
    while (socket.writable && socket.write(again));
  }
  socket.on('drain', write).resume().write(first)
  write()
  await closed
}

/** Opens WebSockets for whoever calls, and sends them what is wrong. */
const wrongServer = async (t: TestContext, wrong: Wrong, protocol?: string) => {
  const server = createServer()
  const cut = new Promise<void>((resolve) => {
    server.on('upgrade', ({ headers }: IncomingMessage, socket: Socket) => {
      const key = `${headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`
      socket.allowHalfOpen = true
      socket.on('error', () => {})
      t.after(() => socket.destroy())
      socket.write(
        'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n' +
          `sec-websocket-accept: ${createHash('sha1').update(key).digest('base64')}\r\n` +
          `${protocol ? `sec-websocket-protocol: ${protocol}\r\n` : ''}\r\n`,
      )
      void pour(socket, FLOODS[wrong], false).then(resolve)
    })
  })
  server.listen(0, '127.0.0.1')
  await arrival('a port', once(server, 'listening'))
  t.after(() => server.close())
  return { port: (server.address() as AddressInfo).port, cut }
}

const inScope = (t: TestContext) => {
  const scope = Scope.makeUnsafe()
  t.after(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  return <A, E>(effect: Effect.Effect<A, E, Scope.Scope>) => Effect.runPromise(Scope.provide(effect, scope))
}

for (const wrong of WRONG) {
  test(`the events of a peer that are ${wrong} are not listened to any more`, async (t) => {
    const { port, cut } = await wrongServer(t, wrong)
    const target = { origin: `http://127.0.0.1:${port}`, fingerprint: null, token: null }
    const run = inScope(t)

    const { ended } = await run(socketWire().follow(target, '/', () => {}))
    const fault = await arrival('the end', run(Effect.flip(ended)), undefined, LIMIT_MS)

    assert.equal(fault.code, 'peer.bad_answer')
    await arrival('the end of the connection', cut, undefined, LIMIT_MS)
  })

  test(`the pictures of a peer that are ${wrong} are not passed on any more`, async (t) => {
    const { port, cut } = await wrongServer(t, wrong)
    const target = { origin: `http://127.0.0.1:${port}`, fingerprint: null, token: null }
    const run = inScope(t)

    const connection = await run(diallerOf(() => null)(target, LIMIT_MS, { bringsMuch: true }))
    const tunnel = await run(framesTunnel(connection, { target, path: '/' }))
    tunnel.join(
      Object.assign(new EventTarget(), {
        readyState: 1,
        CLOSED: 3,
        OPEN: 1,
        once: () => {},
        close: () => {},
        terminate: () => {},
        send: () => {},
        bufferedAmount: 0,
      }) as never,
      () => {},
    )
    if (wrong === 'a message without an end')
      assert.equal(
        (await arrival('the end', run(Effect.flip(tunnel.ended)), undefined, LIMIT_MS)).code,
        'peer.bad_answer',
      )
    else connection.destroy() // the texts of pictures are not looked at
    await arrival('the end of the connection', cut, undefined, LIMIT_MS)
  })

  test(`a robot that sends ${wrong} loses its connection`, async (t) => {
    const { port, cut } = await wrongServer(t, wrong, PROTOCOL_41)
    const run = inScope(t)

    const fault = await arrival(
      'the end',
      run(Effect.flip(wsNt4.connect({ host: '127.0.0.1', port, name: 'device' }, () => {}))),
      undefined,
      LIMIT_MS,
    )

    assert.match(fault.code, /^nt4\.(closed|refused)$/)
    await arrival('the end of the connection', cut, undefined, LIMIT_MS)
  })

  test(`a client of the NT4 server that sends ${wrong} loses its connection`, async (t) => {
    const { port } = await nt4Lab(t).serve()
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => {})
    t.after(() => socket.destroy())
    socket.write(HANDSHAKE)
    await arrival('the answer', once(socket, 'data'))

    await arrival('the end of the connection', pour(socket, FLOODS[wrong], true), undefined, LIMIT_MS)
  })
}
