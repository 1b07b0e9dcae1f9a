// Who may do what over HTTP: hosts, origins and tokens, in each profile.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fastify from 'fastify'
import { custom } from '../../../api/endpoints/custom.ts'
import { guard } from '../../../api/server/access.ts'
import { Sessions } from '../../../api/session/sessions.ts'
import { TrustedPeers } from '../../../api/session/trusted-peers.ts'
import { WrongTokens } from '../../../api/session/wrong-tokens.ts'
import type { Profile } from '../../../machines/http/access.ts'
import { createSettingsStore } from '../../../machines/settings/store.ts'
import { FakeClock } from '../../../native/clock/fake.ts'
import { fakeApi } from '../../support/api/api.ts'

const create = { source: { backend: 'synthetic' } }

test('a request under a foreign name is refused, whatever it asks for', async (t) => {
  const { app } = await fakeApi(t)
  const codeFor = async (host: string, url = '/v1/health') => (await app.inject({ url, headers: { host } })).json().code

  for (const host of [
    'localhost',
    'localhost:5800',
    '127.0.0.1:5800',
    '[::1]:5800',
    '192.168.1.7',
    'vedette-7',
    'VEDETTE-7.local:80',
  ])
    assert.equal(await codeFor(host), undefined, host)
  for (const host of [
    'evil.example',
    'vedette-7.evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'a b',
  ])
    assert.equal(await codeFor(host), 'host.unknown', host)
  assert.equal(await codeFor('evil.example', '/nothing'), 'host.unknown')
})

test('a page of another origin may read nothing and change nothing, unless it is listed', async (t) => {
  const { app } = await fakeApi(t, { origins: ['https://dash.example'] })
  const ask = (method: 'GET' | 'POST' | 'OPTIONS', origin: string) =>
    app.inject({
      method,
      url: '/v1/streams/validate',
      headers: { host: 'localhost:5800', origin },
      ...(method === 'POST' && { payload: create }),
    })

  for (const origin of ['http://evil.example', 'null', 'http://localhost:5801', 'https://dash.example.evil']) {
    assert.equal((await ask('POST', origin)).json().code, 'origin.foreign', origin)
    assert.equal((await ask('OPTIONS', origin)).json().code, 'origin.foreign', origin)
    assert.equal((await ask('GET', origin)).headers['access-control-allow-origin'], undefined)
  }
  for (const origin of ['http://localhost:5800', 'https://dash.example'])
    assert.equal((await ask('POST', origin)).json().id, 'stream')
  const listed = await ask('OPTIONS', 'https://dash.example')
  assert.equal(listed.headers['access-control-allow-origin'], 'https://dash.example')
  assert.match(String(listed.headers['access-control-allow-headers']), /If-Match/)
})

test('a listed page may send and read every header that a row has', async (t) => {
  const { app } = await fakeApi(t, { origins: ['https://dash.example'] })
  const ask = (method: 'GET' | 'OPTIONS', url: string) =>
    app.inject({ method, url, headers: { host: 'localhost', origin: 'https://dash.example' } })
  interface Row {
    readonly parameters?: readonly { readonly in: string; readonly name: string }[]
    readonly responses: Readonly<Record<string, { readonly headers?: object }>>
  }
  const { paths } = (await ask('GET', '/openapi.json')).json() as { paths: Record<string, Record<string, Row>> }
  const rows = Object.values(paths).flatMap((methods) => Object.values(methods))
  const sent = rows.flatMap(({ parameters = [] }) =>
    parameters.filter((each) => each.in === 'header').map(({ name }) => name),
  )
  const answered = rows.flatMap(({ responses }) =>
    Object.values(responses).flatMap(({ headers = {} }) => Object.keys(headers)),
  )

  const { headers } = await ask('OPTIONS', '/v1/ota/upload')

  const missing = (names: readonly string[], header: string) => {
    const listed = String(headers[header]).split(', ')
    return [...new Set(names)].filter((name) => !listed.includes(name))
  }
  assert.ok(sent.includes('Upload-Offset') && answered.includes('Upload-Offset'))
  assert.deepEqual(missing(sent, 'access-control-allow-headers'), [])
  assert.deepEqual(missing(answered, 'access-control-expose-headers'), ['Set-Cookie']) // no page reads cookies so
})

/** profile, remote address, method and path, token, what becomes of it. */
const CASES: readonly (readonly [Profile, string, 'GET' | 'POST', string, string | undefined, string | undefined])[] = [
  ['bench', '127.0.0.1', 'GET', '/v1/health', undefined, undefined],
  ['bench', '127.0.0.1', 'POST', '/v1/streams/validate', undefined, undefined],
  ['bench', '127.0.0.1', 'GET', '/v1/health', 'wrong', 'token.invalid'],
  ['field', '10.12.34.5', 'GET', '/v1/health', undefined, undefined],
  ['field', '10.12.34.5', 'POST', '/v1/streams/validate', undefined, undefined],
  ['field', '203.0.113.9', 'GET', '/v1/health', undefined, 'token.required'],
  ['field', '203.0.113.9', 'GET', '/v1/health', 'good-token', undefined],
  ['locked', '127.0.0.1', 'GET', '/v1/health', undefined, 'token.required'],
  ['locked', '127.0.0.1', 'GET', '/v1/nothing', undefined, 'token.required'],
  ['locked', '127.0.0.1', 'GET', '/v1/health', 'good-token', undefined],
  ['locked', '127.0.0.1', 'GET', '/v1/health', 'wrong', 'token.invalid'],
]

