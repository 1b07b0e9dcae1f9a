// Devices that are trusted by their certificates, over TLS, and the end of what any of them has open.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent, request as httpsRequest } from 'node:https'
import { type TestContext, test } from 'node:test'
import { type TLSSocket, connect as tlsConnect } from 'node:tls'
import { WebSocket } from 'ws'
import { listen } from '../../../api/server/server.ts'
import { errorsOf } from '../../../machines/errors/history.ts'
import type { Profile } from '../../../machines/http/access.ts'
import { PEER_SERVER_NAME } from '../../../machines/interdevice/server-name.ts'
import { fakeIdentity } from '../../../native/identity/fake.ts'
import type { DeviceIdentity } from '../../../native/identity/port.ts'
import { assertProblem } from '../../support/api/api.ts'
import { ownIdentity } from '../../support/peers/identity.ts'
import { peerApi } from '../../support/peers/peer-api.ts'
import { arrival, until } from '../../support/until.ts'

const PEERS = '/v1/peers/trust'
const ADMIN = 'good-token'

interface Ask {
  readonly token?: string
  readonly agent?: Agent
}

/** A device that is served over TLS, and others that ask it. */
const lab = async (t: TestContext, profile: Profile = 'locked', isOverTls = true) => {
  const api = await peerApi(t, profile, isOverTls ? fakeIdentity() : undefined)
  const { port } = await listen(api.app, { host: '127.0.0.1', port: 0 })
  const trust = async (order: object): Promise<{ readonly id: string; readonly token: string }> => {
    const { status, body } = await api.send('POST', PEERS, { token: ADMIN, payload: order })
    assert.equal(status, 201, body)
    return JSON.parse(body)
  }
  const shown = (who?: DeviceIdentity) => ({
    host: '127.0.0.1',
    port,
    servername: PEER_SERVER_NAME,
    rejectUnauthorized: false,
    ...(who && { key: who.key, cert: who.cert }),
  })
  return {
    ...api,
    port,
    trust,
    revoke: (id: string) => api.send('DELETE', `${PEERS}/${id}`, { token: ADMIN }),
    shown,
    ask: async (path: string, who?: DeviceIdentity, { token, agent }: Ask = {}) => {
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
      const sent = (isOverTls ? httpsRequest : httpRequest)({
        ...shown(who),
        path,
        headers,
        ...(agent && { agent }),
        ...(!agent && { agent: false as const }),
      })
      sent.end()
      const [answer] = (await arrival('an answer', once(sent, 'response'))) as [IncomingMessage]
      let body = ''
      for await (const chunk of answer) body += chunk
      const { statusCode, headers: of } = answer
      return { status: statusCode ?? 0, contentType: of['content-type'] ?? '', body, connection: of.connection }
    },
    listen: (who?: DeviceIdentity, token?: string) =>
      new WebSocket(`${isOverTls ? 'wss' : 'ws'}://127.0.0.1:${port}/v1/interdevice/listen`, {
        ...(isOverTls && shown(who)),
        ...(token && { headers: { authorization: `Bearer ${token}` } }),
      }),
  }
}

const pathPing = '/v1/interdevice/ping'

test('a device that is trusted is known by its certificate, and one that is not is told so', async (t) => {
  const { ask, trust, fake, revoke } = await lab(t)
  const [friend, stranger] = [fakeIdentity(), fakeIdentity()]
  const { id } = await trust({ name: 'Back camera', fingerprint: friend.fingerprint })

  assert.deepEqual(JSON.parse((await ask(pathPing, friend)).body), { peer: { id, name: 'Back camera' } })
  assertProblem(await ask('/v1/interdevice/nothing', friend), 'route.not_found')
  assertProblem(await ask(pathPing), 'token.required')
  const refused = await ask(pathPing, stranger)
  const { detail } = assertProblem(refused, 'trust.unknown')
  assert.match(detail, new RegExp(stranger.fingerprint))
  assert.match(detail, /POST \/v1\/peers\/pairing/, 'the easy way is told too')
  assert.equal(refused.connection, 'close')

  const [entry] = errorsOf(fake.directory.errors)
  assert.deepEqual([entry?.code, entry?.count], ['trust.unknown', 1])
  assert.match(entry?.detail ?? '', new RegExp(`^127\\.0\\.0\\.1 was refused: the certificate ${stranger.fingerprint}`))
  await revoke(id)
  assertProblem(await ask(pathPing, friend), 'trust.unknown')
})

