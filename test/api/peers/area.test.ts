// Registering peers, and what is shown of them.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import { PEER_REGISTRY } from '../../../actors/peers/tokens.ts'
import { errorsOf } from '../../../machines/errors/history.ts'
import { HELLO_PATH } from '../../../machines/peers/greeting.ts'
import type { PeerRecord } from '../../../machines/peers/peer-record.ts'
import { PEER_SECRETS } from '../../../native/peer-secrets/port.ts'
import { FakePeerWire, jsonAnswer } from '../../../native/peers/fake.ts'
import type { PeerTarget } from '../../../native/peers/port.ts'
import { PEER_WIRE } from '../../../native/peers/port.ts'
import { value } from '../../../supervisors/composition/container.ts'
import { fakeApi } from '../../support/api/api.ts'
import { DEVICE_ID, inventoryOf, nativeDevice, ORIGIN, OTHER_ID } from '../../support/peers/peers.ts'
import { until } from '../../support/until.ts'

const OTHER = 'http://10.0.0.9:5800'

const peersApi = async (t: TestContext) => {
  const wire = new FakePeerWire()
  const { app, fake } = await fakeApi(t, {}, { ports: [value(PEER_WIRE, wire)] })
  const send = async (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) => {
    const response = await app.inject({ method, url, headers: { host: 'localhost' }, ...(payload && { payload }) })
    return {
      status: response.statusCode,
      body: response.body === '' ? undefined : response.json(),
      headers: response.headers,
    }
  }
  const register = async (body: object): Promise<PeerRecord> => {
    const { status, body: record } = await send('POST', '/v1/peers', body)
    assert.equal(status, 201, JSON.stringify(record))
    return record
  }
  const shown = async (id: string): Promise<PeerRecord> => (await send('GET', `/v1/peers/${id}`)).body
  const state = (id: string, wanted: string) =>
    until(
      `${id} ${wanted}`,
      () => shown(id),
      ({ status }) => status === wanted,
    )
  const ids = async () => (await send('GET', '/v1/peers')).body.items.map(({ id }: PeerRecord) => id)
  return { wire, fake, send, register, shown, state, ids }
}

test('a device that greets is registered under its name, and linked', async (t) => {
  const { wire, send, state, ids } = await peersApi(t)
  nativeDevice(wire)

  const { status, headers, body } = await send('POST', '/v1/peers', { base_url: `${ORIGIN}/v1/` })

  assert.deepEqual([status, headers.location], [201, '/v1/peers/back'])
  assert.deepEqual(
    [body.id, body.device_id, body.name, body.base_url, body.integration, body.revision],
    ['back', DEVICE_ID, 'Back', ORIGIN, 'native', 1],
  )
  const linked = await state('back', 'linked')
  assert.equal(linked.streams[0]?.id, 'front')
  assert.deepEqual(await ids(), ['back'])
})

const greetings = ({ requests }: { readonly requests: readonly { readonly path: string }[] }) =>
  requests.filter(({ path }) => path === HELLO_PATH).length

test('a device whose own name cannot be read, or that has none, is called by its address', async (t) => {
  for (const name of ['', ' ', '\u202ekcaB', 'Back\nlinked']) {
    const { wire, register, state } = await peersApi(t)
    const native = nativeDevice(wire)
    native.hello = { ...native.hello, name }

    const registered = await register({ base_url: ORIGIN })
    const linked = await state(registered.id, 'linked')

    assert.deepEqual([registered.name, linked.name], [ORIGIN, ORIGIN], JSON.stringify(name))
  }
})

