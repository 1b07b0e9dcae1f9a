// Reaches real servers: good ones, others than those that were meant, and crude ones that break the rules.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import type { TLSSocket } from 'node:tls'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import * as Fiber from 'effect/Fiber'
import * as Scope from 'effect/Scope'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Fault } from '../../../machines/errors/fault.ts'
import { authorization } from '../../../native/peers/authorization.ts'
import { followerOf } from '../../../native/peers/follow.ts'
import type { PeerRequest, PeerTarget } from '../../../native/peers/port.ts'
import { socketWire } from '../../../native/peers/wire.ts'
import { deviceCertificate, peerServer, pinOf, rawServer } from '../../support/peers/peer-server.ts'
import { arrival, until } from '../../support/until.ts'

const wire = socketWire()
const TOKEN = 'a-token-of-a-peer'
const question: PeerRequest = { method: 'GET', path: '/v1/thing', limitMs: 20_000, maxBytes: 1_000 }

const target = (origin: string, more: Partial<PeerTarget> = {}): PeerTarget => ({
  origin,
  fingerprint: null,
  token: null,
  ...more,
})

const asked = (to: PeerTarget, request: Partial<PeerRequest> = {}, by = wire) =>
  Effect.runPromise(by.ask(to, { ...question, ...request }))

const faultOf = <Value>(effect: Effect.Effect<Value, Fault>): Promise<Fault> => Effect.runPromise(Effect.flip(effect))

const refused = (to: PeerTarget, request: Partial<PeerRequest> = {}, by = wire): Promise<Fault> =>
  faultOf(by.ask(to, { ...question, ...request }))

/** Waits for the end of a connection, however it comes. */
const closing = (socket: Socket): Promise<void> => new Promise((resolve) => socket.once('close', () => resolve()))

test('a request and its answer travel as they are, with the token for whom the certificate is trusted', async (t) => {
  const certificate = await deviceCertificate()
  const seen: unknown[] = []
  const { origin } = await peerServer(
    t,
    async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      const { host, authorization: by, 'x-own': own } = request.headers
      seen.push([request.method, request.url, host, by, own, Buffer.concat(chunks).toString()])
      response.writeHead(409, { 'content-type': 'application/problem+json', etag: '"7"' }).end('{"code":"a.b"}')
    },
    certificate,
  )
  const told: string[] = []

  const answer = await Effect.runPromise(
    wire.ask(
      target(origin, { fingerprint: pinOf(certificate), token: TOKEN }),
      { ...question, method: 'POST', body: { deep: { ä: 1 } }, headers: { 'x-own': 'yes' } },
      () => told.push('connected'),
    ),
  )

  assert.deepEqual([answer.status, answer.headers.etag, answer.body.toString()], [409, '"7"', '{"code":"a.b"}'])
  const host = origin.replace('https://', '')
  assert.deepEqual(seen, [['POST', '/v1/thing', host, `Bearer ${TOKEN}`, 'yes', '{"deep":{"ä":1}}']])
  assert.deepEqual(told, ['connected'])
})

test('who has another certificate gets nothing: no request, and no token', async (t) => {
  const [meant, other] = [await deviceCertificate(), await deviceCertificate()]
  const heard: string[] = []
  const { server, origin } = await peerServer(t, (request) => heard.push(String(request.url)), other)
  server.on('secureConnection', (socket: TLSSocket) => {
    socket.on('data', (bytes) => heard.push(bytes.toString()))
  })
  const to = target(origin, { fingerprint: pinOf(meant), token: TOKEN })

  const gone = once(server, 'connection').then(([socket]) => closing(socket as Socket))
  const fault = await refused(to)
  await arrival('the end of the connection', gone)
  const followed = await faultOf(Effect.scoped(wire.follow(to, '/v1/events', () => {})))

  assert.equal(fault.code, 'peer.wrong_certificate')
  assert.deepEqual(fault.context, { fingerprint: pinOf(other) })
  assert.equal(followed.code, 'peer.wrong_certificate')
  assert.deepEqual(heard, [])
})

