// Signing in with a browser: the cookie, what it opens, what it never counts for, and how it ends.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { type TestContext, test } from 'node:test'
import { WebSocket } from 'ws'
import { SIGN_IN } from '../../../api/session/area.ts'
import type { Sessions } from '../../../api/session/sessions.ts'
import { MAX_SESSIONS, SESSION_MS, type Session } from '../../../machines/http/session.ts'
import { FREE_TRIES } from '../../../machines/http/wrong-tokens.ts'
import { FakeSessions } from '../../../native/session/fake.ts'
import { SESSION_STORE } from '../../../native/session/port.ts'
import { fakeTokens } from '../../../native/tokens/fake.ts'
import { TOKENS } from '../../../native/tokens/port.ts'
import { value } from '../../../supervisors/composition/container.ts'
import { type ApiChanges, fakeApi, listeningApi } from '../../support/api/api.ts'
import { madeElsewhere } from '../../support/peers/certificates.ts'
import type { FakeService, ServiceParts } from '../../support/service.ts'
import { arrival } from '../../support/until.ts'

const HOST = 'localhost:5800'
const OURS = `http://${HOST}`
const create = { source: { backend: 'synthetic' } }

interface Ask {
  readonly headers?: Readonly<Record<string, string>>
  readonly payload?: object
  readonly remoteAddress?: string
}

const lockedApi = async (t: TestContext, parts: ApiChanges = {}, service: ServiceParts = {}) => {
  const api = await fakeApi(t, { profile: 'locked', ...parts }, service)
  const ask = (method: 'GET' | 'POST' | 'DELETE', url: string, { headers, payload, remoteAddress }: Ask = {}) =>
    api.app.inject({
      method,
      url,
      headers: { host: HOST, ...headers },
      ...(payload && { payload }),
      ...(remoteAddress && { remoteAddress }),
    })
  const signIn = async (headers: Readonly<Record<string, string>> = {}) => {
    const answer = await ask('POST', '/v1/session', { headers, payload: { token: 'good-token' } })
    assert.equal(answer.statusCode, 204, answer.body)
    const set = String(answer.headers['set-cookie'])
    return { set, cookie: set.split(';')[0] as string }
  }
  return { ...api, ask, signIn }
}

test('the token is shown once and brings a cookie that no script sees and no other site sends', async (t) => {
  const { ask, signIn } = await lockedApi(t)

  const { set, cookie } = await signIn()

  assert.match(set, /^vedette_session=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict$/)
  assert.equal((await ask('GET', '/v1/streams')).statusCode, 401)
  assert.equal((await ask('GET', '/v1/streams', { headers: { cookie } })).statusCode, 200)
  assert.equal((await ask('GET', '/v1/streams', { headers: { cookie: `other=1; ${cookie}; more=2` } })).statusCode, 200)
})

test('a write by cookie needs the word of the browser that a page of this device wants it', async (t) => {
  const listed = 'https://dash.example'
  const { ask, signIn } = await lockedApi(t, { origins: [listed] })
  const { cookie } = await signIn()
  const write = async (headers: Readonly<Record<string, string>>) =>
    (await ask('POST', '/v1/streams/validate', { headers: { cookie, ...headers }, payload: create })).json()

  for (const headers of [{ origin: OURS }, { 'sec-fetch-site': 'same-origin' }, { origin: OURS.toUpperCase() }])
    assert.equal((await write(headers)).id, 'stream', JSON.stringify(headers))
  for (const headers of [
    {},
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { origin: `https://${HOST}` },
    { origin: listed },
    { origin: listed, 'sec-fetch-site': 'cross-site' },
  ])
    assert.equal((await write(headers)).code, 'token.required', JSON.stringify(headers))
  assert.match((await write({})).detail, /pages of this device only/)
  for (const origin of ['http://localhost:5801', 'null', 'http://evil.example'])
    assert.equal((await write({ origin })).code, 'origin.foreign', origin)
})

test('who am I is told to everybody', async (t) => {
  const { ask, signIn, fake } = await lockedApi(t)
  const { cookie } = await signIn()
  const who = async (headers: Readonly<Record<string, string>>) => (await ask('GET', '/v1/session', { headers })).json()
  const all = ['read', 'operate', 'administer', 'peer']
  const expires_at_ms = fake.directory.clock.nowMs() + SESSION_MS

  assert.deepEqual(await who({}), { profile: 'locked', identified_by: 'nothing', may: [], expires_at_ms: null })
  assert.deepEqual(await who({ cookie }), { profile: 'locked', identified_by: 'session', may: all, expires_at_ms })
  assert.deepEqual(await who({ authorization: 'Bearer good-token', cookie }), {
    profile: 'locked',
    identified_by: 'token',
    may: all,
    expires_at_ms: null,
  })
  assert.equal((await who({ authorization: 'Bearer wrong', cookie })).code, 'token.invalid')
})

