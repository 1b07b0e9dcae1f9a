// A device that has no identity it could keep: nobody is shown another one, and all else runs.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import { connect as tlsConnect } from 'node:tls'
import * as Effect from 'effect/Effect'
import { listen } from '../../../api/server/server.ts'
import { announcementOf, OWN_DEVICE } from '../../../machines/discovery/announcement.ts'
import { type Fault, isFault } from '../../../machines/errors/fault.ts'
import { DEVICE_HEADER } from '../../../machines/interdevice/device-header.ts'
import { PEER_SERVER_NAME } from '../../../machines/interdevice/server-name.ts'
import { PAIRING_PATH } from '../../../machines/pairing/messages.ts'
import { fakeIdentity } from '../../../native/identity/fake.ts'
import { type DeviceIdentity, IDENTITY } from '../../../native/identity/port.ts'
import { PEER_WIRE } from '../../../native/peers/port.ts'
import { socketWire } from '../../../native/peers/wire.ts'
import { value } from '../../../supervisors/composition/container.ts'
import { API } from '../../../supervisors/http/branch.ts'
import { assertProblem, fakeApi } from '../../support/api/api.ts'
import { shakeHands } from '../../support/peers/certificates.ts'
import { peerServer } from '../../support/peers/peer-server.ts'
import { arrival, until } from '../../support/until.ts'

const FULL: Fault = { code: 'identity.not_kept', detail: 'there is no room for it in /data/identity.pem' }
const CALL = { version: 1, device_id: fakeIdentity().device_id, name: 'Front', commitment: 'c0'.repeat(32) }

/** A device whose disk is full. becomes: there is room again. */
const device = async (t: TestContext) => {
  let now: DeviceIdentity | Fault = FULL
  const identity = {
    now: () => now,
    look: Effect.suspend(() => (isFault(now) ? Effect.fail(now) : Effect.void)),
  }
  const wire = socketWire(identity.now)
  const parts = { ports: [value(IDENTITY, identity), value(PEER_WIRE, wire)] }
  const { app, fake } = await fakeApi(t, {}, parts)
  const send = async (
    method: 'GET' | 'POST',
    url: string,
    payload?: object,
    more: Readonly<Record<string, string>> = {},
  ) => {
    const headers = { host: 'localhost', ...more }
    const response = await app.inject({ method, url, headers, ...(payload && { payload }) })
    const { statusCode: status, body } = response
    return { status, body, contentType: String(response.headers['content-type'] ?? '') }
  }
  const becomes = (own: DeviceIdentity | Fault) => {
    now = own
  }
  return { fake, send, becomes }
}

test('it greets, pairs and registers nobody over TLS, announces nothing, and says why', async (t) => {
  const { fake, send } = await device(t)
  const heard: unknown[] = []
  const { origin } = await peerServer(t, (request, response) => response.end(heard.push(request.url)), fakeIdentity())

  const refused = [
    await send('GET', '/v1/interdevice/hello'),
    await send('POST', PAIRING_PATH, CALL),
    await send('POST', '/v1/peers/pairing', { base_url: origin }),
    await send('POST', '/v1/peers', { base_url: origin }),
    await send('GET', '/v1/interdevice/resources'),
  ]

  for (const answer of refused.filter((_, n) => n !== 1)) assertProblem(answer, 'identity.not_kept')
  assertProblem(refused[1] as (typeof refused)[0], 'pairing.no_certificate')
  assert.deepEqual(heard, [])
  assert.equal(fake.resolve(OWN_DEVICE)(), null)
  const health = JSON.parse((await send('GET', '/v1/health')).body)
  const part = health.parts.find(({ name }: { name: string }) => name === 'identity')
  assert.deepEqual([health.status, part.state, part.fault], ['degraded', 'missing', FULL])
})

test('other devices and strangers are not told where it lies, nor what its disk says', async (t) => {
  const { send } = await device(t)

  const told = [
    await send('GET', '/v1/interdevice/hello'),
    await send('GET', '/v1/interdevice/resources'),
    await send('GET', '/v1/interdevice/resources', undefined, { [DEVICE_HEADER]: CALL.device_id }),
  ]

  for (const answer of told) {
    assertProblem(answer, 'identity.not_kept')
    assert.ok(!answer.body.includes('/data'), answer.body)
  }
})

test('as soon as it has one it greets with that, and calls others', async (t) => {
  const { fake, send, becomes } = await device(t)
  const own = fakeIdentity()
  const { origin } = await peerServer(t, (_, response) => response.writeHead(404).end(), fakeIdentity())

  becomes(own)

  const hello = JSON.parse((await send('GET', '/v1/interdevice/hello')).body)
  assert.deepEqual([hello.device_id, hello.client_fingerprint], [own.device_id, own.fingerprint])
  assert.equal((await send('POST', '/v1/peers', { base_url: origin })).status, 201)
  const announced = fake.resolve(OWN_DEVICE)()
  assert.ok(announced)
  assert.ok(announcementOf(announced, 'front', { hosts: [], port: 1, tlsPort: null }).name.includes('front'))
})

test('a link waits for the identity and says so, and nothing is asked of its peer', async (t) => {
  const { send, becomes } = await device(t)
  let calls = 0
  const { origin, server } = await peerServer(t, (request) => request.socket.destroy(), fakeIdentity())
  server.on('connection', () => {
    calls += 1
  })
  becomes(fakeIdentity()) // for as long as it takes to register a peer
  assert.equal((await send('POST', '/v1/peers', { base_url: origin, name: 'Back' })).status, 201)
  becomes(FULL)
  const record = async () => JSON.parse((await send('GET', '/v1/peers/back')).body)

  const refused = await until('a link that waits', record, ({ fault }) => fault?.code === FULL.code)
  const before = calls

  assert.equal(refused.status, 'refused')
  assertProblem(await send('GET', '/v1/peers/back/streams/front/frame'), 'identity.not_kept')
  assert.equal(calls, before)
})

test('over TLS it shows no certificate to other devices until it has one, and serves the page', async (t) => {
  const { fake, becomes } = await device(t)
  const { createApi } = await import('../../../api/server/server.ts')
  const [ofPage, own] = [fakeIdentity(), fakeIdentity()]
  const { key, cert } = ofPage
  const app = await createApi({ ...fake.resolve(API), tls: { key, cert } })
  t.after(() => app.close())
  const { port } = await listen(app, { host: '127.0.0.1', port: 0 })
  const shown = async (servername: string) => (await shakeHands(port, { servername })).replaceAll(':', '').toLowerCase()
  const broken = tlsConnect({ port, host: '127.0.0.1', servername: PEER_SERVER_NAME, rejectUnauthorized: false })
  const isShown = once(broken, 'secureConnect').then(
    () => true,
    () => false,
  )

  assert.equal(await arrival('the end of the handshake', isShown), false)
  assert.equal(await shown('localhost'), ofPage.fingerprint)
  becomes(own)
  assert.equal(await until('the identity', () => shown(PEER_SERVER_NAME)), own.fingerprint)
})