test('over plain HTTP nobody has the certificate that is meant, so nothing is asked there', async (t) => {
  const heard: string[] = []
  const { origin } = await peerServer(t, (request, response) => {
    heard.push(String(request.url))
    response.end('{}')
  })
  const to = target(origin, { fingerprint: 'ab'.repeat(32), token: TOKEN })

  const fault = await refused(to)
  const followed = await faultOf(Effect.scoped(wire.follow(to, '/v1/events', () => {})))

  assert.equal(fault.code, 'peer.wrong_certificate')
  assert.match(fault.detail, /https:\/\//)
  assert.equal(followed.code, 'peer.wrong_certificate')
  assert.deepEqual(heard, [])
})

test('a certificate that changes is noticed with the next connection: none is resumed', async (t) => {
  const [before, after] = [await deviceCertificate(), await deviceCertificate()]
  const { server, origin } = await peerServer(t, (_, response) => response.end('{}'), before)
  const to = target(origin, { fingerprint: pinOf(before) })

  const first = await asked(to)
  const second = await asked(to)
  ;(server as unknown as { setSecureContext(options: object): void }).setSecureContext(after)
  const third = await refused(to)

  assert.deepEqual([first.status, second.status, third.code], [200, 200, 'peer.wrong_certificate'])
})

test('our own certificate is shown, and whoever shows it to us is this device', async (t) => {
  const [own, theirs] = [await deviceCertificate(), await deviceCertificate()]
  const shown: (string | undefined)[] = []
  const seen = (request: IncomingMessage) => (request.socket as TLSSocket).getPeerX509Certificate()?.fingerprint256
  const { origin } = await peerServer(
    t,
    (request, response) => {
      shown.push(seen(request))
      response.end('{}')
    },
    theirs,
  )
  const self = await peerServer(t, () => assert.fail('nothing is asked of oneself'), own)
  const certified = socketWire(() => own)

  await asked(target(origin), {}, certified)
  await asked(target(origin))
  const fault = await refused(target(self.origin), {}, certified)

  assert.deepEqual(
    shown.map((each) => each?.replaceAll(':', '').toLowerCase()),
    [pinOf(own), undefined],
  )
  assert.equal(fault.code, 'peer.self')
})

test('a device is known by its certificate before any request; over plain HTTP it has none', async (t) => {
  const certificate = await deviceCertificate()
  const never = () => assert.fail('nothing is asked')
  const [device, plain] = [await peerServer(t, never, certificate), await peerServer(t, never)]

  assert.equal(await Effect.runPromise(wire.identify(device.origin, 20_000)), pinOf(certificate))
  assert.equal((await faultOf(wire.identify(plain.origin, 20_000))).code, 'peer.unreachable')
})

test('a token goes over TLS to whom we know, and to this machine; over plain HTTP to nobody else', () => {
  const pinned = { fingerprint: 'f'.repeat(64), token: TOKEN }
  const sent = (remoteAddress: string, to: PeerTarget) =>
    'authorization' in authorization({ remoteAddress } as TLSSocket, to)

  assert.ok(sent('10.12.34.11', target('https://10.12.34.11:5801', pinned)))
  assert.ok(!sent('10.12.34.11', target('https://10.12.34.11:5801', { token: TOKEN })))
  assert.ok(!sent('10.12.34.11', target('http://10.12.34.11:5800', pinned)))
  assert.ok(!sent('10.12.34.11', target('http://localhost:5800', pinned)), 'a name that leads elsewhere')
  for (const loopback of ['127.0.0.1', '127.1.2.3', '::1', '::ffff:127.0.0.1'])
    assert.ok(sent(loopback, target('http://localhost:5800', { token: TOKEN })), loopback)
  assert.ok(!sent('::ffff:10.0.0.1', target('http://localhost:5800', { token: TOKEN })))
  assert.ok(!sent('127.0.0.1', target('http://localhost:5800')), 'without a token there is none to send')
})

test('which device is meant goes with every request, where it is known', () => {
  const said = (more: Partial<PeerTarget>) => authorization({} as TLSSocket, target('http://10.12.34.11:5800', more))

  assert.deepEqual(said({ device_id: 'a-device' }), { 'x-vedette-device': 'a-device' })
  assert.deepEqual(said({}), {})
})

test('a redirect is an answer like any other: nobody goes there', async (t) => {
  const elsewhere = await peerServer(t, () => assert.fail('it was followed'))
  const { origin } = await peerServer(t, (_, response) => response.writeHead(307, { location: elsewhere.origin }).end())

  const { status, headers } = await asked(target(origin, { token: TOKEN }))

  assert.deepEqual([status, headers.location], [307, elsewhere.origin])
})

test('where nobody listens, or no connection comes about, nothing has left', async (t) => {
  const certificate = await deviceCertificate()
  const closed = await rawServer(t, (socket) => socket.destroy())
  const mute = await rawServer(t, () => {})
  const plain = await peerServer(t, (_, response) => response.end('{}'))
  const told: string[] = []

  const nobody = await refused(target('http://127.0.0.1:1'))
  const shut = await refused(target(`https://${closed}`))
  const silent = await faultOf(
    wire.ask(target(`https://${mute}`), { ...question, limitMs: 50 }, () => told.push('connected')),
  )
  const notTls = await refused(target(plain.origin.replace('http:', 'https:'), { fingerprint: pinOf(certificate) }))

  for (const { code } of [nobody, shut, silent, notTls]) assert.equal(code, 'peer.unreachable')
  assert.match(nobody.detail, /ECONNREFUSED/)
  assert.match(notTls.detail, /is it https\?/)
  assert.deepEqual(told, [])
})

test('who takes a request and does not answer leaves open whether it was carried out', async (t) => {
  let asked = 0
  const mute = await peerServer(t, () => {
    asked += 1
  })
  const cut = await peerServer(t, (request) => request.socket.destroy())
  const half = await peerServer(t, (request, response) => {
    response.writeHead(200, { 'content-length': '100' })
    response.write('{', () => request.socket.end())
  })
  const dripping = await peerServer(t, (_, response) => {
    asked += 1
    response.writeHead(200).write('{')
  })
  t.mock.timers.enable({ apis: ['setTimeout'] })

  for (const { origin } of [mute, cut, half, dripping]) {
    for (const [method, advice] of [
      ['POST', /repeat it with the same request_id/i],
      ['GET', /ask again/],
    ] as const) {
      const before = asked
      const refusal = refused(target(origin), { method })
      if (origin === mute.origin || origin === dripping.origin) {
        await until('the request', () => asked > before)
        t.mock.timers.tick(question.limitMs)
      }
      const fault = await arrival('the end', refusal)
      assert.equal(fault.code, 'peer.too_slow')
      assert.match(fault.detail, advice)
    }
  }
})

test('what is no HTTP, too long or without an end is refused, and the connection ends', async (t) => {
  const gone: Promise<unknown>[] = []
  const garbage = await rawServer(t, (socket) => {
    gone.push(closing(socket))
    socket.once('data', () => socket.write('EHLO mail.example\r\n\r\n'))
  })
  const long = await peerServer(t, (_, response) => response.writeHead(200, { 'content-length': '1001' }).end())
  const endless = await peerServer(t, (request, response) => {
    gone.push(closing(request.socket))
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(400)));
    }
    response.on('drain', more)
    more()
  })

  const faults = [
    await refused(target(`http://${garbage}`)),
    await refused(target(long.origin)),
    await refused(target(endless.origin)),
  ]
  await arrival('the ends of the connections', Promise.all(gone))

  assert.deepEqual(
    faults.map(({ code }) => code),
    Array(3).fill('peer.bad_answer'),
  )
  assert.equal(gone.length, 2)
})