test('the answer to a registration says what the greeting has told, and nobody asks for that again', async (t) => {
  const { wire, fake, register, state } = await peersApi(t)
  const { device } = nativeDevice(wire)

  const record = await register({ base_url: ORIGIN })

  assert.deepEqual(
    [record.device_id, record.integration, record.protocol_version, record.api_base, record.ws_base],
    [DEVICE_ID, 'native', '1.0', ORIGIN, 'wss://10.12.34.11:5801'],
  )
  assert.ok(record.capabilities.length > 3)
  assert.equal(record.health.last_seen_ms, fake.directory.clock.nowMs())
  assert.ok(!['legacy', 'refused', 'offline'].includes(record.status), record.status)
  await state('back', 'linked')
  assert.equal(greetings(device), 1)
})

test('a device of another kind is said to be legacy at once, and is not asked again', async (t) => {
  const { wire, register, state } = await peersApi(t)
  const device = wire.add(ORIGIN)

  const record = await register({ base_url: ORIGIN, name: 'Old' })

  assert.deepEqual([record.integration, record.device_id, record.protocol_version], ['legacy', null, null])
  await state('old', 'legacy')
  assert.equal(greetings(device), 1)
})

test('what is said to be native and has no greeting is legacy all the same, and native once it greets', async (t) => {
  const { wire, send, register, shown, state } = await peersApi(t)
  wire.add(ORIGIN)

  const record = await register({ base_url: ORIGIN, name: 'Old', integration: 'native' })
  await state('old', 'legacy')
  const refused = await send('GET', '/v1/peers/old/streams/front/frame')
  const again = await shown('old')
  nativeDevice(wire)
  const updated = await register({ base_url: ORIGIN })
  await state('old', 'linked')

  assert.deepEqual([record.integration, record.fault], ['legacy', null])
  assert.deepEqual([again.integration, again.fault], ['legacy', null])
  assert.deepEqual([refused.status, refused.body.code], [400, 'peer.not_native'])
  assert.equal(updated.integration, 'native')
})

test('a peer whose link waits for its next attempt is linked as soon as it is registered again', async (t) => {
  const { wire, register, state } = await peersApi(t)
  const { device } = nativeDevice(wire)
  const { welcome } = device
  device.welcome = () => ({ code: 'peer.refuses_us', detail: 'not you' })
  await register({ base_url: ORIGIN })
  await state('back', 'refused')
  device.welcome = welcome
  const before = greetings(device)

  const again = await register({ base_url: ORIGIN })
  await state('back', 'linked')

  assert.deepEqual([again.revision, greetings(device) - before], [1, 1])
})

test('a device that moves is known by its new greeting at once', async (t) => {
  const { wire, register, state } = await peersApi(t)
  nativeDevice(wire)
  const moved = nativeDevice(wire, OTHER)
  moved.hello = { ...moved.hello, protocol_version: '1.0', capabilities: ['proxy_streams'] }
  await register({ base_url: ORIGIN })
  await state('back', 'linked')

  const record = await register({ base_url: OTHER })

  assert.deepEqual([record.base_url, record.capabilities], [OTHER, ['proxy_streams']])
  await state('back', 'linked')
  assert.equal(greetings(moved.device), 1)
})

test('a device that is registered many times at once, by its addresses, is one peer', async (t) => {
  const { wire, fake, register, ids, state } = await peersApi(t)
  const devices = [nativeDevice(wire), nativeDevice(wire, OTHER)]
  const away = 'http://10.0.0.8:5800'
  const disk = Promise.withResolvers<void>()
  fake.documents.disk = Effect.promise(() => disk.promise)
  const bases = [ORIGIN, OTHER, ORIGIN, OTHER, ORIGIN, away, away]

  const registered = Promise.all(
    bases.map((base_url, n) => register({ base_url, token: `token-${n}`, name: `Name ${n}` })),
  )
  const greeted = () => devices.reduce((sum, { device }) => sum + greetings(device), 0)
  await until('all greetings, while the first is being stored', () => greeted() === 5)
  disk.resolve()
  const records = await registered

  const [native, , , , , first, second] = records.map(({ id }) => id)
  assert.deepEqual(
    records.map(({ id }) => id),
    [...Array(5).fill(native), first, first],
  )
  assert.notEqual(native, second)
  assert.equal((await ids()).length, 2)
  await state(native as string, 'linked')
})

