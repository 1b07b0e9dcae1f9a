// Devices that are trusted by a token: what it opens, where it counts, and how it ends.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { View } from '../../../api/endpoints/resource.ts'
import { orderExample } from '../../../api/trust/wire.ts'
import { errorsOf } from '../../../machines/errors/history.ts'
import type { Profile } from '../../../machines/http/access.ts'
import { assertProblem } from '../../support/api/api.ts'
import { ownIdentity } from '../../support/peers/identity.ts'
import { type PeerApi, peerApi } from '../../support/peers/peer-api.ts'
import { OTHER_ID } from '../../support/peers/peers.ts'

const AWAY = '10.12.34.9'
const PEERS = '/v1/peers/trust'
const ADMIN = 'good-token'

type Created = View<{ name: string; expires_at_ms: number | null }, { by: string; state: string }> & { token: string }

/** A device that trusts others by token. */
const lab = async (t: TestContext, profile: Profile = 'locked') => {
  const api = await peerApi(t, profile)
  const trust = async (order: object = { name: 'Back camera' }): Promise<Created> => {
    const { status, body } = await api.send('POST', PEERS, { token: ADMIN, payload: order })
    assert.equal(status, 201, body)
    return JSON.parse(body) as Created
  }
  return { ...api, trust }
}

const recorded = ({ fake }: PeerApi) => errorsOf(fake.directory.errors).map(({ code, count }) => ({ code, count }))

test('a token is told once, and kept as a hash', async (t) => {
  const api = await lab(t)
  const told: unknown[] = []
  t.after(api.fake.directory.events.subscribe((event) => told.push(event)))

  const { token, id, spec, status } = await api.trust()

  assert.match(token, /^[\w-]{43}$/)
  assert.deepEqual([spec.name, status.by, status.state], ['Back camera', 'token', 'trusted'])
  const list = await api.send('GET', PEERS, { token: ADMIN })
  const one = await api.send('GET', `${PEERS}/${id}`, { token: ADMIN })
  await api.send('GET', '/v1/interdevice/ping', { token })
  await api.send('GET', '/v1/interdevice/ping', { token: `${token}x` })
  const { commits } = api.fake.documents
  const errors = errorsOf(api.fake.directory.errors)
  for (const place of [list.body, one.body, told, commits, api.fake.lines, errors])
    assert.ok(!JSON.stringify(place).includes(token))
  for (const place of [list.body, one.body, told, api.fake.lines, errors])
    assert.ok(!/hash/.test(JSON.stringify(place)), JSON.stringify(place))
  assert.equal(JSON.parse(one.body).id, id)
})

test('a device is called by what can be seen: its name stands in the error history and on pages', async (t) => {
  const { send } = await lab(t)

  for (const name of ['\u202eBack', 'Back\n127.0.0.1 was refused', ' Back', '\u200b']) {
    const answer = await send('POST', PEERS, { token: ADMIN, payload: { name } })
    assert.equal(assertProblem(answer, 'body.invalid').errors?.[0]?.pointer, '/name', JSON.stringify(name))
  }
})

test('it opens what is meant for devices and nothing else, in every profile', async (t) => {
  for (const profile of ['bench', 'field', 'locked'] as const) {
    const api = await lab(t, profile)
    const { token, id } = await api.trust()
    const ask = (method: 'GET' | 'POST' | 'DELETE', path: string) => api.send(method, path, { token })

    assert.deepEqual(JSON.parse((await ask('GET', '/v1/interdevice/ping')).body), { peer: { id, name: 'Back camera' } })
    assert.equal((await ask('GET', '/v1/interdevice/hello')).status, 200)
    const { detail } = assertProblem(await ask('GET', '/v1/streams'), 'trust.not_here')
    for (const path of ['/v1/health', '/openapi.json', '/v1/nothing', PEERS])
      assertProblem(await ask('GET', path), 'trust.not_here')
    assertProblem(await ask('DELETE', `${PEERS}/${id}`), 'trust.not_here')
    const { identified_by, may } = JSON.parse((await ask('GET', '/v1/session')).body)

    assert.match(detail, new RegExp(`^Back camera \\(${id}\\) .*/v1/interdevice`))
    assert.deepEqual([identified_by, may], ['peer', ['peer']])
    assert.deepEqual(recorded(api), [{ code: 'trust.not_here', count: 1 }], 'the others follow with the next second')
  }
})

