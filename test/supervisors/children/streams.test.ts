// Which streams run, and what the world is told of them.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { StreamManifest } from '../../../machines/stream/manifest.ts'
import { type Policy, usualPolicy } from '../../../supervisors/supervision/policy.ts'
import { liveStreams } from '../../support/live-streams.ts'
import { until } from '../../support/until.ts'

const camera = (id: string, more: Partial<StreamManifest> = {}) => ({
  id,
  source: { backend: 'images', path: '/pictures', fps: 100 } as const,
  ...more,
})
const pose = { x_m: 0.3, y_m: 0, z_m: 0.5, roll_deg: 0, pitch_deg: 0, yaw_deg: 0 }

const running = async (t: TestContext, policy?: Policy) => {
  const parts = await liveStreams(t, policy)
  await parts.reconcile(parts.streams)
  return parts
}

test('a stored stream runs, also one that was stored before the start', async (t) => {
  const parts = await liveStreams(t)
  const revision = parts.put(camera('front'))

  await parts.reconcile(parts.streams)
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
    directory.parts().map((part) => [part.name, part.fault]),
    [
      ['streams', null],
      ['streams/front', null],
    ],
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

/** As usual, in a hurry. */
const quick: Policy = { ...usualPolicy, firstDelayMs: 1, retryEveryMs: 300 }
/** As usual, but one that has failed waits for ever. */
const patient: Policy = { ...quick, retryEveryMs: 3_600_000 }

type Running = Awaited<ReturnType<typeof running>>

const crashUntilItFails = async ({ engines, condition, state }: Running, id: string) => {
  for (let crashed: unknown; condition(id)?.state !== 'failed'; ) {
    const engine = await until(
      'another engine, or failure',
      () => engines.alive.find(({ name }) => name === id),
      (found) => (found !== undefined && found !== crashed) || condition(id)?.state === 'failed',
    )
    crashed = engine
    engine?.crash()
  }
  return state(id, 'failed')
}

test('a stream that has failed says what can be done, and comes back by itself', async (t) => {
  const parts = await running(t, quick)
  parts.put(camera('front'))
  parts.put(camera('rear'))
  await parts.state('front', 'live')
  const seq = parts.directory.events.last()

  const { fault } = (await crashUntilItFails(parts, 'front')) ?? {}

  assert.equal(fault?.code, 'stream.failed')
  assert.match(
    fault?.detail ?? '',
    /^The stream front failed 5 times in a row: .*SIGSEGV.*tried again every 0\.3 s, and at once by POST \/v1\/streams\/front\/restart or/,
  )
  const shown = () => parts.directory.parts().find(({ name }) => name === 'streams/front')
  assert.deepEqual([shown()?.state, shown()?.fault?.code], ['failed', 'stream.failed'])
  const { restarts } = (await parts.state('front', 'live')) ?? {}
  assert.equal(restarts, 5)
  assert.deepEqual([parts.condition('front')?.fault, shown()?.state, shown()?.fault], [null, 'live', null])
  const told = parts.directory.events.since(seq, 'test')
  const states = told.type === 'events' ? told.events.filter(({ kind }) => kind === 'stream_state') : []
  assert.equal(states.filter(({ data }) => (data as { state: string }).state === 'failed').length, 1)
  assert.equal(parts.condition('rear')?.restarts, 0)
})

test('a write to a stream that has failed tries it at once', async (t) => {
  const parts = await running(t, patient)
  parts.put(camera('front'))
  await parts.state('front', 'live')
  await crashUntilItFails(parts, 'front')

  const revision = parts.put(camera('front', { pose }))

  assert.equal((await parts.state('front', 'live'))?.applied_revision, revision)
})

test('a restart tries a stream that has failed at once, and gives one that runs another engine', async (t) => {
  const parts = await running(t, patient)
  parts.put(camera('front'))
  parts.put(camera('rear'))
  await parts.state('rear', 'live')
  await parts.state('front', 'live')
  await crashUntilItFails(parts, 'front')
  const restart = (id: string) => parts.directory.actor('streams')?.send({ type: 'child.restart', ask: 1, id })
  const [rear] = parts.engines.alive

  restart('streams/front')
  await parts.state('front', 'live')
  assert.deepEqual([...parts.engines.alive][0], rear)

  restart('streams/rear')
  await until(
    'another engine',
    () => parts.engines.alive.find(({ name }) => name === 'rear'),
    (now) => now !== undefined && now !== rear,
  )
  assert.equal((await parts.state('rear', 'live'))?.restarts, 1)
})

test('a stream whose document breaks the one who starts it fails alone, and says so', async (t) => {
  const parts = await running(t)
  parts.put(camera('front'))

  parts.putRaw('rear', null)
  parts.put(camera('side'))

  await parts.state('side', 'live')
  await parts.state('front', 'live')
  assert.equal((await parts.state('rear', 'failed'))?.fault?.code, 'child.stuck')
  assert.deepEqual(
    parts.noted.map(({ code }) => code),
    ['actor.crashed'],
  )

  parts.put(camera('rear'))
  await parts.state('rear', 'live')
})

test('what a viewer throws at the news of a stream harms nobody', async (t) => {
  const parts = await running(t)
  parts.put(camera('front'))
  parts.directory.streams.get('front')?.condition.subscribe(() => {
    throw new Error('broken viewer')
  })

  await parts.state('front', 'live')

  assert.equal(parts.condition('front')?.restarts, 0)
  assert.ok(parts.noted.some(({ detail }) => detail === 'Error: broken viewer'))
})