test('a registration that is not stored leaves the previous token, and a later one removes its rest', async (t) => {
  const { wire, fake, send, register, shown } = await peersApi(t)
  nativeDevice(wire)
  await register({ base_url: ORIGIN, token: 'first' })
  const tokenOf = () => fake.resolve(PEER_REGISTRY).get('back')?.address.token
  const secrets = fake.resolve(PEER_SECRETS)

  fake.documents.fault = { code: 'storage.full', detail: 'the disk is full' }
  const refused = await send('POST', '/v1/peers', { base_url: ORIGIN, token: 'second' })
  fake.documents.fault = null

  assert.deepEqual([refused.status, tokenOf(), (await shown('back')).has_token], [507, 'first', true])
  await register({ base_url: ORIGIN, token: 'third' })
  assert.deepEqual(
    [1, 2, 3].map((version) => secrets.get('back', version)),
    [null, 'third', null],
  )
  await register({ base_url: ORIGIN, fingerprint: 'ab'.repeat(32) })
  assert.deepEqual([tokenOf(), secrets.get('back', 2)], [null, null])
})

test('a request that is repeated under its key registers once', async (t) => {
  const { wire, fake, send } = await peersApi(t)
  nativeDevice(wire)
  const body = { base_url: ORIGIN, request_id: 'one', token: 'a-token' }

  const first = await send('POST', '/v1/peers', body)
  const again = await send('POST', '/v1/peers', body)

  assert.deepEqual([first.status, again.status, again.headers['idempotent-replayed']], [201, 201, 'true'])
  assert.deepEqual(again.body.id, first.body.id)
  assert.ok(fake.documents.requests.get('one')?.written, 'the mark is kept with what was written')
})

test('the same device is one peer, by its address or by its id, changed where the body says so', async (t) => {
  const { wire, register, state, shown, ids } = await peersApi(t)
  const native = nativeDevice(wire)
  nativeDevice(wire, OTHER)
  await register({ base_url: ORIGIN })
  await state('back', 'linked')

  const again = await register({ base_url: ORIGIN })
  const renamed = await register({ base_url: ORIGIN, name: 'Rear' })
  const moved = await register({ base_url: OTHER })

  assert.deepEqual([again.id, renamed.id, moved.id], ['back', 'back', 'back'])
  assert.deepEqual([renamed.name, moved.name, moved.base_url], ['Rear', 'Rear', OTHER])
  assert.deepEqual(await ids(), ['back'])
  await until('the end of the first link', () => native.device.sockets.length === 0)
  await state('back', 'linked')
  assert.equal((await shown('back')).device_id, DEVICE_ID)
})

test('a device that claims the id of a peer with another certificate changes nothing and gets no token', async (t) => {
  const { wire, register, send, state, shown } = await peersApi(t)
  const [own, its] = ['ab'.repeat(32), 'cd'.repeat(32)]
  const secure = 'https://10.12.34.12:5801'
  const liar = nativeDevice(wire, secure).device
  const honest = liar.answer
  const targets: PeerTarget[] = []
  liar.answer = (request, target) => {
    targets.push(target)
    if (target.fingerprint !== its) return { code: 'peer.wrong_certificate', detail: 'another one' }
    return honest(request, target)
  }
  nativeDevice(wire)
  await register({ base_url: ORIGIN, fingerprint: own, token: 'a-token-of-back' })
  await state('back', 'linked')

  const { status, body } = await send('POST', '/v1/peers', { base_url: secure, fingerprint: its })

  assert.deepEqual([status, body.code, body.errors?.[0]?.pointer], [400, 'body.invalid', '/base_url'])
  const { base_url, fingerprint, has_token } = await shown('back')
  assert.deepEqual([base_url, fingerprint, has_token], [ORIGIN, own, true])
  assert.deepEqual([...new Set(targets.map(({ token }) => token))], [null])
})

