// Which streams run, and what the world is told of them.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import { errorsOf } from '../../../machines/errors/history.ts'
import { guardedStatus } from '../../../machines/guard/guarded-status.ts'
import { FULL, NO_LIMIT } from '../../../machines/guard/levels.ts'
import type { StreamManifest } from '../../../machines/stream/manifest.ts'
import { defaultPolicy, type Policy } from '../../../machines/supervision/policy.ts'
import { SUPERVISOR } from '../../../supervisors/composition/tokens.ts'
import { settingsBranch } from '../../../supervisors/settings/branch.ts'
import { streamBranch } from '../../../supervisors/stream/branch.ts'
import type { Supervisor } from '../../../supervisors/supervision/supervisor.ts'
import { liveStreams } from '../../support/engine/live-streams.ts'
import { until } from '../../support/until.ts'

const camera = (id: string, more: Partial<StreamManifest> = {}) => ({
  id,
  source: { backend: 'images', path: '/pictures', fps: 100 } as const,
  ...more,
})
const pose = { x_m: 0.3, y_m: 0, z_m: 0.5, roll_deg: 0, pitch_deg: 0, yaw_deg: 0 }

const running = (t: TestContext, policy?: Policy) => liveStreams(t, policy && { policy })

test('a stored stream runs, also one that was stored before the start', async (t) => {
  const parts = await liveStreams(t, { branches: [settingsBranch] })
  const revision = await parts.put(camera('front'))

  await parts.start(streamBranch)
  await parts.put(camera('rear'))

  const { applied_revision, fault, restarts } = (await parts.state('front', 'live')) ?? {}
  assert.deepEqual({ applied_revision, fault, restarts }, { applied_revision: revision, fault: null, restarts: 0 })
  await parts.state('rear', 'live')
})

test('a stream that is switched off gives its engine back, and gets another when it is switched on', async (t) => {
  const { put, state, status, engines } = await running(t)
  await put(camera('front'))
  await state('front', 'live')

  await put(camera('front', { enabled: false }))
  await until(
    'the end of the engine',
    () => engines.alive.length,
    (count) => count === 0,
  )
  assert.deepEqual([status('front')?.state, status('front')?.applied_revision], ['disabled', null])

  const revision = await put(camera('front'))
  assert.equal((await state('front', 'live'))?.applied_revision, revision)
})

test('a stream that the resource guard pauses has no engine, says why, and comes back when it is let on', async (t) => {
  const { put, state, status, engines, streams } = await running(t)
  await put(camera('front'))
  await put(camera('rear'))
  await state('front', 'live')
  await state('rear', 'live')
  const guarded = { level: { ...FULL, pause: 1 }, limit: { ...NO_LIMIT, is_paused: true }, since_ms: 5 }
  const why = { cause: 'heat', measure: 'celsius', value: 84, limit: 80 } as const

  streams.get('rear')?.guard.set({
    limit: guarded.limit,
    status: guardedStatus({ ...guarded, why, held_until_ms: null }),
  })
  await until(
    'the end of its engine',
    () => engines.alive.length,
    (count) => count === 1,
  )
  const { fault, guard } = status('rear') ?? {}
  assert.equal(status('rear')?.state, 'paused')
  assert.deepEqual([fault?.code, guard?.is_paused], ['guard.paused', true])
  assert.equal(fault?.detail, 'It is stopped, since the processor was 84 °C warm and this gives way from 80 °C on.')
  assert.equal(status('front')?.state, 'live')
  const revision = await put(camera('rear', { pose }))
  assert.equal(status('rear')?.state, 'paused')

  streams.get('rear')?.guard.set()

  assert.equal((await state('rear', 'live'))?.applied_revision, revision)
})

test('a new mount reaches the engine that runs', async (t) => {
  const { put, state, status, engines } = await running(t)
  await put(camera('front'))
  await state('front', 'live')
  const [engine] = engines.alive

  const revision = await put(camera('front', { pose }))
  await until(
    'the revision',
    () => status('front')?.applied_revision,
    (applied) => applied === revision,
  )

  assert.deepEqual([...engines.alive], [engine])
})

test('a change that comes while the engine is being started is not lost', async (t) => {
  const { put, state, engines, starts } = await running(t)
  starts.close()
  await put(camera('front'))
  await until('an engine', () => engines.alive.length, Boolean)

  const revision = await put(camera('front', { pose }))
  starts.open()

  assert.equal((await state('front', 'live'))?.applied_revision, revision)
  assert.deepEqual(engines.alive[0]?.task?.mount, pose)
})

