// Rubbish in, problem documents out: what a client can get wrong before an endpoint is reached.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { MAX_BODY_BYTES } from '../../api/json-body/read.ts'
import type { ClientCode } from '../../machines/errors/catalogue.ts'
import { assertProblem, fakeApi, listeningApi } from '../support/api/api.ts'
import { answerOn, rawRequest } from '../support/api/raw-http.ts'
import { arrival, until } from '../support/until.ts'

const post = (body: string | Uint8Array, more = ''): Buffer =>
  Buffer.concat([
    Buffer.from(
      [
        'POST /v1/streams HTTP/1.1',
        'Host: localhost',
        'Content-Type: application/json',
        `Content-Length: ${Buffer.byteLength(body)}`,
        `${more}\r\n`,
      ].join('\r\n'),
    ),
    Buffer.from(body),
  ])

const get = (target: string, more = ''): string => `GET ${target} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`

const HALF = 'POST /v1/streams HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'

const RUBBISH: readonly (readonly [what: string, bytes: string | Uint8Array, code: ClientCode])[] = [
  ['half a JSON document', post('{"source":'), 'body.malformed'],
  ['an empty body that claims to be JSON', post(''), 'body.malformed'],
  ['NaN', post('{"source":{"backend":"synthetic","fps":NaN}}'), 'body.malformed'],
  ['a number beyond all numbers', post('{"source":{"backend":"synthetic","fps":1e999}}'), 'manifest.invalid'],
  [
    'a width bomb',
    post(JSON.stringify(Object.fromEntries(Array.from({ length: 1001 }, (_, n) => [`k${n}`, n])))),
    'body.malformed',
  ],
  [
    'a compressed body',
    post(gzipSync('{"source":{"backend":"synthetic"}}'), 'Content-Encoding: gzip\r\n'),
    'media_type.unsupported',
  ],
  [
    'no body where there must be one',
    'POST /v1/streams HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n',
    'manifest.invalid',
  ],
  [
    'a query of a thousand parameters',
    get(`/v1/health?${Array.from({ length: 1001 }, (_, n) => `k${n}`).join('&')}`),
    'query.invalid',
  ],
  ['a depth bomb', post('['.repeat(100_000) + ']'.repeat(100_000)), 'body.malformed'],
  ['a key given twice', post('{"alias":"a","alias":"b","source":{"backend":"synthetic"}}'), 'body.malformed'],
  ['a key that would change prototypes', post('{"__proto__":{"alias":"x"}}'), 'body.malformed'],
  ['half of a surrogate pair', post('{"alias":"\\ud800","source":{"backend":"synthetic"}}'), 'body.malformed'],
  ['broken UTF-8', post(Uint8Array.from([0x22, 0xff, 0x22])), 'body.malformed'],
  ['text for a number', post('{"source":{"backend":"synthetic","fps":"3"}}'), 'manifest.invalid'],
  ['a list for an object', post('[]'), 'manifest.invalid'],
  ['a huge body', post(`"${'x'.repeat(MAX_BODY_BYTES)}"`), 'body.too_large'],
  [
    'a form',
    post('a=b').toString().replace('application/json', 'application/x-www-form-urlencoded'),
    'media_type.unsupported',
  ],
  ['a content type that is none', post('{}').toString().replace('application/json', ';;'), 'media_type.unsupported'],
  ['a broken percent-encoding', get('/v1/streams/%E0%A4'), 'url.malformed'],
  ['a long URL', get(`/v1/health?${'x'.repeat(9000)}`), 'url.too_long'],
  ['headers without end', get('/v1/health', `X-Long: ${'x'.repeat(20_000)}\r\n`), 'header.too_large'],
  ['a query key given twice', get('/v1/streams/front/frame?quality=1&quality=2'), 'query.invalid'],
  ['a number in the query that is none', get('/v1/streams/front/frame?max_width=0x40'), 'query.invalid'],
  ['a method that does not exist', get('/v1/health').replace('GET', 'GRAB'), 'request.malformed'],
  ['no HTTP at all', '\x16\x03\x01 hello\r\n\r\n', 'request.malformed'],
  ['no host', 'GET /v1/health HTTP/1.1\r\n\r\n', 'host.missing'],
  ['two hosts', get('/v1/health', 'Host: localhost\r\n'), 'host.repeated'],
  ['two hosts, one of them foreign', get('/v1/health', 'host: evil.example\r\n'), 'host.repeated'],
  ['an absolute target of another host', get('http://evil.example/v1/health'), 'host.unknown'],
  ['an absolute target that hides another host', get('http://localhost@evil.example/v1/health'), 'host.unknown'],
  ['an absolute target of ours with no host', 'GET http://localhost/v1/health HTTP/1.1\r\n\r\n', 'host.missing'],
  ['an absolute target with nothing there', get('http://localhost/v1/nothing'), 'route.not_found'],
  ['a target that is no path', get('nothing'), 'request.malformed'],
  ['a target of another kind', get('ftp://localhost/v1/health'), 'route.not_found'],
  ['a path that is none of ours', get('/v1/nothing/here'), 'route.not_found'],
  ['a path that climbs', get('/../../etc/passwd'), 'route.not_found'],
  ['a slash too many', get('/v1/health/'), 'route.not_found'],
]

