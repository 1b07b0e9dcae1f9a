// Restarts over HTTP: what is refused, what waits, and how a restart is found again.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import { ROBOT_ENABLED } from '../../../actors/nt4/tokens.ts'
import { FakeDocuments } from '../../../native/documents/fake.ts'
import { FakeRestart } from '../../../native/restart/fake.ts'
import { RESTART } from '../../../native/restart/port.ts'
import { value } from '../../../supervisors/composition/container.ts'
import { fakeApi } from '../../support/api/api.ts'
import { askerOf } from '../../support/api/ask.ts'
import { until } from '../../support/until.ts'

const restartApi = async (t: TestContext, port = new FakeRestart(), documents = new FakeDocuments()) => {
  const { app, fake } = await fakeApi(t, {}, { ports: [value(RESTART, port)], documents })
  const ask = askerOf({ app })
  const order = (payload: object) => ask('POST', '/v1/device/restart', payload)
  const job = (id: string, state: string) =>
    until(
      `the job ${state}`,
      () => ask('GET', `/v1/jobs/${id}`),
      ({ body }) => body.state === state,
    )
  return { port, fake, ask, order, job, enabled: fake.resolve(ROBOT_ENABLED) }
}

test('the next run finds the job of the restart again, and says how that ended', async (t) => {
  const documents = new FakeDocuments()
  const { port, order } = await restartApi(t, undefined, documents)
  const { status, body } = await order({ target: 'device' })
  assert.equal(status, 200)
  assert.deepEqual([body.kind, body.resource_ref], ['restart', { target: 'device' }])
  await until('the restart', () => port.restarts.length > 0)
  assert.deepEqual([port.restarts, port.kept?.boot_id], [['device'], 'boot-1'])

  port.boot = 'boot-2'
  const next = await restartApi(t, port, documents)
  const { body: ended } = await next.job(body.id, 'done')

  assert.deepEqual(ended.result, { target: 'device', took_ms: null, detail: 'The device has started again.' })
  assert.equal(port.kept, null)
})

test('while the robot is enabled a restart is refused, unless it may wait or is forced', async (t) => {
  const { order, enabled, port, job } = await restartApi(t)
  enabled.set(true)

  const refused = await order({ target: 'service' })
  assert.deepEqual([refused.status, refused.body.code], [502, 'restart.robot_enabled'])
  assert.match(refused.body.detail, /disable it, order the restart with "when": "idle", or send "force": true/)

  const { body } = await order({ target: 'service', when: 'idle' })
  const waiting = await until(
    'its reason',
    () => job(body.id, 'running'),
    (now) => now.body.progress.message !== '',
  )
  assert.equal(waiting.body.progress.message, 'it waits: the robot is enabled')
  assert.equal((await order({ target: 'service', force: true })).body.code, 'job.too_many')
  assert.deepEqual(port.restarts, [])
  enabled.set(false)
  await until('the restart', () => port.restarts.length > 0)
})

test('of restarts that are ordered in the same moment one is', async (t) => {
  const port = new FakeRestart()
  const all = Promise.withResolvers<void>()
  let asked = 0
  const check = () =>
    Effect.promise(() => {
      asked += 1
      if (asked === 3) all.resolve()
      return all.promise
    })
  const { order, ask } = await restartApi(t, Object.assign(port, { check }))

  const answers = await Promise.all(['device', 'service', 'device'].map((target) => order({ target })))

  assert.deepEqual(
    answers.map(({ status, body }) => body.code ?? status),
    [200, 'job.too_many', 'job.too_many'],
  )
  await until('the restart', () => port.restarts.length > 0)
  assert.equal((await ask('GET', '/v1/jobs')).body.items.length, 1)
})

test('a restart that is forced does not wait for the robot', async (t) => {
  const { order, enabled, port } = await restartApi(t)
  enabled.set(true)

  assert.equal((await order({ target: 'service', force: true })).status, 200)

  await until('the restart', () => port.restarts.length > 0)
})

test('where nothing would start it again that is answered at once', async (t) => {
  const port = new FakeRestart()
  port.fault = { code: 'device.failed', detail: 'nobody would start it again' }
  const { order } = await restartApi(t, port)

  const { status, body } = await order({ target: 'service' })

  assert.deepEqual([status, body.code, body.detail], [502, 'device.failed', 'nobody would start it again'])
})

test('a stream is restarted by itself, and the job ends when it gives pictures', async (t) => {
  const { order, fake, job } = await restartApi(t)
  await fake.addStream({ id: 'front', source: { backend: 'images', path: '/pictures' } })
  fake.engine('front').showFrame()
  await fake.state('front', 'live')
  const before = fake.engine('front')

  const { body } = await order({ target: 'stream', stream_id: 'front' })
  await until('another engine', () => {
    const now = fake.engine('front')
    return now && now !== before && now.task
  })
  fake.engine('front').showFrame()

  const { body: ended } = await job(body.id, 'done')
  assert.equal(ended.result.detail, 'The stream front gives pictures again.')
})

test('what does not fit names the field', async (t) => {
  const { order } = await restartApi(t)

  for (const body of [
    { target: 'stream' },
    { target: 'stream', stream_id: 'nowhere' },
    { target: 'device', stream_id: 'front' },
  ]) {
    const { status, body: problem } = await order(body)
    assert.deepEqual([status, problem.errors[0].pointer], [400, '/stream_id'])
  }
})