for (const [profile, remoteAddress, method, url, token, code] of CASES) {
  const who = `${remoteAddress} with ${token ? `the token ${token}` : 'no token'}`
  test(`in ${profile}, ${method} ${url} from ${who} ${code ? `is refused with ${code}` : 'passes'}`, async (t) => {
    const { app } = await fakeApi(t, { profile })

    const response = await app.inject({
      method,
      url,
      remoteAddress,
      headers: { host: 'localhost', ...(token && { authorization: `Bearer ${token}` }) },
      ...(method === 'POST' && { payload: create }),
    })

    assert.equal(response.json().code, code)
    assert.equal(response.headers['www-authenticate'] !== undefined, code !== undefined)
  })
}

test('the page itself is open even when the device is locked: it holds nothing', async (t) => {
  const { app } = await fakeApi(t, { profile: 'locked' })

  const response = await app.inject({ url: '/', headers: { host: 'localhost' } })

  assert.match(response.body, /<title>Vedette<\/title>/)
})

test('what brings a script takes an administrator wherever it is put, and looking at it does not', async (t) => {
  const { app } = await fakeApi(t, { profile: 'field' })
  const graph = {
    nodes: [
      { id: 'source', type: 'source' },
      { id: 'aim', type: 'script' },
    ],
    edges: [],
    outputs: [{ port: 'aimed', from: 'aim.values' }],
  }
  const send = async (url: string, payload: object, token?: string): Promise<{ code?: string; detail?: string }> => {
    const headers = { host: 'localhost', ...(token && { authorization: `Bearer ${token}` }) }
    const { statusCode, body } = await app.inject({
      method: 'POST',
      url,
      payload,
      headers,
      remoteAddress: '10.12.34.5',
    })
    return statusCode < 300 ? {} : JSON.parse(body)
  }
  const plain = { ...graph, nodes: graph.nodes.slice(0, 1), outputs: [] }

  const refusals = [
    await send('/v1/pipelines/graphs', { id: 'aims', ...graph }),
    await send('/v1/streams', { id: 'front', ...create, pipeline: graph }),
    await send('/v1/streams/front/pipeline/graph', { graph }),
  ]
  for (const { code, detail } of refusals) {
    assert.equal(code, 'token.required')
    assert.match(detail ?? '', /^a script is code that this device runs/)
  }
  assert.equal((await send('/v1/pipelines/validate', { graph })).code, undefined)
  assert.equal((await send('/v1/pipelines/graphs', { id: 'plain', ...plain })).code, undefined)
  assert.equal((await send('/v1/pipelines/graphs', { id: 'aims', ...graph }, 'good-token')).code, undefined)
})

/** A gate with a shell behind it, which no area has yet. */
const shell = (profile: Profile, console: boolean) => {
  const app = fastify()
  const endpoint = custom('POST', '/shell', {
    because: 'there is no other',
    summary: 'A shell',
    access: 'console',
    answer: { status: 'empty' },
    serve: (_call, reply) => reply,
  })
  guard(app, {
    policy: { profile, console },
    identity: { now: () => assert.fail('nobody asks') },
    names: () => [],
    origins: [],
    insiders: { callerOf: () => undefined },
    verifyToken: (token) => token === 'good-token',
    sessions: new Sessions({ kept: [], keep: async () => {}, token: null, nowMs: () => 0 }),
    wrongTokens: new WrongTokens({ profile, clock: new FakeClock() }),
    peers: new TrustedPeers({ settings: createSettingsStore(), clock: new FakeClock(), record: () => {} }),
  })
  app.post('/shell', { config: { endpoint } }, () => ({ code: 'a shell' }))
  return async (token?: string): Promise<{ code: string; detail: string }> =>
    (
      await app.inject({
        method: 'POST',
        url: '/shell',
        headers: { host: 'localhost', ...(token && { authorization: `Bearer ${token}` }) },
      })
    ).json()
}

test('a shell is open on the bench, and elsewhere only to administrators, once it was turned on', async () => {
  assert.equal((await shell('bench', false)()).code, 'a shell')
  for (const profile of ['field', 'locked'] as const) {
    for (const token of [undefined, 'good-token']) {
      const { code, detail } = await shell(profile, false)(token)
      assert.equal(code, 'console.off')
      assert.match(detail, /--console on \(VEDETTE_CONSOLE=on\)/)
    }
    assert.equal((await shell(profile, true)()).code, 'token.required')
    assert.equal((await shell(profile, true)('good-token')).code, 'a shell')
  }
})