test('an unknown certificate does no harm where none is needed, and no good where devices are meant', async (t) => {
  const stranger = fakeIdentity()
  for (const profile of ['bench', 'field'] as const) {
    const { ask } = await lab(t, profile)

    assert.equal((await ask('/v1/interdevice/hello', stranger)).status, 200)
    assert.equal((await ask('/v1/health', stranger)).status, 200)
    assertProblem(await ask(pathPing, stranger), 'trust.unknown')
  }
})

test('a token that is sent decides, whatever certificate is shown', async (t) => {
  const { ask, trust } = await lab(t)
  const [friend, stranger] = [fakeIdentity(), fakeIdentity()]
  await trust({ name: 'By certificate', fingerprint: friend.fingerprint })
  const { token } = await trust({ name: 'By token' })
  const nameOf = async (who: DeviceIdentity, sent: string) =>
    JSON.parse((await ask(pathPing, who, { token: sent })).body).peer?.name

  assert.equal(await nameOf(stranger, token), 'By token')
  assert.equal(await nameOf(friend, token), 'By token')
  assert.equal(await nameOf(friend, ADMIN), undefined)
  assertProblem(await ask(pathPing, friend, { token: 'wrong' }), 'token.invalid')
})

test('trust that has run out is told so, and lets in nobody', async (t) => {
  const { ask, trust, fake } = await lab(t)
  const friend = fakeIdentity()
  const expires_at_ms = fake.clock.nowMs() + 1_000
  await trust({ name: 'For a day', fingerprint: friend.fingerprint, expires_at_ms })

  assert.equal((await ask(pathPing, friend)).status, 200)
  fake.clock.advanceMs(1_000)

  assertProblem(await ask(pathPing, friend), 'trust.expired')
  assert.equal((await ask('/v1/interdevice/hello', friend)).status, 200)
})