test('who counts on an engine to keep the time is told that it has ended, by a crash or by order', async (t) => {
  const { put, state, streams, engines } = await running(t)
  await put(camera('front'))
  await state('front', 'live')
  const heard: string[] = []
  streams.get('front')?.noResult.add((noResult) => heard.push(noResult))
  const ends = (count: number) =>
    until(
      'the ends',
      () => heard.length,
      (length) => length === count,
    )

  engines.alive[0]?.crash()
  await ends(1)
  await state('front', 'live')
  await put(camera('front', { enabled: false }))
  await ends(2)

  assert.deepEqual(heard, ['ended', 'ended'])
})

test('whoever relies on an engine for the time is told when it is ordered to end, not when it is gone', async (t) => {
  const { put, state, streams, engines, ends } = await running(t)
  await put(camera('front'))
  await state('front', 'live')
  const heard: string[] = []
  streams.get('front')?.noResult.add((noResult) => heard.push(noResult))

  ends.close()
  await put(camera('front', { enabled: false }))
  await until(
    'the end of the engine, of which nobody knows yet',
    () => engines.alive.length,
    (count) => count === 0,
  )

  assert.deepEqual(heard, ['ended'])
})

test('a crash is told with its reason, counted, and over when the stream is live again', async (t) => {
  const { put, state, engines, directory } = await running(t)
  await put(camera('front'))
  await state('front', 'live')
  const seq = directory.events.last()

  engines.alive[0]?.crash()

  const { fault } = (await state('front', 'restarting')) ?? {}
  assert.equal(fault?.code, 'engine.crashed')
  const { restarts } = (await state('front', 'live')) ?? {}
  assert.equal(restarts, 1)
  assert.deepEqual(
    directory
      .parts()
      .filter(({ name }) => name.startsWith('streams'))
      .map(({ name, fault }) => [name, fault]),
    [
      ['streams', null],
      ['streams/front', null],
    ],
  )
  const told = directory.events.since(seq, directory.identity.epoch)
  const states = told.type === 'events' ? told.events.filter(({ kind }) => kind === 'stream_state') : []
  assert.deepEqual(
    states.map(({ data }) => (data as { state: string }).state),
    ['restarting', 'opening', 'live'],
  )
})

test('a stream that is deleted and created again at once is another stream', async (t) => {
  const { put, drop, state, engines, streams } = await running(t)
  await put(camera('front'))
  await state('front', 'live')
  const [stream, engine] = [streams.get('front'), engines.alive[0]]

  const dropped = drop('front')
  const revision = await put(camera('front'))
  await dropped

  assert.equal((await state('front', 'live'))?.applied_revision, revision)
  assert.notEqual(streams.get('front'), stream)
  assert.equal(engines.alive.length, 1)
  assert.notEqual(engines.alive[0], engine)
})

test('a stream has one runtime from the moment it is stored to the moment it is deleted', async (t) => {
  const { put, drop, streams } = await running(t)

  await put(camera('front'))
  const stream = streams.get('front')
  await put(camera('front', { alias: 'Front' }))
  assert.equal(stream?.manifest.alias, 'Front')
  assert.equal(streams.get('front'), stream)

  await drop('front')
  assert.ok(stream?.isDeleted)
  assert.deepEqual(streams.all(), [])
})

/** As usual, in a hurry. */
const quick: Policy = { ...defaultPolicy, firstDelayMs: 1, retryEveryMs: 300 }
/** As usual, but one that has failed waits for ever. */
const patient: Policy = { ...quick, retryEveryMs: 3_600_000 }

type Running = Awaited<ReturnType<typeof running>>

const crashUntilItFails = async ({ engines, status, state }: Running, id: string) => {
  for (let crashed: unknown; status(id)?.state !== 'failed'; ) {
    const engine = await until(
      'another engine, or failure',
      () => engines.alive.find(({ name }) => name === id),
      (found) => (found !== undefined && found !== crashed) || status(id)?.state === 'failed',
    )
    crashed = engine
    engine?.crash()
  }
  return state(id, 'failed')
}

