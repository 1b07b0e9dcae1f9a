// Looking at NT4 servers over HTTP.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { FakeNt4Inspection } from '../../../native/nt4/fake-inspection.ts'
import { webSocketInspection } from '../../../native/nt4/inspection/ws-inspection.ts'
import { NT4_INSPECTION, type Nt4Type, type Nt4Value } from '../../../native/nt4/port.ts'
import { value } from '../../../supervisors/composition/container.ts'
import { type ApiChanges, fakeApi } from '../../support/api/api.ts'
import { caughtUp, nt4Lab } from '../../support/nt4/nt4.ts'
import { until } from '../../support/until.ts'

const inspect = async (t: TestContext, changes: ApiChanges = {}, nt4 = 'off') => {
  const inspection = new FakeNt4Inspection()
  const service = { ports: [value(NT4_INSPECTION, inspection)], options: { nt4 } }
  const { app } = await fakeApi(t, changes, service)
  const ask = async (what: 'topics' | 'value', payload: object, headers: object = {}) => {
    const url = `/v1/nt4/${what}`
    const answer = await app.inject({ method: 'POST', url, headers: { host: 'localhost', ...headers }, payload })
    return { status: answer.statusCode, headers: answer.headers, body: answer.json() }
  }
  return { app, inspection, ask }
}

test('topics are shown by prefix and type, up to a limit, with the number of all', async (t) => {
  const { inspection, ask } = await inspect(t)
  const shown = [
    ...[
      { name: '/a/x', type: 'double' },
      { name: '/a/y', type: 'struct:Pose2d' },
    ],
    ...[
      { name: '/a/z', type: 'struct:Pose3d' },
      { name: '/b', type: 'double' },
    ],
  ]
  inspection.shown = shown.map((topic) => ({
    topic: { ...topic, properties: {} },
    newest: undefined,
    layouts: new Map(),
  }))
  const host = '10.0.0.2'
  const found = async (more: object) => {
    const { body } = await ask('topics', { host, ...more })
    return [body.count, body.topics.map(({ name }: { name: string }) => name)]
  }

  assert.deepEqual(await found({}), [4, ['/a/x', '/a/y', '/a/z', '/b']])
  assert.deepEqual(await found({ prefix: '/a/', types: ['double'] }), [1, ['/a/x']])
  assert.deepEqual(await found({ types: ['struct:'] }), [2, ['/a/y', '/a/z']])
  assert.deepEqual(await found({ limit: 1 }), [4, ['/a/x']])
  const { body } = await ask('topics', { host, limit: 1 })
  assert.deepEqual([body.server, body.protocol, body.complete], ['10.0.0.2:5810', '4.1', true])
})

test('without a host the server of the link is looked at; without a link there is none', async (t) => {
  const linked = await inspect(t, {}, '10.12.34.2:5811')
  const { status } = await until(
    'the link',
    () => linked.ask('topics', {}),
    (answer) => answer.status === 200,
  )
  assert.equal(status, 200)
  assert.equal(linked.inspection.looks.at(-1)?.host, '10.12.34.2')
  assert.equal(linked.inspection.looks.at(-1)?.port, 5811)

  const off = await inspect(t)
  const answer = await off.ask('value', { topic: '/x' })
  assert.deepEqual([answer.status, answer.body.code], [502, 'nt4.not_linked'])
})

test('bad questions are refused with their place, missing things with 404, silent servers with 502', async (t) => {
  const { inspection, ask } = await inspect(t)
  inspection.silent.add('10.0.0.9')
  const pointer = async (payload: object) => {
    const { status, body } = await ask('topics', payload)
    assert.equal(status, 400)
    return body.errors[0].pointer
  }

  assert.equal(await pointer({ host: 'a b' }), '/host')
  assert.equal(await pointer({ host: '10.0.0.2:5810' }), '/host')
  assert.equal(await pointer({ port: 5810 }), '/host')
  assert.equal(await pointer({ host: '10.0.0.2', port: 0 }), '/port')
  assert.equal(await pointer({ host: '10.0.0.2', limit: 0 }), '/limit')
  const answers = [
    await ask('value', { host: '10.0.0.2', topic: '/nobody' }),
    await ask('value', { host: '10.0.0.9', topic: '/x' }),
    await ask('topics', { host: '10.0.0.9' }),
  ]
  assert.deepEqual(
    answers.map(({ status, body }) => [status, body.code]),
    [
      [404, 'nt4.topic_not_found'],
      [502, 'nt4.unreachable'],
      [502, 'nt4.unreachable'],
    ],
  )
})