test('a token without a fingerprint is bound to the certificate that the registration meets', async (t) => {
  const { wire, register, state } = await peersApi(t)
  const met = 'ab'.repeat(32)
  const { device } = nativeDevice(wire)
  device.fingerprint = met
  const honest = device.answer
  const targets: PeerTarget[] = []
  device.answer = (request, target) => {
    targets.push(target)
    return honest(request, target)
  }

  const record = await register({ base_url: ORIGIN, token: 'a-token-of-back' })
  device.fingerprint = 'cd'.repeat(32) // whoever answers there by now
  await state('back', 'linked')
  const again = await register({ base_url: ORIGIN })

  assert.deepEqual([record.fingerprint, again.fingerprint, again.has_token], [met, met, true])
  const told = new Set(targets.map(({ fingerprint, token }) => `${fingerprint} ${token}`))
  assert.deepEqual([...told], [`${met} a-token-of-back`])
})

test('of a device that is away no certificate is met, and none is looked for without a token', async (t) => {
  const { wire, register } = await peersApi(t)

  const away = await register({ base_url: 'https://10.12.34.99:5801', token: 'a-token' })
  nativeDevice(wire)
  const { fingerprint } = await register({ base_url: ORIGIN })

  assert.deepEqual([away.fingerprint, fingerprint], [null, null])
})

test('a token does not go to a device with another certificate that replaces a registered one', async (t) => {
  const { wire, register, state } = await peersApi(t)
  const [first, second] = ['ab'.repeat(32), 'cd'.repeat(32)]
  const { device } = nativeDevice(wire)
  const honest = device.answer
  const told: (string | null)[] = []
  device.answer = (request, target) => {
    if (target.fingerprint === second) told.push(target.token)
    return honest(request, target)
  }
  await register({ base_url: ORIGIN, fingerprint: first, token: 'a-token-of-back' })
  await state('back', 'linked')

  const swapped = await register({ base_url: ORIGIN, fingerprint: second })
  await until('a greeting of the second', () => told.length > 1)

  assert.deepEqual([swapped.id, swapped.has_token, [...new Set(told)]], ['back', false, [null]])
})

test('a device that is away is registered, and known when it comes', async (t) => {
  const { wire, register, state } = await peersApi(t)

  const away = await register({ base_url: 'http://10.0.0.8:5800', name: 'Turret' })
  const offline = await state('turret', 'offline')
  nativeDevice(wire, 'http://10.0.0.8:5800')
  const back = await state('turret', 'linked')

  assert.deepEqual([away.id, away.device_id, away.integration, away.streams], ['turret', null, null, []])
  assert.deepEqual([offline.fault?.code, offline.stale, offline.synced_at_ms], ['peer.unreachable', true, null])
  assert.deepEqual([back.device_id, back.integration, back.stale], [DEVICE_ID, 'native', false])
})

test('a device of another kind is legacy, and one that was registered as another kind is not greeted', async (t) => {
  const { wire, register, state } = await peersApi(t)
  const device = wire.add(ORIGIN)
  const other = wire.add(OTHER)
  const tokens: (string | null)[] = []
  other.answer = (_, { token }) => {
    tokens.push(token)
    return { ...jsonAnswer(302, {}), headers: { location: 'http://login.example/' } }
  }
  const streams = [{ name: 'Front', url: 'http://10.0.0.9:1181/stream.mjpg' }]

  const old = await register({ base_url: ORIGIN, name: 'Old' })
  const vision = await register({ base_url: `${OTHER}/some/path`, integration: 'extvision', streams, token: 'a-token' })

  await state('old', 'legacy')
  assert.equal(old.device_id, null)
  assert.equal((await state('old', 'legacy')).integration, 'legacy')
  assert.deepEqual([vision.status, vision.integration, vision.url_streams], ['legacy', 'extvision', streams])
  assert.equal(vision.base_url, `${OTHER}/some/path`)
  assert.ok(device.requests.length > 0)
  assert.deepEqual(
    other.requests.map(({ path }) => path),
    [HELLO_PATH],
    'asked once, since it might be this device itself, and without the token',
  )
  assert.deepEqual([...new Set(tokens)], [null])
})