test('an order that is answered with nonsense may have been carried out: what became of it is open', async (t) => {
  const garbage = await rawServer(t, (socket) => socket.once('data', () => socket.write('EHLO mail.example\r\n\r\n')))
  const half = await rawServer(t, (socket) => socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-le')))
  const other = await rawServer(t, (socket) =>
    socket.once('data', () => socket.write('HTTP/1.1 101 Yes\r\nconnection: upgrade\r\nupgrade: tea\r\n\r\n')),
  )
  const long = await peerServer(t, (_, response) => response.writeHead(200, { 'content-length': '1001' }).end())
  const endless = await peerServer(t, (_, response) => response.end('x'.repeat(1_001)))
  const origins = [`http://${garbage}`, `http://${half}`, `http://${other}`, long.origin, endless.origin]

  for (const method of ['POST', 'PUT', 'DELETE'])
    for (const origin of origins) {
      const { code, detail } = await refused(target(origin), { method })
      assert.equal(code, 'peer.too_slow', detail)
      assert.match(detail, /repeat it with the same request_id/i)
    }
  const { code } = await refused(target(`http://${other}`))

  assert.equal(code, 'peer.bad_answer', 'a question changes nothing')
})

test('whoever stops asking leaves no connection behind', async (t) => {
  const asked = Promise.withResolvers<IncomingMessage>()
  const { origin } = await peerServer(t, (request) => asked.resolve(request))
  const fiber = Effect.runFork(wire.ask(target(origin), question))
  const { socket } = await arrival('the request', asked.promise)
  const closed = closing(socket)

  await Effect.runPromise(Fiber.interrupt(fiber))

  await arrival('the end of the connection', closed)
})

const following = async (t: TestContext, accept: (socket: WebSocket, request: IncomingMessage) => void) => {
  const certificate = await deviceCertificate()
  const { server, origin } = await peerServer(t, (_, response) => response.writeHead(404).end(), certificate)
  new WebSocketServer({ server, path: '/v1/events' }).on('connection', accept)
  const scope = Scope.makeUnsafe()
  const close = () => Effect.runPromise(Scope.close(scope, Exit.void))
  t.after(close)
  const to = target(origin, { fingerprint: pinOf(certificate), token: TOKEN })
  const follow = (path: string, heard: (message: Buffer) => void = () => {}) =>
    Effect.runPromise(Scope.provide(wire.follow(to, path, heard), scope))
  return { follow, close, to }
}

test('a WebSocket opens with the token, hears whole messages, measures pings, and closes with its scope', async (t) => {
  const server = Promise.withResolvers<readonly [WebSocket, IncomingMessage]>()
  const { follow, close } = await following(t, (socket, request) => server.resolve([socket, request]))
  const first = Promise.withResolvers<string>()
  const trip = Promise.withResolvers<number>()

  const socket = await follow('/v1/events?since=3&epoch=e', (message) => first.resolve(message.toString()))
  const [theirs, request] = await arrival('the connection', server.promise)
  theirs.send('{"kind":"hello"}')
  socket.ping(trip.resolve)

  assert.equal(await arrival('a message', first.promise), '{"kind":"hello"}')
  assert.ok((await arrival('a pong', trip.promise)) > 0)
  assert.equal(request.url, '/v1/events?since=3&epoch=e')
  assert.equal(request.headers.authorization, `Bearer ${TOKEN}`)
  const closed = once(theirs, 'close')
  await close()
  await arrival('the end of the connection', closed)
})

test('a ping from there is answered', async (t) => {
  const server = Promise.withResolvers<WebSocket>()
  const { follow } = await following(t, (socket) => server.resolve(socket))
  await follow('/v1/events')
  const theirs = await arrival('the connection', server.promise)

  theirs.ping('seven')
  const [answer] = await arrival('a pong', once(theirs, 'pong'))

  assert.equal(String(answer), 'seven')
})

test('the end of a WebSocket says why: closed from there, cut off, or given up here for what came', async (t) => {
  const ends: readonly ((socket: WebSocket) => void)[] = [
    (socket) => socket.close(1013, 'too far behind\n12:00 all is well'),
    (socket) => socket.terminate(),
    (socket) => socket.send('x'.repeat(1024 * 1024 + 1)),
  ]
  let next = 0
  const { follow } = await following(t, (socket) => ends[next++]?.(socket))
  const faults: Fault[] = []

  for (const _ of ends) {
    const { ended } = await follow('/v1/events')
    faults.push(await arrival('the end', faultOf(ended)))
  }

  assert.deepEqual(
    faults.map(({ code }) => code),
    ['peer.unreachable', 'peer.unreachable', 'peer.bad_answer'],
  )
  assert.match(faults[0]?.detail ?? '', /too far behind\\u\{a\}12:00/, 'it stands in one line of the log')
})

test('a WebSocket that is not opened says whether we are refused, or there is none', async (t) => {
  const { to } = await following(t, () => {})
  const shut = await peerServer(t, () => {})
  shut.server.on('upgrade', (_, socket) => socket.end('HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\n\r\n'))
  const open = (each: PeerTarget, path: string) => faultOf(Effect.scoped(wire.follow(each, path, () => {})))

  assert.equal((await open(target(shut.origin), '/v1/events')).code, 'peer.refuses_us')
  assert.equal((await open(to, '/v1/other')).code, 'peer.bad_answer')
  assert.equal((await open(target('http://127.0.0.1:1'), '/v1/events')).code, 'peer.unreachable')
})

test('who is not let in because his token may not be sent there is told that, and what to do', async (t) => {
  const certificate = await deviceCertificate()
  const tokens: (string | undefined)[] = []
  const shut = await peerServer(t, () => {}, certificate)
  shut.server.on('upgrade', ({ headers }: IncomingMessage, socket: Socket) => {
    tokens.push(headers.authorization)
    socket.end('HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\n\r\n')
  })
  const away = followerOf((to, limitMs) =>
    Effect.tap(wire.dial(to, limitMs), (socket) =>
      Effect.sync(() => Object.defineProperty(socket, 'remoteAddress', { value: '10.12.34.11' })),
    ),
  )
  const refusedOf = (more: Partial<PeerTarget>) =>
    faultOf(Effect.scoped(away(target(shut.origin, more), '/v1/events', () => {})))

  const known = await refusedOf({ token: TOKEN, fingerprint: pinOf(certificate) })
  const unknown = await refusedOf({ token: TOKEN })
  const without = await refusedOf({})

  assert.deepEqual(tokens, [`Bearer ${TOKEN}`, undefined, undefined])
  for (const { code } of [known, unknown, without]) assert.equal(code, 'peer.refuses_us')
  assert.match(unknown.detail, /was not sent.*https:\/\/.*fingerprint/)
  for (const { detail } of [known, without]) assert.doesNotMatch(detail, /was not sent/)
})
