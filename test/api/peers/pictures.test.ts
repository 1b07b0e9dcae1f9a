// Pictures of a peer over this device's own HTTP, from a peer that answers byte by byte what a test says.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, get, request as httpRequest, type IncomingMessage } from 'node:http'
import { get as getOverTls } from 'node:https'
import type { Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import { WebSocket, WebSocketServer } from 'ws'
import { PEER_REGISTRY, TUNNELS } from '../../../actors/peers/tokens.ts'
import { settingsWriter } from '../../../actors/settings/write-settings.ts'
import { createApi, listen } from '../../../api/server/server.ts'
import { peerCollection, type StoredPeer } from '../../../machines/peers/peer.ts'
import { changeOrder } from '../../../machines/settings/commit.ts'
import { MAX_VIEWERS, VIEWER_PLACES } from '../../../machines/viewers/viewer-places.ts'
import { FakeClock } from '../../../native/clock/fake.ts'
import { FakeDocuments } from '../../../native/documents/fake.ts'
import { fakeEngines } from '../../../native/engine/fake/fake.ts'
import { FakePeerWire } from '../../../native/peers/fake.ts'
import { PEER_WIRE, type PeerTarget, type PeerWire } from '../../../native/peers/port.ts'
import { value } from '../../../supervisors/composition/container.ts'
import { API } from '../../../supervisors/http/branch.ts'
import { assertProblem } from '../../support/api/api.ts'
import { madeElsewhere } from '../../support/peers/certificates.ts'
import { nativeDevice } from '../../support/peers/peers.ts'
import { FIRST, PREVIEW_HEAD, partOf, pictureSource } from '../../support/peers/picture-source.ts'
import { plainWire } from '../../support/peers/plain-wire.ts'
import { fakeService } from '../../support/service.ts'
import { arrival, until } from '../../support/until.ts'

const PICTURES = '/v1/peers/back/streams/front'
const AS_LISTED = '/v1/peers/back/streams/back:front' // by the id that the list of all streams has

/** A device that knows one peer, `back`, and serves over HTTP. */
const deviceWith = async (t: TestContext, target: PeerTarget, tls?: { key: string; cert: string }) => {
  const [wire, clock] = [plainWire(), new FakeClock()]
  const engines = fakeEngines({ nowUs: clock.monotonicUs })
  const reached = new FakePeerWire()
  nativeDevice(reached, target.origin)
  const documents = new FakeDocuments()
  const peer = { base_url: target.origin, token_version: 0 }
  documents.documents = [{ collection: peerCollection.name, id: 'back', value: peer, place: 1n, revision: 1 }]
  const ask: PeerWire['ask'] = (to, request, connected) =>
    request.path.includes('/streams/') ? wire.ask(to, request) : reached.ask(to, request, connected)
  const fake = await fakeService(t, {
    engines,
    clock,
    documents,
    ports: [value(PEER_WIRE, { dial: wire.dial, identify: reached.identify, ask, follow: reached.follow })],
  })
  const link = () => fake.resolve(PEER_REGISTRY).get('back')?.health().status
  await until('the link', link, (status) => status === 'linked')
  const app = await createApi({ ...fake.resolve(API), ...(tls && { tls }) })
  t.after(() => app.close())
  const { port } = await listen(app, { host: '127.0.0.1', port: 0 })
  const tunnels = fake.resolve(TUNNELS)
  const url = `http${tls ? 's' : ''}://127.0.0.1:${port}`
  const drop = () => {
    for (const { drop } of reached.devices.get(target.origin)?.sockets ?? []) drop()
  }
  return { fake, app, wire, reached, tunnels, engines, url, drop, ws: `ws://127.0.0.1:${port}` }
}

/** What somebody sees who opens a URL. */
const watch = async (t: TestContext, url: string, headers: Readonly<Record<string, string>> = {}) => {
  const asking = url.startsWith('https')
    ? getOverTls(url, { agent: false, rejectUnauthorized: false })
    : get(url, { agent: false, headers })
  asking.on('error', () => {})
  t.after(() => asking.destroy())
  const [response] = (await arrival(`an answer from ${url}`, once(asking, 'response'))) as [IncomingMessage]
  const chunks: Buffer[] = []
  response.on('data', (chunk: Buffer) => chunks.push(chunk))
  response.on('error', () => {})
  return { response, received: () => Buffer.concat(chunks), leave: () => asking.destroy() }
}

/** The whole answer. */
const ask = async (
  url: string,
  { method = 'GET', headers = {}, body: sent }: { method?: string; headers?: object; body?: object } = {},
) => {
  const type = sent && { 'content-type': 'application/json' }
  const asking = httpRequest(url, { method, agent: false, headers: { ...type, ...headers } })
  asking.end(sent && JSON.stringify(sent))
  const [response] = (await arrival(`an answer from ${url}`, once(asking, 'response'))) as [IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks)
  const answered = {
    status: response.statusCode ?? 0,
    contentType: response.headers['content-type'] ?? '',
    body: body.toString(),
  }
  return { ...answered, headers: response.headers, bytes: body }
}

/** A peer with live pictures. */
const livePeer = async (t: TestContext) => {
  const peer = await pictureSource(t, (connection) => connection.write(PREVIEW_HEAD + FIRST))
  return { ...peer, send: (bytes: Uint8Array) => (peer.connections[0] as Socket).write(bytes) }
}

const PARTS = Array.from({ length: 5 }, (_, n) => partOf(n, Buffer.alloc(30_000 + n, `picture ${n} `)))
const sha = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

test('ten viewers get every picture byte for byte over one connection to the peer, without an engine', async (t) => {
  const peer = await livePeer(t)
  const { url, fake, engines } = await deviceWith(t, peer.target)
  const viewers = await Promise.all(Array.from({ length: 10 }, () => watch(t, `${url}${PICTURES}/preview?quality=60`)))
  const expected: Buffer[] = [Buffer.from(FIRST)]

  for (const part of PARTS) {
    peer.send(part)
    expected.push(part)
    const sent = Buffer.concat(expected)
    for (const { received } of viewers) {
      await until(
        'the picture',
        () => received().length,
        (length) => length >= sent.length,
      )
      assert.equal(sha(received()), sha(sent))
    }
  }

  for (const { response } of viewers) {
    assert.equal(response.headers['content-type'], 'multipart/x-mixed-replace; boundary=vedette-picture')
    assert.equal(response.headers['transfer-encoding'], undefined)
  }
  assert.equal(peer.connections.length, 1)
  assert.match(peer.requests[0] ?? '', /^GET \/v1\/interdevice\/streams\/front\/preview\?quality=60 HTTP/)
  assert.deepEqual(fake.streams.all(), [])
  assert.deepEqual(engines.alive, [])
})

test('who watches or listens by the id of the list shares what the others have', async (t) => {
  const peer = await livePeer(t)
  const { url } = await deviceWith(t, peer.target)
  const viewers = await Promise.all([PICTURES, AS_LISTED].map((path) => watch(t, `${url}${path}/preview`)))
  for (const { received } of viewers) await until('a picture', () => received().length >= FIRST.length)

  const frames = await framePeer(t)
  const { ws } = await deviceWith(t, frames.target)
  const listeners = await Promise.all([PICTURES, AS_LISTED].map((path) => listenTo(t, `${ws}${path}/frames`)))
  frames.sockets[0]?.send(Buffer.from('x'))
  for (const { heard } of listeners) await until('a message', () => heard.length === 1)

  assert.deepEqual([peer.connections.length, frames.sockets.length], [1, 1])
})

test('over TLS viewers see the same', async (t) => {
  const peer = await livePeer(t)
  const { url } = await deviceWith(t, peer.target, await madeElsewhere())
  const viewer = await watch(t, `${url}${PICTURES}/preview`)
  const sent = Buffer.concat([Buffer.from(FIRST), PARTS[0] as Buffer])

  peer.send(PARTS[0] as Buffer)

  await until('the picture', () => viewer.received().length === sent.length)
  assert.equal(sha(viewer.received()), sha(sent))
})

test('when the last viewer has left, the peer is rid of it a moment later', async (t) => {
  const peer = await livePeer(t)
  const { url, tunnels } = await deviceWith(t, peer.target)
  const viewer = await watch(t, `${url}${PICTURES}/preview`)

  viewer.leave()

  await until('the end of the connection to the peer', () => peer.connections[0]?.closed)
  assert.equal(tunnels.size, 0)
})

type Device = Awaited<ReturnType<typeof deviceWith>>

const register = async ({ url }: Device, peer: object) => {
  const { status } = await ask(`${url}/v1/peers`, { method: 'POST', body: peer })
  assert.equal(status, 201)
}

/**
 * What ends all that comes from a peer. Except for a link that is lost by itself, it has ended when that is answered.
 */
const ENDS: Readonly<Record<string, (device: Device, origin: string) => unknown>> = {
  'the link to it is lost': ({ drop }) => drop(),
  'it is forgotten': ({ url }) => ask(`${url}/v1/peers/back`, { method: 'DELETE' }),
  'it has another token': (device, base_url) => register(device, { base_url, token: 'new' }),
  'it has another certificate': ({ fake }) => {
    const pinned = (old: StoredPeer): StoredPeer => ({ ...old, fingerprint: 'ab'.repeat(32) })
    return Effect.runPromise(settingsWriter(fake.directory)(changeOrder(peerCollection, 'back', pinned)))
  },
  'it has another address': async (device) => {
    const base_url = 'http://127.0.0.1:9'
    nativeDevice(device.reached, base_url)
    await register(device, { base_url })
  },
}

for (const [what, end] of Object.entries(ENDS))
  test(`who watches a peer is ended when ${what}, and nothing that comes from there after that goes on`, async (t) => {
    const peer = await livePeer(t)
    const frames = await framePeer(t)
    for (const { target, path } of [
      { target: peer.target, path: 'preview' },
      { target: frames.target, path: 'frames' },
    ]) {
      const device = await deviceWith(t, target)
      const [sent = Buffer.alloc(0), late = Buffer.alloc(0)] = PARTS
      const viewer = path === 'preview' ? await watch(t, `${device.url}${PICTURES}/${path}`) : undefined
      const listener = viewer ? undefined : await listenTo(t, `${device.ws}${PICTURES}/${path}`)
      const send = (bytes: Buffer) => (viewer ? peer.send(bytes) : frames.sockets[0]?.send(bytes))
      const received = () =>
        viewer ? viewer.received() : Buffer.concat(listener?.heard.map(({ message }) => message) ?? [])
      const expected = Buffer.concat([Buffer.from(viewer ? FIRST : ''), sent])
      send(sent)
      await until('the picture', () => received().length === expected.length)

      await end(device, target.origin)
      send(late)

      await (viewer
        ? until('his end', () => viewer.response.closed)
        : arrival('his end', (listener as NonNullable<typeof listener>).closed))
      await until('the end of the connection to the peer', () =>
        viewer ? peer.connections[0]?.closed : frames.sockets[0]?.readyState === WebSocket.CLOSED,
      )
      assert.ok(received().equals(expected))
      assert.equal(device.tunnels.size, 0)
    }
  })

test('a viewer that waits has a place from the start, and frees it without pictures or when it leaves', async (t) => {
  const unknown = problem(404, 'stream.not_found', 'there is no stream front')
  const peer = await pictureSource(t, () => {})
  const device = await deviceWith(t, peer.target)
  const places = device.fake.resolve(VIEWER_PLACES)
  for (let n = 1; n < MAX_VIEWERS; n += 1) places.take()
  const free = () => places.full() === undefined
  const opened = (n: number) => until(`question ${n}`, () => peer.requests.length === n && peer.connections[n - 1])
  const first = ask(`${device.url}${PICTURES}/preview?fps=1`)
  const toFirst = (await opened(1)) as Socket

  const others = ['preview?fps=2', 'preview?fps=1', 'frames'].map((what) => `${PICTURES}/${what}`)
  for (const path of others) {
    const refused = path.endsWith('frames') ? await refusedSocket(device.ws + path) : await ask(device.url + path)
    assertProblem(refused, 'viewer.too_many')
  }
  assert.equal(peer.connections.length, 1, 'nobody else got as far as the peer')
  toFirst.end(unknown)
  assertProblem(await first, 'stream.not_found')
  assert.equal(free(), true)

  const listening = refusedSocket(`${device.ws}${PICTURES}/frames`)
  const toListener = (await opened(2)) as Socket
  assert.equal(free(), false)
  toListener.end(unknown)
  assertProblem(await listening, 'stream.not_found')
  assert.equal(free(), true)

  const leaving = get(`${device.url}${PICTURES}/preview?fps=3`, { agent: false }).on('error', () => {})
  const toLeaver = (await opened(3)) as Socket
  leaving.destroy()
  toLeaver.write(PREVIEW_HEAD + FIRST)
  await until('the place of the one who left', free)

  const watching = watch(t, `${device.url}${PICTURES}/preview?fps=4`)
  ;((await opened(4)) as Socket).write(PREVIEW_HEAD + FIRST)
  const viewer = await watching
  assert.equal(free(), false)
  viewer.leave()
  await until('the place of the last', free)
})

test('when the server stops, viewers are ended', async (t) => {
  const peer = await livePeer(t)
  const { url, app } = await deviceWith(t, peer.target)
  const viewer = await watch(t, `${url}${PICTURES}/preview`)

  await app.close()

  await until('his end', () => viewer.response.closed)
})

const problem = (status: number, code: string, detail: string) => {
  const body = JSON.stringify({ code, detail })
  return [
    `HTTP/1.1 ${status} No`,
    'content-type: application/problem+json',
    `content-length: ${body.length}`,
    'connection: close',
    '',
    body,
  ].join('\r\n')
}

test('what the peer refuses is refused here in its words, before anything else is sent', async (t) => {
  const cases = [
    [problem(404, 'stream.not_found', 'there is no stream front'), 'stream.not_found'],
    [problem(503, 'stream.no_picture', 'the camera is gone'), 'stream.no_picture'],
    [problem(401, 'token.invalid', 'who?'), 'peer.refuses_us'],
    [problem(500, 'internal', 'broke'), 'peer.bad_answer'],
  ] as const
  for (const [answer, code] of cases) {
    const peer = await pictureSource(t, (connection) => connection.end(answer))
    const { url } = await deviceWith(t, peer.target)

    for (const what of ['preview', 'frame']) assertProblem(await ask(`${url}${PICTURES}/${what}`), code)
  }
})

test('a viewer that asks for MJPEG, the only codec, shares the pictures of one that asks for none', async (t) => {
  const peer = await livePeer(t)
  const { url } = await deviceWith(t, peer.target)

  const viewers = await Promise.all(['', '?codec=mjpeg'].map((query) => watch(t, `${url}${PICTURES}/preview${query}`)))

  for (const { received } of viewers) await until('the first picture', () => received().length > 0)
  assert.deepEqual(
    viewers.map(({ response }) => response.statusCode),
    [200, 200],
  )
  assert.equal(peer.requests.length, 1)
  assert.doesNotMatch(peer.requests[0] ?? '', /codec/)
})

test('a peer that is not there, or that nobody knows, is told of at once', async (t) => {
  const nobody = { origin: 'http://127.0.0.1:9', fingerprint: null, token: null }
  const { url, wire } = await deviceWith(t, nobody)

  for (const what of ['preview', 'frame']) assertProblem(await ask(`${url}${PICTURES}/${what}`), 'peer.unreachable')
  const before = { ...wire }
  for (const what of ['preview', 'frame'])
    assertProblem(await ask(`${url}/v1/peers/stranger/streams/front/${what}`), 'peer.not_found')

  assert.deepEqual([wire.dials, wire.asks], [before.dials, before.asks])
})

test('for a head alone the peer is not asked', async (t) => {
  const { url, wire } = await deviceWith(t, { origin: 'http://127.0.0.1:9', fingerprint: null, token: null })

  const answers = [
    await ask(`${url}${PICTURES}/preview`, { method: 'HEAD' }),
    await ask(`${url}${PICTURES}/frame`, { method: 'HEAD' }),
    await ask(`${url}/v1/peers/stranger/streams/front/preview`, { method: 'HEAD' }),
  ]

  assert.deepEqual(
    answers.map(({ status, contentType }) => [status, contentType.split(';')[0]]),
    [
      [200, 'multipart/x-mixed-replace'],
      [200, 'image/jpeg'],
      [404, 'application/problem+json'],
    ],
  )
  assert.deepEqual([wire.dials, wire.asks], [0, 0])
})

test('a question that makes no sense does not get as far as the peer', async (t) => {
  const { url, wire } = await deviceWith(t, { origin: 'http://127.0.0.1:9', fingerprint: null, token: null })

  for (const query of ['nonsense=1', 'quality=0', 'codec=av1'])
    assertProblem(await ask(`${url}${PICTURES}/preview?${query}`), 'query.invalid')
  const h264 = await ask(`${url}${PICTURES}/preview?codec=h264`)
  assertProblem(h264, 'query.invalid')

  assert.deepEqual([wire.dials, wire.asks], [0, 0])
})

test('one picture comes with what the peer says of it, and nothing else of either side passes', async (t) => {
  const jpeg = Buffer.from([0xff, 0xd8, 1, 2, 3, 0xff, 0xd9])
  const head = [
    ...['HTTP/1.1 200 OK', 'content-type: image/jpeg', `content-length: ${jpeg.length}`, 'etag: "7"'],
    ...[
      'x-timestamp: 1700000000.000001',
      'x-sequence: 41',
      'x-captured-us: 77',
      'cache-control: private',
      'last-modified: today',
    ],
    ...['set-cookie: a=b', 'server: theirs', 'x-request-id: theirs', 'connection: close', '', ''],
  ].join('\r\n')
  const peer = await pictureSource(t, (connection) => connection.end(Buffer.concat([Buffer.from(head), jpeg])))
  const { url } = await deviceWith(t, peer.target)

  const answer = await ask(`${url}${PICTURES}/frame?max_width=320`, {
    headers: { cookie: 'secret=1', 'if-none-match': '"6"', range: 'bytes=0-1', 'accept-encoding': 'gzip' },
  })

  assert.equal(answer.status, 200)
  assert.deepEqual(answer.bytes, jpeg)
  const { headers } = answer
  assert.deepEqual(
    [
      headers.etag,
      headers['x-timestamp'],
      headers['x-sequence'],
      headers['x-captured-us'],
      headers['cache-control'],
      headers['last-modified'],
    ],
    ['"7"', '1700000000.000001', '41', '77', 'private', 'today'],
  )
  assert.equal(headers['set-cookie'], undefined)
  assert.equal(headers.server, undefined)
  assert.notEqual(headers['x-request-id'], 'theirs')
  assert.match(peer.requests[0] ?? '', /^GET \/v1\/interdevice\/streams\/front\/frame\?max_width=320 HTTP/)
  assert.match(peer.requests[0] ?? '', /if-none-match: "6"/i)
  assert.doesNotMatch(peer.requests[0] ?? '', /secret|range|gzip/i)
})

test('that a picture is unchanged is passed on, and that it is none is told', async (t) => {
  const unchanged = await pictureSource(t, (connection) =>
    connection.end('HTTP/1.1 304 Not Modified\r\netag: "7"\r\nconnection: close\r\n\r\n'),
  )
  const page = await pictureSource(t, (connection) =>
    connection.end('HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 2\r\nconnection: close\r\n\r\nhi'),
  )

  const same = await ask(`${(await deviceWith(t, unchanged.target)).url}${PICTURES}/frame`)
  const other = await ask(`${(await deviceWith(t, page.target)).url}${PICTURES}/frame`)

  assert.deepEqual([same.status, same.headers.etag, same.body], [304, '"7"', ''])
  assertProblem(other, 'peer.bad_answer')
})

/** A peer that sends frames as messages. */
const framePeer = async (t: TestContext) => {
  const sockets: WebSocket[] = []
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false })
  await once(server, 'listening')
  server.on('connection', (socket, { url }) => {
    sockets.push(socket)
    assert.equal(url, '/v1/interdevice/streams/front/frames')
  })
  t.after(() => {
    for (const socket of sockets) socket.terminate()
    server.close()
  })
  const { port } = server.address() as { port: number }
  return { sockets, target: { origin: `http://127.0.0.1:${port}`, fingerprint: null, token: null } }
}