test('who signs out is somebody unknown again, in this browser alone', async (t) => {
  const { ask, signIn } = await lockedApi(t)
  const { cookie } = await signIn()
  const { cookie: other } = await signIn()
  const health = async (cookie: string) => (await ask('GET', '/v1/health', { headers: { cookie } })).statusCode

  await ask('DELETE', '/v1/session', { headers: { cookie } })
  assert.equal(await health(cookie), 200, 'nothing proved that a page of this device wanted it')
  const out = await ask('DELETE', '/v1/session', { headers: { cookie, origin: OURS } })

  assert.equal(out.statusCode, 204)
  assert.match(String(out.headers['set-cookie']), /^vedette_session=; Path=\/; Max-Age=0;/)
  assert.equal(await health(cookie), 401)
  assert.equal(await health(other), 200)
})

test('a browser that signs in again has one session, and an old cookie opens nothing', async (t) => {
  const { ask, signIn } = await lockedApi(t)
  const { cookie: first } = await signIn()

  const { cookie: second } = await signIn({ cookie: first, origin: OURS })

  assert.equal((await ask('GET', '/v1/health', { headers: { cookie: first } })).json().code, 'token.required')
  assert.equal((await ask('GET', '/v1/health', { headers: { cookie: second } })).statusCode, 200)
})

test('a session ends by itself, and the oldest end where there are too many', async (t) => {
  const { ask, signIn, fake } = await lockedApi(t)
  const health = async (cookie: string) => (await ask('GET', '/v1/health', { headers: { cookie } })).statusCode
  const { cookie: first } = await signIn()
  for (let n = 1; n < MAX_SESSIONS; n++) await signIn()
  assert.equal(await health(first), 200)

  const { cookie: last } = await signIn()
  assert.equal(await health(first), 401)
  assert.equal(await health(last), 200)

  fake.clock.advanceMs(SESSION_MS)
  assert.equal(await health(last), 401)
})

test('sessions survive a restart, end with another token, and are kept as hashes', async (t) => {
  const port = new FakeSessions()
  const run = (fingerprint: string | null) => {
    const ports = [value(SESSION_STORE, port), value(TOKENS, { ...fakeTokens('good-token'), fingerprint })]
    return lockedApi(t, {}, { ports })
  }
  const { signIn } = await run('first')
  const { cookie } = await signIn()
  const secret = cookie.split('=')[1] as string

  assert.ok(!JSON.stringify(port.kept).includes(secret))
  for (const [token, status] of [
    ['first', 200],
    ['second', 401],
    [null, 401],
  ] as const) {
    const { ask } = await run(token)
    assert.equal((await ask('GET', '/v1/health', { headers: { cookie } })).statusCode, status, String(token))
  }
})

test('wrong tokens are held back, each address by itself, and the right one passes at any time', async (t) => {
  const { ask, fake } = await lockedApi(t)
  const { waits } = fake.clock
  const guess = (token: string, remoteAddress = '10.0.0.9') =>
    ask('POST', '/v1/session', { payload: { token }, remoteAddress })
  const bearer = (token: string) =>
    ask('GET', '/v1/health', { headers: { authorization: `Bearer ${token}` }, remoteAddress: '::ffff:10.0.0.9' })

  for (let n = 0; n < FREE_TRIES; n++)
    assert.equal((await (n % 2 === 0 ? guess('wrong') : bearer('wrong'))).json().code, 'token.invalid')
  assert.deepEqual(waits, [])

  for (const answer of [await guess('wrong'), await bearer('wrong')]) {
    assert.equal(answer.json().code, 'token.too_many_tries')
    assert.equal(answer.headers['retry-after'], '60')
  }
  assert.deepEqual(waits, [1000, 1000])
  assert.equal((await guess('wrong', '10.0.0.10')).json().code, 'token.invalid')
  assert.equal((await guess('good-token')).statusCode, 204)
  assert.equal((await bearer('good-token')).statusCode, 200)
})

