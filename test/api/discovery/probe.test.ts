// Looking at addresses over HTTP.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { FakeLooks } from '../../../native/discovery/fake-looks.ts'
import { socketLooks } from '../../../native/discovery/looks.ts'
import { PEER_LOOKS } from '../../../native/discovery/port.ts'
import { value } from '../../../supervisors/composition/container.ts'
import { type ApiChanges, fakeApi } from '../../support/api/api.ts'
import { httpStranger } from '../../support/peers/strangers.ts'

const probing = async (t: TestContext, changes: ApiChanges = {}, looks = new FakeLooks()) => {
  const { app } = await fakeApi(t, changes, { ports: [value(PEER_LOOKS, looks)] })
  const probe = async (base_url: unknown, headers: object = {}) => {
    const url = '/v1/peers/probe'
    const answer = await app.inject({
      method: 'POST',
      url,
      headers: { host: 'localhost', ...headers },
      payload: { base_url },
    })
    return { status: answer.statusCode, headers: answer.headers, body: answer.json() }
  }
  return { looks, probe }
}

const hello = {
  device_id: '0d0c2a5e-9c1b-4a52-8c0f-3f2b7c1d9e10',
  protocol_version: '1.3',
  capabilities: ['proxy_streams', 'something_newer'],
}

test('what is there is shown with what the two devices could do together', async (t) => {
  const device = await httpStranger(t, (_, response) => void response.end(JSON.stringify(hello)))
  const patient = { connectMs: 60_000, helloMs: 60_000, allMs: 60_000 }
  const { probe } = await probing(t, {}, socketLooks(undefined, patient) as FakeLooks)

  const { status, body } = await probe(`${device.at.origin}/v1`)

  assert.equal(status, 200)
  const agreement = { protocol_version: '1.0', capabilities: ['proxy_streams'] }
  assert.deepEqual(body, {
    base_url: device.at.origin,
    kind: 'native',
    fingerprint: null,
    fault: null,
    hello: { ...hello, agreement },
  })
})

test('a device of another major version is native, without an agreement', async (t) => {
  const { looks, probe } = await probing(t)
  const other = { ...hello, protocol_version: '2.0' }
  looks.there.set('http://10.12.34.12:5800', { kind: 'native', hello: other, fingerprint: null, fault: null })

  const { body } = await probe('http://10.12.34.12:5800')

  assert.deepEqual([body.kind, body.hello.agreement], ['native', null])
})

test('that nobody answers is an answer', async (t) => {
  const { probe } = await probing(t)

  const { status, body } = await probe('http://10.12.34.99:5800')

  assert.deepEqual([status, body.kind, body.hello, body.fault.code], [200, null, null, 'peer.unreachable'])
})

test('what is no address is refused with its place', async (t) => {
  const { looks, probe } = await probing(t)

  for (const wrong of ['10.12.34.12', 'ftp://10.12.34.12', 'http://a:b@10.12.34.12', 'http://10.12.34.12/x', '', 7]) {
    const { status, body } = await probe(wrong)
    assert.deepEqual([status, body.code, body.errors[0].pointer], [400, 'body.invalid', '/base_url'], String(wrong))
  }
  assert.deepEqual(looks.looks, [])
})

test('an address outside of private networks takes an administrator', async (t) => {
  const { probe } = await probing(t, { profile: 'field', verifyToken: (token) => token === 'good' })
  const signed = { authorization: 'Bearer good' }

  for (const host of ['8.8.8.8', '[2001:4860:4860::8888]', '0.0.0.0', '134744072']) {
    const refused = await probe(`http://${host}:5800`)
    assert.deepEqual([refused.status, refused.body.code], [401, 'token.required'], host)
    assert.equal((await probe(`http://${host}:5800`, signed)).status, 200, host)
  }
  for (const host of ['10.12.34.2', '127.0.0.1', '[fe80::1]', '0x7f.1'])
    assert.equal((await probe(`http://${host}:5800`)).status, 200, host)
})
