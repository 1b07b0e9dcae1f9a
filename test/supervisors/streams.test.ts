// Which streams run, and what the world is told of them.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { StreamManifest } from '../../machines/stream-manifest.ts'
import { liveStreams } from '../support/live-streams.ts'
import { until } from '../support/until.ts'

const camera = (id: string, more: Partial<StreamManifest> = {}) => ({
  id,
  source: { backend: 'images', path: '/pictures', fps: 100 } as const,
  ...more,
})
const pose = { x_m: 0.3, y_m: 0, z_m: 0.5, roll_deg: 0, pitch_deg: 0, yaw_deg: 0 }

const running = async (t: TestContext) => {
  const parts = await liveStreams(t)
  await parts.within(parts.streams.run())
  return parts
}

test('a stored stream runs, also one that was stored before the start', async (t) => {
  const parts = await liveStreams(t)
  const revision = parts.put(camera('front'))

  await parts.within(parts.streams.run())
  parts.put(camera('rear'))

  const { applied_revision, fault, restarts } = (await parts.state('front', 'live')) ?? {}
  assert.deepEqual({ applied_revision, fault, restarts }, { applied_revision: revision, fault: null, restarts: 0 })
  await parts.state('rear', 'live')
})

test('a stream that is switched off gives its engine back, and gets another when it is switched on', async (t) => {
  const { put, state, condition, engines } = await running(t)
  put(camera('front'))
  await state('front', 'live')

  put(camera('front', { enabled: false }))
  await until(
    'the end of the engine',
    () => engines.alive.length,
    (count) => count === 0,
  )
  assert.deepEqual([condition('front')?.state, condition('front')?.applied_revision], ['disabled', null])

  const revision = put(camera('front'))
  assert.equal((await state('front', 'live'))?.applied_revision, revision)
})

test('a new mounting reaches the engine that runs', async (t) => {
  const { put, state, condition, engines } = await running(t)
  put(camera('front'))
  await state('front', 'live')
  const [engine] = engines.alive

  const revision = put(camera('front', { pose }))
  await until(
    'the revision',
    () => condition('front')?.applied_revision,
    (applied) => applied === revision,
  )

  assert.deepEqual([...engines.alive], [engine])
})

test('a change that comes while the engine is being started is not lost', async (t) => {
  const { put, state, engines, starts } = await running(t)
  starts.close()
  put(camera('front'))
  await until('an engine', () => engines.alive.length, Boolean)

  const revision = put(camera('front', { pose }))
  starts.open()

  assert.equal((await state('front', 'live'))?.applied_revision, revision)
  assert.deepEqual(engines.alive[0]?.job?.mount, pose)
})

test('a crash is told with its reason, counted, and over when the stream is live again', async (t) => {
  const { put, state, engines, directory } = await running(t)
  put(camera('front'))
  await state('front', 'live')
  const seq = directory.events.last()

  engines.alive[0]?.crash()

  const { fault } = (await state('front', 'restarting')) ?? {}
  assert.equal(fault?.code, 'engine.crashed')
  const { restarts } = (await state('front', 'live')) ?? {}
  assert.equal(restarts, 1)
  assert.deepEqual(
    directory.parts().map((part) => part.fault),
    [null],
  )
  const told = directory.events.since(seq, 'test')
  assert.deepEqual(told.type === 'events' && told.events.map(({ data }) => (data as { state: string }).state), [
    ...['restarting', 'opening', 'live'],
  ])
})

test('a stream that is deleted and created again at once is another stream', async (t) => {
  const { put, drop, state, engines, directory } = await running(t)
  put(camera('front'))
  await state('front', 'live')
  const [desk, engine] = [directory.streams.get('front'), engines.alive[0]]

  drop('front')
  const revision = put(camera('front'))

  assert.equal((await state('front', 'live'))?.applied_revision, revision)
  assert.notEqual(directory.streams.get('front'), desk)
  assert.equal(engines.alive.length, 1)
  assert.notEqual(engines.alive[0], engine)
})

test('a stream has a desk from the moment it is stored to the moment it is deleted', async (t) => {
  const { put, drop, directory } = await running(t)

  put(camera('front'))
  const desk = directory.streams.get('front')
  put(camera('front', { alias: 'Front' }))
  assert.ok(desk)
  assert.equal(directory.streams.get('front'), desk)

  drop('front')
  assert.equal(directory.streams.size, 0)
})