test('in the profile field, a cookie opens what the token opens, and an old one closes nothing', async (t) => {
  const { ask, signIn } = await lockedApi(t, { profile: 'field' })
  const { cookie } = await signIn()
  const may = async (cookie: string) => (await ask('GET', '/v1/session', { headers: { cookie } })).json().may

  assert.deepEqual(await may(cookie), ['read', 'operate', 'administer', 'peer'])
  assert.deepEqual(await may(cookie.replace(/=.*/, `=${'x'.repeat(43)}`)), ['read', 'operate'])
})

test('on the bench there is no token to sign in with', async (t) => {
  const { ask } = await lockedApi(t, { profile: 'bench' })

  const { code, detail } = (await ask('POST', '/v1/session', { payload: { token: 'any' } })).json()

  assert.equal(code, 'token.invalid')
  assert.match(detail, /nobody needs one/)
})

/** A request over TLS to a server with a certificate that nobody signed. */
const overTls = async (port: number, method: string, path: string, headers: Record<string, string>, body?: object) => {
  const sent = httpsRequest({
    port,
    method,
    path,
    rejectUnauthorized: false,
    agent: false,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
  })
  sent.end(body && JSON.stringify(body))
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  answer.resume()
  await once(answer, 'end')
  return answer
}

test('over TLS the cookie is a secure one of this very host, and that of plain HTTP does not count', async (t) => {
  const { port } = await listeningApi(t, { profile: 'locked', tls: await madeElsewhere() })
  const host = `localhost:${port}`

  const answer = await overTls(port, 'POST', '/v1/session', { host }, { token: 'good-token' })
  const set = String(answer.headers['set-cookie'])
  const cookie = set.split(';')[0] as string
  const secret = cookie.split('=')[1]
  const ask = async (method: string, path: string, headers: Record<string, string>) =>
    (await overTls(port, method, path, { host, ...headers })).statusCode

  assert.match(set, /^__Host-vedette_session=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict; Secure$/)
  assert.equal(await ask('GET', '/v1/health', { cookie }), 200)
  assert.equal(await ask('GET', '/v1/health', { cookie: `vedette_session=${secret}` }), 401)
  assert.equal(await ask('DELETE', '/v1/errors', { cookie, origin: `http://${host}` }), 401)
  assert.equal(await ask('DELETE', '/v1/errors', { cookie, origin: `https://${host}` }), 204)
})

type Opened = FakeService & { readonly session: Session; readonly sessions: Sessions }

const ends: Readonly<Record<string, (opened: Opened) => void>> = {
  'is signed out': ({ sessions, session }) => sessions.close(session),
  'has come to its end': ({ clock }) => clock.advanceMs(SESSION_MS),
  'is pushed out': ({ sessions }) => {
    for (let n = 0; n < MAX_SESSIONS; n++) sessions.open()
  },
}

for (const [how, end] of Object.entries(ends))
  test(`a feed and a picture opened with a session end when it ${how}`, async (t) => {
    const { url, port, fake } = await listeningApi(t, { profile: 'locked' })
    const { sessions } = fake.resolve(SIGN_IN)
    await fake.addStream({ id: 'front', source: { backend: 'synthetic' } })
    const { secret, session } = sessions.open() as { secret: string; session: Session }
    const cookie = `vedette_session=${secret}`
    const ws = `ws://127.0.0.1:${port}/v1/events`
    const refused = async (headers: Record<string, string>) => {
      const [, answer] = (await once(
        new WebSocket(ws, { headers }).on('error', () => {}),
        'unexpected-response',
      )) as [unknown, IncomingMessage]
      return answer.statusCode
    }

    assert.equal(await refused({ origin: url }), 401)
    assert.equal(await refused({ cookie }), 401, 'nothing proves whose page it is')
    const socket = new WebSocket(ws, { headers: { cookie, origin: url } })
    await once(socket, 'open')
    const other = new WebSocket(ws, { headers: { authorization: 'Bearer good-token' } })
    await once(other, 'open')
    const preview = httpRequest(`${url}/v1/streams/front/preview`, { headers: { cookie }, agent: false }).end()
    const [pictures] = (await once(preview, 'response')) as [IncomingMessage]
    assert.equal(pictures.statusCode, 200)
    pictures.on('error', () => {}).resume()

    const closed = Promise.all([once(socket, 'close'), once(pictures, 'close')])
    end({ ...fake, sessions, session })
    await arrival('the end of what was open', closed)

    assert.equal(other.readyState, WebSocket.OPEN)
    other.terminate()
  })