test('what cannot be used is refused, with the field named, and nothing is registered', async (t) => {
  const { wire, fake, send, ids } = await peersApi(t)
  const redirecting = 'http://10.0.0.7:5800'
  wire.add(redirecting).answer = () => ({ ...jsonAnswer(307, {}), headers: { location: 'http://10.0.0.8/' } })
  const pinned = 'https://10.0.0.6:5801'
  wire.add(pinned).answer = () => ({ code: 'peer.wrong_certificate', detail: 'another one' })
  wire.add(OTHER)
  const self = 'https://10.0.0.5:5801'
  wire.add(self).answer = () => ({ code: 'peer.self', detail: `${self} leads to this device itself` })

  const cases: readonly (readonly [object, code: string, pointer: string])[] = [
    [{}, 'body.invalid', '/base_url'],
    [{ base_url: 'camera' }, 'body.invalid', '/base_url'],
    [{ base_url: 'ftp://10.0.0.9' }, 'body.invalid', '/base_url'],
    [{ base_url: 'http://me:secret@10.0.0.9' }, 'body.invalid', '/base_url'],
    [{ base_url: 'http://10.0.0.9/path' }, 'body.invalid', '/base_url'],
    [{ base_url: 'http://10.0.0.9/?query' }, 'body.invalid', '/base_url'],
    [{ base_url: redirecting }, 'body.invalid', '/base_url'],
    [{ base_url: pinned, fingerprint: 'f'.repeat(64) }, 'body.invalid', '/base_url'],
    [{ base_url: OTHER, fingerprint: 'F'.repeat(64) }, 'body.invalid', '/fingerprint'],
    [{ base_url: OTHER, fingerprint: 'f'.repeat(64) }, 'body.invalid', '/fingerprint'],
    [{ base_url: OTHER, token: '' }, 'body.invalid', '/token'],
    [{ base_url: OTHER, integration: 'custom', streams: [{ url: 'nonsense' }] }, 'body.invalid', '/streams/0/url'],
    ...['rtsp://me:secret@10.0.0.9/1', 'file:///etc/passwd', 'http://10.0.0.9/video?...'].map(
      (url) =>
        [{ base_url: OTHER, integration: 'custom', streams: [{ url }] }, 'body.invalid', '/streams/0/url'] as const,
    ),
    [{ base_url: self }, 'peer.self', '/base_url'],
    ...['legacy', 'extvision', 'custom'].map(
      (integration) => [{ base_url: `${self}/path`, integration }, 'peer.self', '/base_url'] as const,
    ),
    [{ base_url: pinned, fingerprint: 'f'.repeat(64), integration: 'custom' }, 'body.invalid', '/base_url'],
  ]
  for (const [body, code, pointer] of cases) {
    const { status, body: problem } = await send('POST', '/v1/peers', body)
    assert.deepEqual(
      [status, problem.code, problem.errors?.[0]?.pointer],
      [400, code, pointer],
      JSON.stringify(problem),
    )
    assert.ok(!JSON.stringify(problem).includes('secret'))
  }
  assert.deepEqual(await ids(), [])
  const history = errorsOf(fake.directory.errors).map((error) => ({ code: error.code, count: error.count }))
  assert.deepEqual(history, [{ code: 'peer.wrong_certificate', count: 2 }], 'a wrong certificate may be an attack')
})