test('a connection that goes on with the keys of another one is known by the certificate of that', async (t) => {
  const { port, shown, trust, revoke } = await lab(t)
  const friend = fakeIdentity()
  const { id } = await trust({ name: 'Back camera', fingerprint: friend.fingerprint })
  const connected = async (session?: Buffer) => {
    const socket = tlsConnect({ ...shown(friend), port, ...(session && { session }) })
    t.after(() => socket.destroy())
    const told = once(socket, 'session')
    await once(socket, 'secureConnect')
    return { socket, told }
  }
  const statusOn = async (socket: TLSSocket) => {
    socket.write(`GET ${pathPing} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
    return Number(/^HTTP\/1\.1 (\d+)/.exec(String((await once(socket, 'data'))[0]))?.[1])
  }
  const first = await connected()
  assert.equal(await statusOn(first.socket), 200)
  const [session] = (await arrival('a session', first.told)) as [Buffer]

  const second = await connected(session)
  assert.ok(second.socket.isSessionReused())
  assert.equal(await statusOn(second.socket), 200)
  await revoke(id)

  const third = await connected(session)
  assert.ok(third.socket.isSessionReused())
  assert.equal(await statusOn(third.socket), 401)
})

test('who is not trusted does not get to listen, and hears why', async (t) => {
  const { listen } = await lab(t)
  const socket = listen(fakeIdentity())
  socket.on('error', () => {})
  t.after(() => socket.terminate())

  const [, answer] = (await arrival('a refusal', once(socket, 'unexpected-response'))) as [unknown, IncomingMessage]
  let body = ''
  for await (const chunk of answer) body += chunk

  assertProblem(
    { status: answer.statusCode ?? 0, contentType: answer.headers['content-type'] ?? '', body },
    'trust.unknown',
  )
})

/** How a device shows who it is, over which connection. */
const WAYS = [
  ['a certificate over TLS', true, true],
  ['a token over TLS', true, false],
  ['a token over plain HTTP', false, false],
] as const

for (const [what, isOverTls, isCertificate] of WAYS)
  test(`whoever came in with ${what} has nothing open once that is revoked, and others have`, async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] }) // it is not found out now and then, but done at once
    const { ask, listen, trust, revoke } = await lab(t, 'locked', isOverTls)
    const [one, other] = [fakeIdentity(), fakeIdentity()]
    const enter = (name: string, { fingerprint }: DeviceIdentity) =>
      trust(isCertificate ? { name, fingerprint } : { name })
    const [first, second] = [await enter('One', one), await enter('Other', other)]
    const opened = async (who: DeviceIdentity, { token }: { readonly token: string }) => {
      const socket = isCertificate ? listen(who) : listen(undefined, token)
      t.after(() => socket.terminate())
      await arrival('an open feed', once(socket, 'open'))
      return socket
    }
    const [mine, theirs] = [await opened(one, first), await opened(other, second)]

    const closed = arrival('the end of the feed', once(mine, 'close'))
    await revoke(first.id)

    const [code] = await closed
    assert.equal(code, 1006)
    assert.equal(theirs.readyState, WebSocket.OPEN)
    assert.equal((await ask(pathPing, one, isCertificate ? {} : { token: first.token })).status, 401)
    assert.equal((await ask(pathPing, other, isCertificate ? {} : { token: second.token })).status, 200)
  })

test('a connection that waits for its next request is closed as well', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const { ask, trust, revoke } = await lab(t)
  const friend = fakeIdentity()
  const { id } = await trust({ name: 'Back camera', fingerprint: friend.fingerprint })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.after(() => agent.destroy())
  assert.equal((await ask(pathPing, friend, { agent })).status, 200)
  const [waiting] = Object.values(agent.freeSockets).flat()
  assert.ok(waiting)

  const closed = arrival('the end of the connection', once(waiting, 'close'))
  await revoke(id)

  await closed
})

test('what is open ends when the trust has run out, though nobody asks for anything any more', async (t) => {
  const { listen, trust, fake } = await lab(t)
  const friend = fakeIdentity()
  const expires_at_ms = fake.clock.nowMs() + 60_000
  await trust({ name: 'For a minute', fingerprint: friend.fingerprint, expires_at_ms })
  const socket = listen(friend)
  await arrival('an open feed', once(socket, 'open'))

  const closed = arrival('the end of the feed', once(socket, 'close'))
  fake.clock.advanceMs(60_000)

  await closed
})

test('a device shows its own certificate to another one, and that is what the other one enters', async (t) => {
  const { port, shown, fake } = await lab(t)
  const socket = tlsConnect({ ...shown(fakeIdentity()), port })
  t.after(() => socket.destroy())
  await once(socket, 'secureConnect')

  const seen = socket.getPeerX509Certificate()?.fingerprint256.replaceAll(':', '').toLowerCase()

  assert.equal(seen, ownIdentity(fake).fingerprint)
  await until('the handshake', () => socket.authorizationError)
})

test('a trusted certificate opens only what is meant for devices, not even what is open to anybody', async (t) => {
  for (const profile of ['bench', 'field'] as const) {
    const { ask, trust } = await lab(t, profile)
    const friend = fakeIdentity()
    assert.equal((await ask('/v1/streams', friend)).status, 200)
    await trust({ name: 'Back camera', fingerprint: friend.fingerprint })

    assertProblem(await ask('/v1/streams', friend), 'trust.not_here')
    assertProblem(await ask(PEERS, friend), 'trust.not_here')
    assert.equal((await ask('/v1/interdevice/resources', friend)).status, 200)
    assert.equal((await ask('/v1/streams')).status, 200)
  }
})