/** The answer to a socket that is not opened. */
const refusedSocket = async (url: string) => {
  const socket = new WebSocket(url)
  socket.on('error', () => {})
  const [, response] = (await arrival('a refusal', once(socket, 'unexpected-response'))) as [unknown, IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  const { statusCode: status = 0, headers } = response
  return { status, contentType: headers['content-type'] ?? '', body: Buffer.concat(chunks).toString() }
}

const listenTo = async (t: TestContext, url: string) => {
  const socket = new WebSocket(url, { perMessageDeflate: false })
  const heard: { readonly message: Buffer; readonly isBinary: boolean }[] = []
  socket.on('message', (message, isBinary) => heard.push({ message: message as Buffer, isBinary }))
  socket.on('error', () => {})
  const closed = once(socket, 'close') as Promise<[code: number]>
  t.after(() => socket.terminate())
  await arrival('an open socket', once(socket, 'open'))
  return { socket, heard, closed }
}

test('frames come as the messages that the peer sends, over one connection for all who listen', async (t) => {
  const peer = await framePeer(t)
  const { ws } = await deviceWith(t, peer.target)
  const listeners = await Promise.all(Array.from({ length: 10 }, () => listenTo(t, `${ws}${PICTURES}/frames`)))
  const sent = [Buffer.alloc(70_000, 'a'), Buffer.from('{"kind":"x"}'), Buffer.alloc(0), Buffer.alloc(200_000, 'b')]

  for (const [n, message] of sent.entries()) {
    peer.sockets[0]?.send(message, { binary: n !== 1 })
    for (const { heard } of listeners) await until(`message ${n}`, () => heard.length === n + 1)
  }

  assert.equal(peer.sockets.length, 1)
  for (const { heard } of listeners) {
    assert.deepEqual(
      heard.map(({ isBinary }) => isBinary),
      [true, false, true, true],
    )
    for (const [n, { message }] of heard.entries()) assert.ok(message.equals(sent[n] as Buffer))
  }
})

/** A peer that refuses every query but one, as a version does that knows no more. */
const strictFramePeer = async (t: TestContext, known: string) => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false })
  const asked: string[] = []
  server.on('upgrade', (request, connection, head) => {
    const { search } = new URL(request.url ?? '', 'http://peer')
    asked.push(search)
    if (search === known) return sockets.handleUpgrade(request, connection, head, (socket) => socket.send('a picture'))
    const body = JSON.stringify({ code: 'query.invalid', detail: `the query ${search} has what is not known` })
    const type = 'Content-Type: application/problem+json'
    connection.end(`HTTP/1.1 400 Bad Request\r\n${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
  })
  t.after(() => {
    for (const socket of sockets.clients) socket.terminate()
    server.close()
  })
  const { port } = server.address() as { port: number }
  return { asked, target: { origin: `http://127.0.0.1:${port}`, fingerprint: null, token: null } }
}

test('a peer that knows no results gives pictures without them, and one that knows them is asked once', async (t) => {
  for (const known of ['?fps=5', '?fps=5&outputs=tags&results=true']) {
    const peer = await strictFramePeer(t, known)
    const { ws } = await deviceWith(t, peer.target)
    const { heard } = await listenTo(t, `${ws}${PICTURES}/frames?fps=5&results=true&outputs=tags`)
    await until('a picture', () => heard.length > 0)

    assert.equal(heard[0]?.message.toString(), 'a picture')
    assert.deepEqual(peer.asked, [...new Set(['?fps=5&outputs=tags&results=true', known])])
  }
})

test('what a peer does not know beside results is refused as it says', async (t) => {
  const peer = await strictFramePeer(t, '?tea=1')
  const { ws } = await deviceWith(t, peer.target)

  assertProblem(await refusedSocket(`${ws}${PICTURES}/frames?fps=5&results=true`), 'query.invalid')
  assertProblem(await refusedSocket(`${ws}${PICTURES}/frames?fps=5`), 'query.invalid')
  assert.deepEqual(peer.asked, ['?fps=5&results=true', '?fps=5', '?fps=5'])
})

test('who does not take frames misses whole ones, and costs the others none', async (t) => {
  const peer = await framePeer(t)
  const { ws } = await deviceWith(t, peer.target)
  const [steady, stalled] = [await listenTo(t, `${ws}${PICTURES}/frames`), await listenTo(t, `${ws}${PICTURES}/frames`)]
  stalled.socket.pause()
  const frame = (n: number) => Buffer.alloc(500_000, String.fromCharCode(97 + (n % 26)))

  for (let n = 0; n < 60; n++) {
    peer.sockets[0]?.send(frame(n))
    await until(`frame ${n}`, () => steady.heard.length === n + 1)
  }
  stalled.socket.resume()
  await until('the rest', async () => {
    const n = steady.heard.length
    peer.sockets[0]?.send(frame(n))
    await until(`frame ${n}`, () => steady.heard.length === n + 1)
    return stalled.heard.at(-1)?.message.equals(frame(n))
  })

  assert.ok(stalled.heard.length < steady.heard.length)
  for (const { message } of stalled.heard)
    assert.ok(message.length === 500_000 && message.every((byte) => byte === message[0]))
})

test('why there are no frames is a problem document instead of a socket', async (t) => {
  const peer = await pictureSource(t, (connection) => connection.end(problem(404, 'stream.not_found', 'none')))
  const silent = { origin: 'http://127.0.0.1:9', fingerprint: null, token: null }
  const opening = async (target: PeerTarget, path: string) => refusedSocket((await deviceWith(t, target)).ws + path)

  assertProblem(await opening(peer.target, `${PICTURES}/frames`), 'stream.not_found')
  assertProblem(await opening(silent, `${PICTURES}/frames`), 'peer.unreachable')
  assertProblem(await opening(silent, '/v1/peers/stranger/streams/front/frames'), 'peer.not_found')
})

test('when the peer ends the frames, or sends one that is too long, listeners are told to come again', async (t) => {
  const ways: Readonly<Record<string, (socket: WebSocket) => void>> = {
    closed: (socket) => socket.close(),
    cut: (socket) => socket.terminate(),
    'too long': (socket) => socket.send(Buffer.alloc(8 * 1024 * 1024 + 1)),
  }
  for (const [way, end] of Object.entries(ways)) {
    const peer = await framePeer(t)
    const { ws, fake, tunnels } = await deviceWith(t, peer.target)
    const { closed } = await listenTo(t, `${ws}${PICTURES}/frames`)

    end(peer.sockets[0] as WebSocket)

    const [code] = await arrival('the end', closed)
    assert.equal(code, 1013, way)
    await until('the end of the tunnel', () => tunnels.size === 0)
    const recorded = fake.lines.filter(([, , { code: each }]) => each === 'peer.bad_answer')
    assert.equal(recorded.length, way === 'too long' ? 1 : 0, way)
  }
})

test('a listener who leaves is forgotten, and the peer is rid of it a moment after the last', async (t) => {
  const peer = await framePeer(t)
  const { ws, tunnels } = await deviceWith(t, peer.target)
  const { socket } = await listenTo(t, `${ws}${PICTURES}/frames`)

  socket.close()

  await until('the end of the connection to the peer', () => peer.sockets[0]?.readyState === WebSocket.CLOSED)
  assert.equal(tunnels.size, 0)
})