test('a stream that has failed says what can be done, and comes back by itself', async (t) => {
  const parts = await running(t, quick)
  await parts.put(camera('front'))
  await parts.put(camera('rear'))
  await parts.state('front', 'live')
  const seq = parts.directory.events.last()

  const { fault } = (await crashUntilItFails(parts, 'front')) ?? {}

  assert.equal(fault?.code, 'stream.failed')
  const detail = fault?.detail ?? ''
  assert.match(detail, /^The stream front failed 5 times in a row: .*SIGSEGV.*tried again every 0\.3 s, and at once by/)
  assert.match(detail, /tried again every 0\.3 s, and at once by POST \/v1\/streams\/front\/restart or/)
  const shown = () => parts.directory.parts().find(({ name }) => name === 'streams/front')
  assert.deepEqual([shown()?.state, shown()?.fault?.code], ['failed', 'stream.failed'])
  const { restarts } = (await parts.state('front', 'live')) ?? {}
  assert.equal(restarts, 5)
  assert.deepEqual([parts.status('front')?.fault, shown()?.state, shown()?.fault], [null, 'live.steady', null])
  const told = parts.directory.events.since(seq, parts.directory.identity.epoch)
  const states = told.type === 'events' ? told.events.filter(({ kind }) => kind === 'stream_state') : []
  assert.equal(states.filter(({ data }) => (data as { state: string }).state === 'failed').length, 1)
  assert.equal(parts.status('rear')?.restarts, 0)
})

test('the fault of a stream that has failed stays shown, in its health too, until the stream runs again', async (t) => {
  const parts = await running(t, quick)
  await parts.put(camera('front'))
  await parts.state('front', 'live')
  const shown: unknown[] = []
  parts.directory.events.subscribe(({ kind, data }) => {
    if (kind !== 'stream_state') return
    const { state, fault } = data as { state: string; fault: { code: string } | null }
    const part = parts.directory.parts().find(({ name }) => name === 'streams/front')
    shown.push([state, fault?.code, part?.fault?.code])
  })

  await crashUntilItFails(parts, 'front')
  await parts.state('front', 'live')

  assert.deepEqual(shown.slice(-3), [
    ['failed', 'stream.failed', 'stream.failed'],
    ['opening', 'stream.failed', 'stream.failed'],
    ['live', undefined, undefined],
  ])
})

test('a write to a stream that has failed tries it at once', async (t) => {
  const parts = await running(t, patient)
  await parts.put(camera('front'))
  await parts.state('front', 'live')
  await crashUntilItFails(parts, 'front')

  const revision = await parts.put(camera('front', { pose }))

  assert.equal((await parts.state('front', 'live'))?.applied_revision, revision)
})

test('a restart tries a stream that has failed at once, and gives one that runs another engine', async (t) => {
  const parts = await running(t, patient)
  await parts.put(camera('front'))
  await parts.put(camera('rear'))
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
  assert.equal((await parts.state('rear', 'live'))?.restarts, 0)
})

test('a stream that cannot be started fails alone, and says so', async (t) => {
  const parts = await running(t)
  const supervisor = parts.resolve(SUPERVISOR)
  const { start } = supervisor
  const brittle: Supervisor['start'] = (child) =>
    child.id === 'streams/rear' ? Effect.die(new Error('no such thing')) : start(child)
  Object.assign(supervisor, { start: brittle })
  await parts.put(camera('front'))

  await parts.put(camera('rear'))
  await parts.put(camera('side'))

  await parts.state('side', 'live')
  await parts.state('front', 'live')
  assert.equal((await parts.state('rear', 'failed'))?.fault?.code, 'child.stuck')
  const recorded = errorsOf(parts.directory.errors).filter(({ resource }) => resource === 'streams/rear')
  assert.deepEqual(
    recorded.map(({ code }) => code),
    ['actor.crashed'],
  )

  Object.assign(supervisor, { start })
  await parts.put(camera('rear', { alias: 'Rear' }))
  await parts.state('rear', 'live')
})

test('what somebody throws at the news of a stream harms nobody', async (t) => {
  const parts = await running(t)
  parts.directory.events.subscribe(() => {
    throw new Error('broken listener')
  })

  await parts.put(camera('front'))
  await parts.state('front', 'live')

  assert.equal(parts.status('front')?.restarts, 0)
  assert.ok(errorsOf(parts.directory.errors).some(({ detail }) => detail === 'Error: broken listener'))
})