test('what a newer device may ask for and this one does not have is not there, and that is all', async (t) => {
  const api = await lab(t)
  const { token } = await api.trust()

  for (const path of ['/v1/interdevice/of-a-newer-version', '/v1/interdevice/streams/front/newer'])
    assertProblem(await api.send('GET', path, { token }), 'route.not_found')
  assertProblem(await api.send('DELETE', '/v1/interdevice/ping', { token }), 'method.not_allowed')
  assertProblem(await api.send('GET', '/v1/interdevice/of-a-newer-version'), 'token.required')
})

test('endpoints for devices are for trusted ones and administrators; on the bench for everybody', async (t) => {
  for (const profile of ['bench', 'field', 'locked'] as const) {
    const api = await peerApi(t, profile)
    const ping = (token?: string) => api.send('GET', '/v1/interdevice/ping', token === undefined ? {} : { token })

    if (profile === 'bench') assert.deepEqual(JSON.parse((await ping()).body), { peer: null })
    else assertProblem(await ping(), 'token.required')
    assert.deepEqual(JSON.parse((await ping(ADMIN)).body), { peer: null })
    const refused = await ping('wrong')
    assertProblem(refused, 'token.invalid')
    assert.equal(refused.headers.connection, 'close')
  }
})

test('a token that came where anybody can read it counts for nothing, and that is told', async (t) => {
  const api = await lab(t)
  const { token } = await api.trust()

  const refused = await api.send('GET', '/v1/interdevice/ping', { token, remoteAddress: AWAY })

  const { detail } = assertProblem(refused, 'token.in_the_clear')
  assert.ok(!detail.includes(token))
  assert.equal(refused.headers.connection, 'close')
  assertProblem(await api.send('GET', '/v1/health', { token, remoteAddress: AWAY }), 'token.in_the_clear')
  assert.equal((await api.send('GET', '/v1/interdevice/ping', { token, remoteAddress: '::1' })).status, 200)
  assert.deepEqual(recorded(api), [{ code: 'token.in_the_clear', count: 1 }])
  const [entry] = errorsOf(api.fake.directory.errors)
  assert.match(entry?.detail ?? '', /^10\.12\.34\.9 was refused: the token of Back camera/)
})

test('a token that was revoked is a wrong one, and one that ran out says so', async (t) => {
  const api = await lab(t)
  const ends = api.fake.clock.nowMs() + 1_000
  const [first, second] = [await api.trust(), await api.trust({ name: 'For a second', expires_at_ms: ends })]
  const ping = ({ token }: Created) => api.send('GET', '/v1/interdevice/ping', { token })
  const stateOf = async ({ id }: Created) =>
    JSON.parse((await api.send('GET', `${PEERS}/${id}`, { token: ADMIN })).body).status.state

  assert.equal((await api.send('DELETE', `${PEERS}/${first.id}`, { token: ADMIN })).status, 204)
  assert.equal(await stateOf(second), 'trusted')
  api.fake.clock.advanceMs(1_000)

  assertProblem(await ping(first), 'token.invalid')
  assertProblem(await ping(second), 'trust.expired')
  assert.equal(await stateOf(second), 'expired')
  assert.deepEqual(recorded(api), [
    { code: 'trust.expired', count: 1 },
    { code: 'token.invalid', count: 1 },
  ])
})

test('who tries again and again is entered once a second, and counted', async (t) => {
  const api = await lab(t)
  const guess = () => api.send('GET', '/v1/interdevice/ping', { token: 'wrong' })

  for (let n = 0; n < 5; n += 1) await guess()
  assert.deepEqual(recorded(api), [{ code: 'token.invalid', count: 1 }])
  api.fake.clock.advanceMs(1_000)
  await guess()

  assert.deepEqual(recorded(api), [{ code: 'token.invalid', count: 6 }])
})

