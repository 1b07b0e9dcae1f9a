// Changing the manifest of a stream on its own device.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { StreamView } from '../../../api/stream/wire.ts'
import { fakeApi } from '../../support/api/api.ts'
import { until } from '../../support/until.ts'

const withStream = async (t: TestContext) => {
  const { app } = await fakeApi(t)
  const ask = async (method: 'GET' | 'POST' | 'PATCH', url: string, payload?: object) => {
    const response = await app.inject({ method, url, headers: { host: 'localhost' }, ...(payload && { payload }) })
    const { statusCode: status, headers, body } = response
    return { status, headers, body: body === '' ? undefined : response.json() }
  }
  await ask('POST', '/v1/streams', { id: 'front', source: { backend: 'synthetic', fps: 30 } })
  const change = (patch: object, more: object = {}) => ask('PATCH', '/v1/streams/front', { patch, ...more })
  const stream = async (): Promise<StreamView> => (await ask('GET', '/v1/streams/front')).body
  const stateIs = (wanted: string, isGood: (state: string) => boolean) =>
    until(`a stream that is ${wanted}`, stream, ({ status }) => isGood(status.state))
  return { change, stream, stateIs }
}

test('a stream gets another name and another rate, and keeps what is not said', async (t) => {
  const { change, stream } = await withStream(t)
  const { spec: before } = await stream()

  const answer = await change({ alias: 'Bow', source: { fps: 60 } })

  const { spec, revision } = await stream()
  assert.deepEqual([answer.status, answer.headers.etag, revision], [204, '"2"', 2])
  assert.deepEqual(spec, { ...before, alias: 'Bow', source: { ...before.source, fps: 60 } })
})

test('a stream is switched off and on again', async (t) => {
  const { change, stateIs } = await withStream(t)

  await change({ enabled: false })
  await stateIs('disabled', (state) => state === 'disabled')
  await change({ enabled: true })
  await stateIs('not disabled', (state) => state !== 'disabled')
})

test('a change that is based on an older revision is refused, and so is one that makes no sense', async (t) => {
  const { change, stream } = await withStream(t)
  await change({ alias: 'Bow' })

  const stale = await change({ alias: 'Stern' }, { expected_revision: 1 })
  const senseless = await change({ source: { fps: -1 } })
  const otherId = await change({ id: 'stern' })

  assert.deepEqual([stale.status, stale.body.code, stale.body.context], [409, 'revision.stale', { revision: 2 }])
  assert.deepEqual([senseless.status, senseless.body.code], [422, 'manifest.invalid'])
  assert.deepEqual([otherId.status, otherId.body.code], [422, 'manifest.invalid'])
  assert.equal((await stream()).spec.alias, 'Bow')
})

test('a stream can be made internal on its own device', async (t) => {
  const { change, stream } = await withStream(t)

  const answer = await change({ internal: true })

  assert.equal(answer.status, 204)
  assert.equal((await stream()).spec.internal, true)
})
