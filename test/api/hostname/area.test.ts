// The name of the device over HTTP.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Profile } from '../../../machines/http/access.ts'
import { FakeHostname } from '../../../native/hostname/fake.ts'
import { HOSTNAME } from '../../../native/hostname/port.ts'
import { value } from '../../../supervisors/composition/container.ts'
import { fakeApi } from '../../support/api/api.ts'
import { until } from '../../support/until.ts'

const namedApi = async (t: TestContext, profile: Profile = 'bench') => {
  const port = new FakeHostname()
  const { app } = await fakeApi(t, { profile }, { ports: [value(HOSTNAME, port)] })
  const ask = async (method: 'GET' | 'POST', payload?: object, headers: Readonly<Record<string, string>> = {}) => {
    const { statusCode, body } = await app.inject({
      method,
      url: '/v1/device/hostname',
      headers: { host: 'localhost', ...headers },
      ...(payload && { payload }),
    })
    return { status: statusCode, body: body === '' ? undefined : JSON.parse(body) }
  }
  return { port, ask }
}

test('a new name is in force when the change is answered, in small letters', async (t) => {
  const { ask, port } = await namedApi(t)
  assert.deepEqual((await ask('GET')).body, { hostname: 'vedette-7' })

  assert.equal((await ask('POST', { hostname: 'Front-Camera' })).status, 204)

  assert.deepEqual((await ask('GET')).body, { hostname: 'front-camera' })
  assert.equal(port.name, 'front-camera')
})

test('the device is asked for under its new name, and under the old one no more', async (t) => {
  const { ask } = await namedApi(t)
  const statusAs = async (host: string) => (await ask('GET', undefined, { host })).status

  assert.deepEqual([await statusAs('vedette-7.local'), await statusAs('front')], [200, 421])
  await ask('POST', { hostname: 'front' })
  assert.deepEqual(
    [await statusAs('front'), await statusAs('front.local'), await statusAs('vedette-7')],
    [200, 200, 421],
  )
})

test('a name that no device can have is refused with a sentence', async (t) => {
  const { ask, port } = await namedApi(t)
  const refusal = async (hostname: unknown) => {
    const { status, body } = await ask('POST', { hostname })
    assert.deepEqual([status, body.code, body.errors[0].pointer], [400, 'body.invalid', '/hostname'])
    return body.detail as string
  }

  assert.match(await refusal('front camera'), /1 to 63 letters, digits and -/)
  assert.match(await refusal('-front'), /1 to 63 letters, digits and -/)
  assert.match(await refusal('x'.repeat(64)), /at most 63 characters/)
  assert.match(await refusal('LOCALHOST'), /every device calls itself localhost; choose another name/)
  assert.equal(port.name, 'vedette-7')
})

test('what the device does not let be done says why', async (t) => {
  const { ask, port } = await namedApi(t)
  port.fault = { code: 'device.failed', detail: 'this device cannot be called front: read-only file system' }

  const { status, body } = await ask('POST', { hostname: 'front' })

  assert.deepEqual([status, body.code, body.detail], [502, 'device.failed', port.fault.detail])
  const unknown = await until(
    'a name that is not known',
    () => ask('GET'),
    (answer) => answer.status === 502,
  )
  assert.equal(unknown.body.code, 'device.failed')
})

test('in field whoever operates may read the name, and administrators may change it', async (t) => {
  const { ask } = await namedApi(t, 'field')

  assert.equal((await ask('GET')).status, 200)
  assert.equal((await ask('POST', { hostname: 'front' })).body.code, 'token.required')
  assert.equal((await ask('POST', { hostname: 'front' }, { authorization: 'Bearer good-token' })).status, 204)
})