for (const [what, bytes, code] of RUBBISH) {
  test(`${what} is answered with ${code}`, async (t) => {
    const { port, bugs } = await listeningApi(t)

    assertProblem(await rawRequest(port, bytes), code)
    assert.deepEqual(bugs, [])
  })
}

test('a body that cannot be read is refused with what to do about it', async (t) => {
  const { app } = await fakeApi(t)
  const detailOf = async (payload: string | undefined, headers: Record<string, string> = {}) => {
    const type = payload === undefined ? {} : { 'content-type': 'application/json' }
    const response = await app.inject({
      method: 'POST',
      url: '/v1/streams',
      headers: { host: 'localhost', ...type, ...headers },
      ...(payload !== undefined && { payload }),
    })
    return response.json().detail
  }

  assert.equal(await detailOf(undefined), 'the body is missing; send a JSON document')
  assert.equal(await detailOf(''), 'the body is missing: it is empty; send a JSON document')
  assert.equal(
    await detailOf('{}', { 'content-encoding': 'br' }),
    'the body is compressed (br); send it as it is, without Content-Encoding',
  )
  assert.match(await detailOf('{}', { 'content-encoding': 'identity, gzip' }), /compressed \(identity, gzip\)/)
  for (const plain of ['', 'identity', 'Identity, identity'])
    assert.match(await detailOf('{}', { 'content-encoding': plain }), /^\/source of the manifest is missing/)
  for (const type of ['application/json; charset=utf-8', 'application/json;charset="UTF-8"'])
    assert.match(await detailOf('{}', { 'content-type': type }), /^\/source of the manifest is missing/)
  assert.equal(
    await detailOf('{}', { 'content-type': 'application/json; charset=utf-16' }),
    'the body must be in UTF-8; its content-type is application/json; charset=utf-16',
  )
  assert.equal(
    await detailOf('{\n  "source": { backend: "synthetic" }\n}'),
    'the body is not JSON: line 2, column 15: a key in double quotes is expected, not "backend"',
  )
  assert.equal(
    await detailOf('{"source":{"backend":"synthetic","fps":0},"x":1}', { 'content-encoding': 'identity' }),
    '/source/fps of the body must be at least 0.1, not 0, and 1 more',
  )
})

test('a manifest that contradicts itself is refused with the first field and its value', async (t) => {
  const { app } = await fakeApi(t)
  const lens = { width_px: 1280, height_px: 800, fx_px: 1e-9, fy_px: 900, cx_px: 640, cy_px: 400, distortion: [] }
  const detailOf = async (more: object) => {
    const payload = { source: { backend: 'synthetic' }, ...more }
    const response = await app.inject({ method: 'POST', url: '/v1/streams', headers: { host: 'localhost' }, payload })
    assert.equal(response.json().code, 'manifest.invalid')
    return response.json().detail
  }

  assert.match(
    await detailOf({ intrinsics: lens, map_id: 'mars' }),
    /^\/intrinsics\/fx_px of the manifest must be 128 to 25600 .*, not 1e-9; .*, and 1 more$/,
  )
  assert.match(await detailOf({ map_id: 'mars' }), /^\/map_id of the manifest is "mars", which is no field map/)
  assert.match(await detailOf({ alias: '\u202eevil' }), /^\/alias of the body must be .*, not "\\u\{202e\}evil"$/)
})