test('two devices may choose one request_id, and each is carried out', async (t) => {
  const api = await lab(t)
  const [first, second] = [await api.trust({ name: 'First' }), await api.trust({ name: 'Second' })]
  const order = async (token: string, length_m: number, key = 'a-1') => {
    const { status, body, headers } = await api.send('POST', '/v1/interdevice/robot', {
      token,
      payload: { length_m, request_id: key },
    })
    return [status, JSON.parse(body).peer ?? JSON.parse(body).code, headers['idempotent-replayed'] ?? 'false']
  }

  assert.deepEqual(await order(first.token, 0.8), [200, 'First', 'false'])
  assert.deepEqual(await order(second.token, 0.9), [200, 'Second', 'false'])
  assert.deepEqual(await order(first.token, 0.8), [200, 'First', 'true'])
  assert.deepEqual(await order(second.token, 0.8), [422, 'request_id.reused', 'false'])
  assert.deepEqual(await order(ADMIN, 0.7), [200, 'nobody', 'false'])
  const { body } = await api.send('POST', '/v1/interdevice/robot', {
    token: ADMIN,
    payload: { length_m: 0.6, request_id: 'a-1' },
  })
  assert.match(JSON.parse(body).detail, /^the request_id a-1 was used/, 'it is told as it was sent')
})

test('an order sent again with a renewed token is carried out once, if both entries name the device', async (t) => {
  const api = await lab(t)
  const order = async ({ token }: Created) => {
    const payload = { length_m: 0.8, request_id: 'a-1' }
    const { headers } = await api.send('POST', '/v1/interdevice/robot', { token, payload })
    return headers['idempotent-replayed'] ?? 'false'
  }
  const renewed = async (device_id: string | null) => {
    const entry = { name: 'Back camera', ...(device_id !== null && { device_id }) }
    const before = await api.trust(entry)
    const once = await order(before)
    await api.send('DELETE', `${PEERS}/${before.id}`, { token: ADMIN })
    return [once, await order(await api.trust(entry))]
  }

  assert.deepEqual(await renewed(OTHER_ID), ['false', 'true'])
  assert.deepEqual(await renewed(null), ['false', 'false'])
})

test('a certificate is trusted once, not after its end, and not that of this device', async (t) => {
  const api = await lab(t)
  const refused = async (order: object) => (await api.send('POST', PEERS, { token: ADMIN, payload: order })).body
  const own = { name: 'Myself', fingerprint: ownIdentity(api.fake).fingerprint }

  const made = await api.trust(orderExample)

  assert.deepEqual([made.token, made.id], [null, `certificate-${orderExample.fingerprint?.slice(0, 16)}`])
  assert.equal(JSON.parse(await refused(orderExample)).code, 'document.exists')
  assert.match(JSON.parse(await refused(own)).detail, /\/fingerprint is that of this device itself/)
  const past = { name: 'Late', expires_at_ms: api.fake.clock.nowMs() }
  assert.match(JSON.parse(await refused(past)).detail, /\/expires_at_ms is not later than now/)
  for (const fingerprint of ['5F'.repeat(32), '5f'.repeat(31), 'token'])
    assert.equal(JSON.parse(await refused({ name: 'Odd', fingerprint })).code, 'body.invalid')
})

test('what was meant for another device is not done, whoever asks for it; who names this one is served', async (t) => {
  const api = await lab(t)
  const { token } = await api.trust()
  const { device_id } = ownIdentity(api.fake)
  const ask = (meant: string, by: string) =>
    api.send('POST', '/v1/interdevice/robot', {
      token: by,
      payload: { length_m: 0.8 },
      headers: { 'x-vedette-device': meant },
    })
  const before = api.fake.documents.commits.length

  const { detail } = assertProblem(await ask(OTHER_ID, token), 'peer.other_device')
  assertProblem(await ask(OTHER_ID, 'wrong'), 'peer.other_device')

  assert.ok(detail.includes(device_id))
  assert.equal(api.fake.documents.commits.length, before)
  assert.deepEqual(recorded(api), [], 'a token for another device is no attack')
  assert.equal((await ask(device_id, token)).status, 200)
})
