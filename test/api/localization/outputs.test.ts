// Outputs that say where something is: listed, and each by itself, of this device and of others.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { LOCALIZATION } from '../../../actors/localization/tokens.ts'
import { defaultGraph } from '../../../machines/pipeline/graph.ts'
import { assertProblem, fakeApi } from '../../support/api/api.ts'
import { busyApi } from '../../support/api/busy-api.ts'
import { packed } from '../../support/engine/packed.ts'
import { fileLifetime } from '../../support/lifetime.ts'
import { askLocalization } from '../../support/localization/asking.ts'
import { solvedRound } from '../../support/localization/solved.ts'
import { until } from '../../support/until.ts'

const shared = await busyApi(fileLifetime())
const askShared = askLocalization(shared)

/** A service with a stream `front` whose engine is driven by hand. */
const withStream = async (t: TestContext) => {
  const { app, fake } = await fakeApi(t)
  const stream = await fake.addStream({ id: 'front', source: { backend: 'synthetic' }, pipeline: defaultGraph })
  const found = (seq: number) =>
    stream.results.set(
      packed({ seq, captured_us: fake.clock.monotonicUs() - 25_000, width_px: 640, height_px: 400 }, [
        { port: 'pose', kind: 'field_pose', rows: [] },
      ]),
    )
  const interdevice = async (key: string) => {
    const url = `/v1/interdevice/localization/outputs/${key}`
    const {
      statusCode: status,
      body,
      headers,
    } = await app.inject({ method: 'GET', url, headers: { host: 'localhost' } })
    return { status, body, contentType: headers['content-type'] ?? '', json: JSON.parse(body) }
  }
  return { app, fake, stream, found, ask: askLocalization({ app }), interdevice }
}

test('a stream without frames has no sample yet, then the newest with its age', async (t) => {
  const { ask, found } = await withStream(t)

  const before = await ask('GET', 'streams/front/outputs/pose')
  found(7)
  const after = await ask('GET', 'streams/front/outputs/pose')

  assert.deepEqual(
    [before.status, before.json],
    [200, { output_key: 'pose', data_type: 'field_pose', age_ms: null, sample: null }],
  )
  assert.deepEqual([after.json.age_ms, after.json.sample.seq, after.json.sample.rows], [25, 7, []])
})

test('streams and outputs that are not there, and outputs that say no place, are not found', async () => {
  assertProblem(await askShared('GET', 'streams/nobody/outputs/pose'), 'stream.not_found')
  assertProblem(await askShared('GET', 'streams/front/outputs/other'), 'output.not_found')
  assertProblem(await askShared('GET', 'streams/front/outputs/tags'), 'output.not_found')
  assertProblem(await askShared('GET', 'streams/front/outputs/seen'), 'output.not_found')
})

test('of a stream that has failed that is said, with why', async (t) => {
  const { ask, stream } = await withStream(t)
  const status = stream.status()
  t.mock.method(stream, 'status', () => ({
    ...status,
    state: 'failed',
    fault: { code: 'stream.failed', detail: 'its engine crashed five times' },
  }))

  const problem = assertProblem(await ask('GET', 'streams/front/outputs/pose'), 'stream.failed')

  assert.match(problem.detail, /its engine crashed five times/)
})

test('all outputs that say a place are listed, each with whether it counts and why not', async () => {
  const { json } = await askShared('GET', 'sources')
  const ofKind = (source: string) => json.items.filter((each: { source: string }) => each.source === source)

  assert.ok(ofKind('stream').some((each: { output_key: string }) => each.output_key === 'pose'))
  assert.deepEqual(
    ofKind('external').map(({ id, output_key, why_not }: Record<string, unknown>) => [id, output_key, why_not]),
    [['questnav', 'pose', 'only_shown']],
  )
  for (const each of json.items) assert.equal(each.used, each.why_not === null, JSON.stringify(each))
  for (const each of ofKind('peer')) assert.deepEqual([each.peer_id, each.why_not], ['back', 'other_device'])
})

test('an output of a peer is asked of it, each time', async () => {
  const { status, json } = await askShared('GET', 'peers/back/outputs/front.pose')

  assert.deepEqual([status, json.output_key], [200, 'front.pose'])
  assert.ok(json.age_ms >= 31.5, 'the way here is counted in')
  assertProblem(await askShared('GET', 'peers/back/outputs/front.other'), 'output.not_found')
  assertProblem(await askShared('GET', 'peers/nobody/outputs/front.pose'), 'peer.not_found')
  assertProblem(await askShared('GET', 'peers/back/outputs/pose'), 'output_key.malformed')
})

test('a peer that is away is said to be away', async (t) => {
  const { app, fake } = await fakeApi(t)
  const payload = { base_url: 'http://127.0.0.1:9', name: 'Away' }
  const added = await app.inject({ method: 'POST', url: '/v1/peers', headers: { host: 'localhost' }, payload })
  const { id } = added.json()
  await until('the peer', () => fake.directory.settings.getSnapshot().context.documents.peers)

  const { status } = await askLocalization({ app })('GET', `peers/${id}/outputs/front.pose`)

  assert.equal(status, 502)
})

test('other devices read the same of streams that are shared, and where this device sees the robot', async (t) => {
  const { fake, found, interdevice } = await withStream(t)
  await fake.put({ id: 'hidden', source: { backend: 'synthetic' }, internal: true })
  found(3)

  const before = await interdevice('device.solve')
  fake.resolve(LOCALIZATION).solved.set(solvedRound({ capturedUs: fake.clock.monotonicUs() - 40_000 }))
  const solve = await interdevice('device.solve')
  const pose = await interdevice('front.pose')

  assert.deepEqual(before.json, { output_key: 'device.solve', data_type: 'solve', age_ms: null, sample: null })
  assert.deepEqual([solve.json.age_ms, solve.json.sample.pose.x_m], [40, 4])
  assert.deepEqual([pose.json.output_key, pose.json.age_ms, pose.json.sample.seq], ['front.pose', 25, 3])
  assertProblem(await interdevice('hidden.pose'), 'stream.not_found')
  assertProblem(await interdevice('device.other'), 'output.not_found')
  assertProblem(await interdevice('pose'), 'output_key.malformed')
})

test('other devices hear when a stream begins to say places, and when it stops', async (t) => {
  const { fake, found } = await withStream(t)
  const told: unknown[] = []
  t.after(
    fake.directory.events.subscribe(({ kind, resource_ref }) => {
      if (kind === 'localization_source_changed') told.push(resource_ref)
    }),
  )

  found(1)
  await until('that it is fresh', () => told.length > 0)
  const { length: outputs } = told
  fake.clock.advanceMs(3_000)
  await until('that it is stale', () => told.length === 2 * outputs)

  assert.ok(told.some((each) => JSON.stringify(each) === '{"stream_id":"front","output_id":"pose"}'))
})