test('a method that a path does not take is refused with those it takes', async (t) => {
  const { app } = await fakeApi(t)

  for (const method of ['PATCH', 'PUT', 'DELETE', 'TRACE', 'LINK'] as const) {
    const response = await app.inject({ method: method as 'PUT', url: '/v1/streams', headers: { host: 'localhost' } })
    assert.equal(response.json().code, 'method.not_allowed', method)
    assert.equal(response.headers.allow, 'GET, HEAD, POST')
  }
})

test('an absolute target that names this device is served like its path, whatever the Host header says', async (t) => {
  const { port } = await listeningApi(t)
  const ask = (head: string, body = '') =>
    rawRequest(port, `${head}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`)

  const [direct, absolute, foreign] = await Promise.all([
    ask('GET /v1/streams HTTP/1.1\r\nHost: localhost'),
    ask(`GET http://localhost:${port}/v1/streams HTTP/1.1\r\nHost: localhost`),
    ask('GET HTTP://vedette-7.local/v1/streams HTTP/1.1\r\nHost: evil.example'),
  ])
  const posted = await ask(
    'POST http://localhost:1/v1/streams/validate HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost:1',
    '{"source":{"backend":"synthetic"}}',
  )
  const fromAPage = await ask(
    'POST http://localhost:1/v1/streams/validate HTTP/1.1\r\nHost: evil.example\r\nOrigin: http://evil.example',
    '{"source":{"backend":"synthetic"}}',
  )

  assert.equal(direct.status, 200)
  assert.deepEqual([absolute, foreign], [direct, direct])
  assert.equal(posted.status, 200)
  assertProblem(fromAPage, 'origin.foreign')
})

const UPGRADE = [
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
  '',
].join('\r\n')

test('a WebSocket is opened, or not, by the same rules', async (t) => {
  const { port } = await listeningApi(t)
  const statusFor = async (target: string, more = '') =>
    (await rawRequest(port, get(target, UPGRADE + more)).catch(() => ({ status: 0 }))).status

  assert.equal(await statusFor('/v1/events'), 101)
  assert.equal(await statusFor('http://localhost/v1/events'), 101)
  assertProblem(await rawRequest(port, get('http://evil.example/v1/events', UPGRADE)), 'host.unknown')
  assertProblem(await rawRequest(port, get('/v1/events', `${UPGRADE}Host: localhost\r\n`)), 'host.repeated')
})

for (const [what, more] of [
  ['a version that is not spoken', UPGRADE.replace('13', '99')],
  ['a key that is none', UPGRADE.replace(/A{22}==/, 'short')],
  ['no key', UPGRADE.replace(/Sec-WebSocket-Key.*\r\n/, '')],
  ['a protocol list that is none', `${UPGRADE}Sec-WebSocket-Protocol: ,,\r\n`],
] as const) {
  test(`a WebSocket that asks with ${what} is told so in a problem document`, async (t) => {
    const { port, bugs } = await listeningApi(t)

    assertProblem(await rawRequest(port, get('/v1/events', more)), 'request.malformed')
    assert.deepEqual(bugs, [])
  })
}

test('an upgrade to anything but a WebSocket is not taken up', async (t) => {
  const { port } = await listeningApi(t)
  const toHttp2 = UPGRADE.replace('websocket', 'h2c')

  assert.equal((await rawRequest(port, get('/v1/health', toHttp2))).status, 200)
  assertProblem(await rawRequest(port, get('/v1/events', toHttp2)), 'upgrade.required')
})

test('an expectation that nobody knows is passed over', async (t) => {
  const { port } = await listeningApi(t)

  assert.equal((await rawRequest(port, get('/v1/health', 'Expect: tea\r\n'))).status, 200)
})

/** Everything that comes back on a connection until the server closes it. */
const conversation = async (port: number, bytes: string): Promise<string> => {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {}).write(bytes)
  let text = ''
  for await (const chunk of socket.setEncoding('latin1')) text += chunk
  return text
}

const statusesIn = (text: string): readonly number[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status))

test('requests before one that cannot be read are answered first, each with its own answer', async (t) => {
  const { port } = await listeningApi(t)
  const last = get('/v1/health', 'Connection: close\r\n')
  const halfBody = `${HALF}Transfer-Encoding: chunked\r\n\r\nno number\r\n`

  assert.deepEqual(statusesIn(await conversation(port, get('/v1/health') + get('/v1/nothing') + last)), [200, 404, 200])
  assert.deepEqual(
    statusesIn(await conversation(port, `${get('/v1/health')}${get('/v1/nothing')}not HTTP\r\n\r\n`)),
    [200, 404, 400],
  )
  assert.deepEqual(statusesIn(await conversation(port, get('/v1/health') + halfBody)), [200, 400])
})