test('an address outside of private networks takes an administrator, also behind a name', async (t) => {
  const { ask } = await inspect(t, { profile: 'field', verifyToken: (token) => token === 'good' })
  const signed = { authorization: 'Bearer good' }

  for (const host of ['8.8.8.8', '2001:4860:4860::8888', '[2001:4860:4860::8888]', '::ffff:8.8.8.8', '0.0.0.0']) {
    const refused = await ask('topics', { host })
    assert.deepEqual([refused.status, refused.body.code], [401, 'token.required'], host)
    assert.match(refused.body.detail, /outside of private networks/)
    assert.equal(refused.headers['www-authenticate'], 'Bearer realm="vedette"')
    assert.equal((await ask('topics', { host }, signed)).status, 200, host)
  }
  for (const host of ['10.12.34.2', '192.168.1.2', '172.22.11.2', '127.0.0.1', 'fe80::1', 'fd00::1'])
    assert.equal((await ask('topics', { host })).status, 200, host)
})

test('on the bench everybody administers', async (t) => {
  const { ask } = await inspect(t)

  assert.equal((await ask('topics', { host: '8.8.8.8' })).status, 200)
})

test('values of a real server stand in the answer as JSON holds them', async (t) => {
  const lab = nt4Lab(t)
  const { port } = await lab.serve()
  const robot = await lab.connect(port, 'robot')
  const text = (layout: string) => new TextEncoder().encode(layout)
  const put = (name: string, type: Nt4Type, written: Nt4Value) =>
    robot.write([[robot.publish(name, type), written]], 5_000)
  put('/int', 'int', 2n ** 60n)
  put('/nan', 'double', Number.NaN)
  put('/many', 'double[]', [1, 2, Number.NEGATIVE_INFINITY])
  put('/proto', 'protobuf', Uint8Array.from([8, 1]))
  put('/.schema/struct:Point', 'structschema', text('double x;double y'))
  put('/point', 'struct:Point', new Uint8Array(Float64Array.from([1.5, Number.NaN]).buffer))
  put('/points', 'struct:Point[]', new Uint8Array(Float64Array.from([1, 2, 3, 4]).buffer))
  put('/secret', 'struct:Secret', new Uint8Array(8))
  robot.publish('/empty', 'string')
  await caughtUp(robot)
  const { app } = await fakeApi(t, {}, { ports: [value(NT4_INSPECTION, webSocketInspection())] })
  const seen = async (topic: string, more: object = {}) => {
    const payload = { host: '127.0.0.1', port, topic, ...more }
    const headers = { host: 'localhost' }
    const body = (await app.inject({ method: 'POST', url: '/v1/nt4/value', headers, payload })).json()
    assert.equal(body.server, `127.0.0.1:${port}`)
    return [body.topic.type, body.timestamp_us, body.value, body.count, body.base64, body.not_decoded]
  }

  assert.deepEqual(await seen('/int'), ['int', 5_000, '1152921504606846976', null, null, null])
  assert.deepEqual(await seen('/nan'), ['double', 5_000, 'NaN', null, null, null])
  assert.deepEqual(await seen('/many'), ['double[]', 5_000, [1, 2, '-Infinity'], 3, null, null])
  assert.deepEqual(await seen('/many', { limit: 1 }), ['double[]', 5_000, [1], 3, null, null])
  assert.deepEqual((await seen('/proto')).slice(0, 5), ['protobuf', 5_000, null, null, 'CAE='])
  assert.match((await seen('/proto')).at(-1), /protobuf are not taken apart/)
  assert.deepEqual((await seen('/point')).slice(2, 4), [{ x: 1.5, y: 'NaN' }, null])
  const two = [
    { x: 1, y: 2 },
    { x: 3, y: 4 },
  ]
  assert.deepEqual((await seen('/points')).slice(2, 4), [two, 2])
  assert.match((await seen('/secret')).at(-1), /nobody publishes its layout/)
  assert.deepEqual(await seen('/empty'), ['string', null, null, null, null, null])
})
