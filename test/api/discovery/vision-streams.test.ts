// The streams of the other vision product over HTTP.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { streamAtPort } from '../../../machines/discovery/vision-streams.ts'
import { FakeLooks } from '../../../native/discovery/fake-looks.ts'
import { PEER_LOOKS } from '../../../native/discovery/port.ts'
import { value } from '../../../supervisors/composition/container.ts'
import { type ApiChanges, fakeApi } from '../../support/api/api.ts'

const asking = async (t: TestContext, changes: ApiChanges = {}) => {
  const looks = new FakeLooks()
  const { app } = await fakeApi(t, changes, { ports: [value(PEER_LOOKS, looks)] })
  const ask = async (payload: object) => {
    const url = '/v1/peers/integrations/extvision/streams'
    const answer = await app.inject({ method: 'POST', url, headers: { host: 'localhost' }, payload })
    return { status: answer.statusCode, body: answer.json() }
  }
  return { looks, ask }
}

test('by host or by address the same streams are found', async (t) => {
  const { looks, ask } = await asking(t)
  const stream = streamAtPort('10.1.2.11', 1182)
  const nothing = { product_version: null, hostname: null, fault: null }
  const seen = { ...nothing, is_extvision: true, method: 'ports', streams: [stream] } as const
  looks.visions.set('http://10.1.2.11:5800', seen)

  for (const body of [{ host: '10.1.2.11' }, { host: '10.1.2.11', port: 5800 }, { base_url: 'http://10.1.2.11:5800/' }])
    assert.deepEqual(await ask(body), { status: 200, body: { base_url: 'http://10.1.2.11:5800', ...seen } })
})

test('that nothing is there is an answer', async (t) => {
  const { ask } = await asking(t)

  const { status, body } = await ask({ host: 'photonvision.local' })

  assert.deepEqual([status, body.streams, body.fault.code], [200, [], 'peer.unreachable'])
})

test('what cannot be asked is refused with its place', async (t) => {
  const { ask } = await asking(t)
  const pointers: readonly (readonly [object, string])[] = [
    [{}, '/host'],
    [{ port: 5800 }, '/host'],
    [{ host: 'a b' }, '/host'],
    [{ host: '10.1.2.11:5800' }, '/host'],
    [{ host: '10.1.2.11', port: 0 }, '/port'],
    [{ host: '10.1.2.11', port: 65_536 }, '/port'],
    ...['a.123', 'fe80::1%eth0', '::::', 'me:secret@front', 'front/x'].map((host) => [{ host }, '/host'] as const),
    [{ base_url: 'https://10.1.2.11' }, '/base_url'],
    [{ base_url: 'http://a:b@10.1.2.11' }, '/base_url'],
    [{ base_url: 'http://10.1.2.11', host: '10.1.2.11' }, '/host'],
    [{ base_url: 'http://10.1.2.11', port: 5800 }, '/port'],
  ]

  for (const [body, pointer] of pointers) {
    const answer = await ask(body)
    assert.deepEqual([answer.status, answer.body.errors?.[0].pointer], [400, pointer], JSON.stringify(body))
  }
})

test('an address outside of private networks takes an administrator', async (t) => {
  const { ask } = await asking(t, { profile: 'field' })

  assert.equal((await ask({ host: '8.8.8.8' })).status, 401)
})