test('pictures that do not end have a connection to themselves', async (t) => {
  const { port, fake } = await listeningApi(t)
  await fake.addStream({ id: 'front', source: { backend: 'synthetic' } })
  const preview = get('/v1/streams/front/preview', 'Connection: close\r\n')

  // The first one takes its time: it waits for a picture.
  const text = await conversation(port, get('/v1/streams/front/frame') + preview)

  assert.deepEqual(statusesIn(text), [503, 400])
  assert.match(text, /must wait until what was asked before it on this connection is answered/)
})

test('HEAD answers like GET, without a body', async (t) => {
  const { app, fake } = await fakeApi(t)
  await fake.addStream({ id: 'front', source: { backend: 'synthetic' } })

  for (const url of ['/v1/streams', '/v1/streams/front', '/', '/v1/streams/front/preview', '/v1/nothing']) {
    const [got, head] = [
      url.endsWith('preview') ? undefined : await app.inject({ url, headers: { host: 'localhost' } }),
      await app.inject({ method: 'HEAD', url, headers: { host: 'localhost' } }),
    ]
    if (got) assert.equal(head.statusCode, got.statusCode)
    if (got) assert.equal(head.headers['content-type'], got.headers['content-type'])
    assert.equal(head.body, '')
  }
})

test('a request that is not finished in time is told so and cut off', async (t) => {
  const { app, port } = await listeningApi(t)
  app.server.headersTimeout = 100
  app.server.requestTimeout = 200
  const socket = connect(port, '127.0.0.1')
  await arrival('a connection', once(socket, 'connect'))
  socket.write('GET /v1/health HTTP/1.1\r\nHost: loc')

  assertProblem(await answerOn(socket), 'request.timeout')
})

test('a request id is echoed when it is a plain word, and made when it is not', async (t) => {
  const { app } = await fakeApi(t)
  const idOf = async (given: string) => {
    const response = await app.inject({ url: '/nothing', headers: { host: 'localhost', 'x-request-id': given } })
    assert.equal(response.headers['x-request-id'], response.json().request_id)
    return response.json().request_id as string
  }

  assert.equal(await idOf('client-7.a'), 'client-7.a')
  assert.match(await idOf('"><script>'), /^[0-9a-f-]{36}$/)
})

test('a bug becomes a problem without its secrets, and a line in the log', async (t) => {
  const { app, bugs } = await fakeApi(t, {
    verifyToken: () => {
      throw new Error('the secret is out')
    },
  })

  const response = await app.inject({ url: '/v1/health', headers: { host: 'localhost', authorization: 'Bearer x' } })

  assert.equal(response.json().code, 'internal')
  assert.ok(!response.body.includes('secret'))
  assert.match(bugs[0] ?? '', /the secret is out/)
})

for (const [what, bytes] of [
  ['an upload of known length', `${HALF}Content-Length: 100\r\n\r\n{"source":`],
  ['an upload in chunks', `${HALF}Transfer-Encoding: chunked\r\n\r\n5\r\n{"sou\r\n`],
  ['an upload that nobody wants', `${HALF.replace('json', 'zip')}Content-Length: 100\r\n\r\nPK`],
  ['a request without a body', 'GET /v1/health HTTP/1.1\r\nHost: loc'],
  ['a request that is answered', get('/v1/health')],
] as const) {
  test(`a client that hangs up in the midst of ${what} is no bug of the service`, async (t) => {
    const { app, port, bugs } = await listeningApi(t)
    for (const hangUp of ['end', 'resetAndDestroy'] as const) {
      const served = once(app.server, 'connection') as Promise<[Socket]>
      const socket = connect(port, '127.0.0.1')
      socket.on('error', () => {}).resume()
      const [there] = await served
      const closed = once(there, 'close').catch(() => {}) // reset
      socket.write(bytes)
      await until(
        'the bytes',
        () => there.bytesRead,
        (count) => count === bytes.length,
      )

      socket[hangUp]()

      await closed
    }
    assert.equal((await rawRequest(port, get('/v1/health'))).status, 200)
    assert.deepEqual(bugs, [])
  })
}