test('of the address of a stream is not shown what stands behind ? in it', async (t) => {
  const { register, send, ids } = await peersApi(t)
  const streams = [{ url: 'http://10.0.0.9/video?key=secret' }]

  const { url_streams, id } = await register({ base_url: OTHER, integration: 'custom', streams })

  assert.deepEqual(url_streams, [{ url: 'http://10.0.0.9/video?...' }])
  assert.ok(!JSON.stringify([await send('GET', '/v1/peers'), await send('GET', `/v1/peers/${id}`)]).includes('secret'))
  assert.deepEqual(await ids(), [id])
})

test('a token is kept, used and never shown', async (t) => {
  const { wire, fake, send, register, state } = await peersApi(t)
  const native = nativeDevice(wire)
  const tokens: (string | null)[] = []
  const { answer } = native.device
  native.device.answer = (request, target) => {
    tokens.push(target.token)
    return answer(request, target)
  }
  const told: unknown[] = []
  fake.directory.events.subscribe((event) => told.push(event))

  const record = await register({ base_url: ORIGIN, token: 'secret-token-of-a-peer' })
  await state('back', 'linked')
  const all = await send('GET', '/v1/peers')
  await register({ base_url: ORIGIN, token: 'another-secret' })
  await until('the other token', () => tokens.includes('another-secret'))

  assert.equal(record.has_token, true)
  assert.equal(tokens[0], 'secret-token-of-a-peer')
  const { documents } = fake.directory.settings.getSnapshot().context
  for (const seen of [record, all.body, told, documents, fake.lines])
    assert.ok(!/secret/.test(JSON.stringify(seen)), JSON.stringify(seen))
  await send('DELETE', '/v1/peers/back')
  assert.equal(fake.resolve(PEER_SECRETS).get('back', 2), null)
})

test('a device that is deleted is gone at once, with all that was open', async (t) => {
  const { wire, fake, send, register, state, ids } = await peersApi(t)
  const { device } = nativeDevice(wire)
  await register({ base_url: ORIGIN })
  await state('back', 'linked')

  const deleted = await send('DELETE', '/v1/peers/back')

  assert.deepEqual([deleted.status, deleted.body.id], [200, 'back'])
  await until('the end of the socket', () => device.sockets.length === 0)
  assert.deepEqual(await ids(), [])
  assert.equal(fake.resolve(PEER_REGISTRY).get('back'), undefined)
  assert.equal((await send('GET', '/v1/peers/back')).status, 404)
  assert.equal((await send('DELETE', '/v1/peers/back')).status, 404)
})

test('paths of other things are no ids', async (t) => {
  const { wire, register } = await peersApi(t)
  nativeDevice(wire)

  assert.equal((await register({ base_url: ORIGIN, name: 'Trust' })).id, 'trust-2')
})

test('a change there is seen here: the event at once, and then the record', async (t) => {
  const { wire, fake, register, state, shown } = await peersApi(t)
  const native = nativeDevice(wire)
  await register({ base_url: ORIGIN })
  await state('back', 'linked')
  const told: object[] = []
  fake.directory.events.subscribe(({ kind, resource_ref }) => told.push({ kind, resource_ref }))

  native.inventory = inventoryOf({ seq: 1, streams: [] })
  native.tell('stream_changed', { stream_id: 'front' }, { revision: 4, data: { deleted: true } })

  assert.deepEqual(told, [{ kind: 'stream_changed', resource_ref: { stream_id: 'front', peer_id: 'back' } }])
  await until(
    'the record',
    () => shown('back'),
    ({ streams }) => streams.length === 0,
  )
  assert.deepEqual(told[1], { kind: 'peer_inventory', resource_ref: { peer_id: 'back' } })
})

test('two devices are two peers', async (t) => {
  const { wire, register, state, ids } = await peersApi(t)
  nativeDevice(wire)
  nativeDevice(wire, OTHER, OTHER_ID)

  await register({ base_url: ORIGIN })
  await register({ base_url: OTHER })

  await state('back', 'linked')
  await state('back-2', 'linked')
  assert.deepEqual(await ids(), ['back', 'back-2'])
})
