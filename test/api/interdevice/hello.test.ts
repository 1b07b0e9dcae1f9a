// The greeting of a device.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { area } from '../../../api/endpoints/endpoint.ts'
import { read } from '../../../api/endpoints/read.ts'
import { helloArea } from '../../../api/interdevice/hello.ts'
import { HOST_NAME } from '../../../machines/http/host-name.ts'
import { agreementWith, type Hello, PROTOCOL_VERSION } from '../../../machines/interdevice/hello.ts'
import { PEER_SERVER_NAME } from '../../../machines/interdevice/server-name.ts'
import Type from '../../../machines/schema/type.ts'
import { SUPERVISOR } from '../../../supervisors/composition/tokens.ts'
import { httpBranch } from '../../../supervisors/http/branch.ts'
import { fakeApi, listeningApi } from '../../support/api/api.ts'
import { rawRequest } from '../../support/api/raw-http.ts'
import { shakeHands } from '../../support/peers/certificates.ts'
import { ownIdentity } from '../../support/peers/identity.ts'
import { until } from '../../support/until.ts'

const PATH = '/v1/interdevice/hello'

test('a device says who it is, and where it is asked, in whatever profile', async (t) => {
  for (const profile of ['bench', 'field', 'locked'] as const) {
    const { app, fake } = await fakeApi(t, { profile })
    const { device_id, fingerprint } = ownIdentity(fake)
    const hello = async (host: string) =>
      (await app.inject({ url: PATH, headers: { host }, remoteAddress: '203.0.113.9' })).json<Hello>()

    const { name, api_base, ws_base, ...rest } = await hello('10.12.34.11:5800')

    assert.deepEqual([name, api_base, ws_base], ['vedette-7', 'http://10.12.34.11:5800', 'ws://10.12.34.11:5800'])
    assert.deepEqual([rest.device_id, rest.protocol_version], [device_id, PROTOCOL_VERSION])
    assert.equal(rest.fingerprint, null, 'there is no HTTPS')
    assert.equal(rest.client_fingerprint, fingerprint, 'who is to trust it finds here what to enter')
    assert.equal((await hello('vedette-7.local')).api_base, 'http://vedette-7.local')
    fake.resolve(HOST_NAME).set('front')
    assert.equal((await hello('[fd00::7]:80')).name, 'front')
  }
})

test('what a request names itself outdoes its Host header, here as everywhere', async (t) => {
  const { port } = await listeningApi(t)

  const { body } = await rawRequest(port, `GET http://vedette-7:5800${PATH} HTTP/1.1\r\nHost: evil.example\r\n\r\n`)

  assert.equal(JSON.parse(body).api_base, 'http://vedette-7:5800')
})

test('over TLS it is known by what is shown there', async (t) => {
  const anyPort = { host: '127.0.0.1', port: 0 }
  const { fake, url } = await listeningApi(t, {}, { options: { http: anyPort, tls: anyPort } })
  await fake.start(httpBranch)
  const address = () => fake.resolve(SUPERVISOR).actor('https')?.getSnapshot().context.address
  const { port } = await until('HTTPS', address)

  const { fingerprint } = (await (await fetch(url + PATH)).json()) as Hello

  const shown = await shakeHands(port, { servername: PEER_SERVER_NAME })
  assert.equal(shown.replaceAll(':', '').toLowerCase(), fingerprint)
})

test('it says that it can do what is served, and nothing else', async (t) => {
  const { fake } = await fakeApi(t)
  const params = { stream: Type.String() }
  const capabilitiesWith = async (...paths: readonly string[]) => {
    const rows = paths.map((path) =>
      read('GET', path as '/:stream', {
        params,
        summary: 'One',
        answer: params.stream,
        example: '',
        get: () => ({}),
      }),
    )
    const { app } = await fakeApi(t, { areas: () => [helloArea(fake.resolve, () => [area('own', 'More.', rows)])] })
    return (await app.inject({ url: PATH })).json<Hello>().capabilities
  }

  assert.deepEqual(await capabilitiesWith(), [])
  assert.deepEqual(await capabilitiesWith('/v1/interdevice/streams/:stream/preview', '/v1/interdevice/resources'), [
    'proxy_streams',
    'remote_localization_outputs',
  ])
  assert.deepEqual(await capabilitiesWith('/v1/interdevice/streams/:stream/commands'), [], 'that is another method')
})

test('devices with one major number understand each other, by what both know', () => {
  const heard = { device_id: '0d0c2a5e-9c1b-4a52-8c0f-3f2b7c1d9e10', capabilities: ['proxy_streams', 'dance'] }

  assert.deepEqual(agreementWith({ ...heard, protocol_version: '1.7' }), {
    protocol_version: '1.0',
    capabilities: ['proxy_streams'],
  })
  assert.equal(agreementWith({ ...heard, protocol_version: '2.0' }), undefined)
})
