// Streams over HTTP: creating, changing, forgetting, looking.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { PICTURE_CODECS } from '../../../machines/codecs/codec.ts'
import { DEVICE } from '../../../machines/localization/peer-key.ts'
import { LOCALIZATION_TABLE } from '../../../machines/own-table/topics.ts'
import type { GraphDocument } from '../../../machines/pipeline/graph.ts'
import { NAMES_OF_THE_DEVICE } from '../../../machines/schema/stream-id.ts'
import { MAX_STREAMS } from '../../../machines/stream/collection.ts'
import { RESERVED_STREAM_IDS } from '../../../machines/stream/orders.ts'
import { MAX_PICTURE_KINDS } from '../../../machines/stream/picture.ts'
import { defaultPolicy } from '../../../machines/supervision/policy.ts'
import { CODECS, type CodecsPort } from '../../../native/codecs/port.ts'
import { value } from '../../../supervisors/composition/container.ts'
import { allEndpoints, fakeApi } from '../../support/api/api.ts'
import { settle } from '../../support/clock/clock.ts'
import { packed, pictureOf } from '../../support/engine/packed.ts'
import type { ServiceParts } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const host = { host: 'localhost' }
const synthetic = { backend: 'synthetic' }

const streamsApi = async (t: TestContext, service?: ServiceParts) => {
  const api = await fakeApi(t, {}, service)
  const ask = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, payload?: object) => {
    const response = await api.app.inject({
      method,
      url: `/v1/streams${path}`,
      headers: host,
      ...(payload && { payload }),
    })
    return {
      status: response.statusCode,
      headers: response.headers,
      body: response.body === '' ? undefined : response.json(),
    }
  }
  return { ...api, ask }
}

test('a stream is made canonical, stored, and listed in the order of creation', async (t) => {
  const { ask } = await streamsApi(t)

  const created = await ask('POST', '', { id: 'zoo', source: synthetic })
  await ask('POST', '', { id: 'ant', source: synthetic })
  const list = await ask('GET', '')

  assert.equal(created.body.spec.source.fps, 30)
  assert.ok(['starting', 'opening'].includes(created.body.status.state))
  assert.equal(created.headers.etag, '"1"')
  assert.deepEqual(
    list.body.items.map(({ id }: { id: string }) => id),
    ['zoo', 'ant'],
  )
  assert.equal(list.body.revision, 2)
})

test('the password of a camera is stored and never shown, nor the query of its address', async (t) => {
  const { ask, fake } = await streamsApi(t)
  const url = 'http://10.1.2.11/video?user=team&pwd=do-not-tell'
  const source = { backend: 'url', url, username: 'team', password: 'do-not-tell' }

  const answers = [
    await ask('POST', '/validate', { source }),
    await ask('POST', '', { id: 'door', source }),
    await ask('GET', '/door'),
    await ask('GET', ''),
  ]

  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200, 200],
  )
  assert.doesNotMatch(JSON.stringify(answers), /do-not-tell/)
  assert.match(JSON.stringify(answers), /"http:\/\/10\.1\.2\.11\/video\?\.\.\."/)
  const stored = fake.streams.get('door')?.manifest.source
  assert.deepEqual(stored && [Reflect.get(stored, 'url'), Reflect.get(stored, 'password')], [url, 'do-not-tell'])
})

test('what it takes to read videos is listed with the backends that read them', async (t) => {
  const codecs: CodecsPort = {
    found: async () => ({ ...PICTURE_CODECS, note: null }),
    whyNoVideos: () => 'No libraries.',
  }
  const { ask } = await streamsApi(t, { ports: [value(CODECS, codecs)] })

  const { body } = await ask('GET', '/backends')

  const listed = (body.backends as { backend: string; available: boolean; missing: string | null }[])
    .filter(({ backend }) => ['file', 'url', 'images'].includes(backend))
    .map(({ backend, available, missing }) => [backend, available, missing])
  assert.deepEqual(listed, [
    ['images', true, null],
    ['file', false, 'No libraries.'],
    ['url', true, 'Live JPEGs can be had. No libraries.'],
  ])
})

test('a stream without an id gets one from its alias, with a number when that is taken', async (t) => {
  const { ask } = await streamsApi(t)
  const idFor = async (alias?: string) =>
    (await ask('POST', '', { source: synthetic, ...(alias && { alias }) })).body.id

  assert.equal(await idFor('Écran  (left)!'), 'ecran-left')
  assert.equal(await idFor('ecran left'), 'ecran-left-2')
  assert.equal(await idFor(), 'stream')
  assert.equal(await idFor('日本'), 'stream-2')
  assert.equal(await idFor('x'.repeat(60)), 'x'.repeat(36))
  assert.equal(await idFor('constructor'), 'constructor')
})

test('a restart is ordered for a stream that there is and that shall run, and for no other', async (t) => {
  const { ask, fake } = await streamsApi(t)
  await fake.addStream({ id: 'front', source: { backend: 'synthetic' } })
  await fake.put({ id: 'spare', source: { backend: 'synthetic' }, enabled: false })
  const engine = fake.engine('front')

  const [restarted, disabled, unknown] = [
    await ask('POST', '/front/restart'),
    await ask('POST', '/spare/restart'),
    await ask('POST', '/nobody/restart'),
  ]

  assert.equal(restarted.status, 204)
  assert.deepEqual([disabled.status, disabled.body.code], [409, 'actor.not_now'])
  assert.equal(unknown.body.code, 'stream.not_found')
  await until(
    'another engine',
    () => fake.engine('front'),
    (now) => now && now !== engine,
  )
  assert.equal(fake.status('spare')?.state, 'disabled')
})

test('an id that exists, and a stream too many, are refused', async (t) => {
  const { ask } = await streamsApi(t)
  await ask('POST', '', { id: 'front', source: synthetic })

  assert.equal((await ask('POST', '', { id: 'front', source: synthetic })).body.code, 'stream.exists')
  for (let n = 1; n < MAX_STREAMS; n++) await ask('POST', '', { source: synthetic })
  assert.equal((await ask('POST', '', { source: synthetic })).body.code, 'stream.too_many')
})

test('a manifest that cannot be carried out is refused with the places that are wrong', async (t) => {
  const { ask } = await streamsApi(t)
  const pointersFor = async (manifest: object) => {
    const [made, checked] = [await ask('POST', '', manifest), await ask('POST', '/validate', manifest)]
    assert.equal(made.body.code, 'manifest.invalid')
    assert.deepEqual(made.body.errors, checked.body.errors)
    return made.body.errors.map(({ pointer }: { pointer: string }) => pointer)
  }

  assert.deepEqual(await pointersFor({ source: { backend: 'magic' } }), ['/source/backend'])
  assert.deepEqual(await pointersFor({ source: { backend: 'synthetic', fps: 1000, seed: -1 } }), [
    '/source/fps',
    '/source/seed',
  ])
  assert.deepEqual(await pointersFor({ source: synthetic, map_id: 'moon' }), ['/map_id'])
  const pipeline = {
    nodes: [{ id: 'source', type: 'source' }],
    edges: [],
    outputs: [{ port: 'x', from: 'nobody.image' }],
  }
  assert.match((await pointersFor({ source: synthetic, pipeline }))[0], /^\/pipeline\/outputs\/0/)
})

test('checking a manifest creates nothing', async (t) => {
  const { ask } = await streamsApi(t)

  const checked = await ask('POST', '/validate', { alias: 'Front', source: synthetic })

  assert.equal(checked.body.id, 'front')
  assert.equal(checked.body.map_id, 'demo')
  assert.deepEqual((await ask('GET', '')).body.items, [])
})

test('the pose of a camera is set and cleared, with a new revision each time', async (t) => {
  const { ask } = await streamsApi(t)
  const pose = { x_m: 0.3, y_m: 0, z_m: 0.5, roll_deg: 0, pitch_deg: -10, yaw_deg: 0 }
  await ask('POST', '', { id: 'front', source: synthetic })

  const set = await ask('PUT', '/front/pose', pose)
  const after = await ask('GET', '/front')
  const cleared = await ask('DELETE', '/front/pose')
  const last = await ask('GET', '/front')

  assert.equal(set.headers.etag, '"2"')
  assert.deepEqual(after.body.spec.pose, pose)
  assert.equal(cleared.headers.etag, '"3"')
  assert.equal('pose' in last.body.spec, false)
  assert.equal(last.body.revision, 3)
})

test('a picture is waited for', async (t) => {
  const { app, fake } = await streamsApi(t)
  const stream = await fake.addStream({ id: 'front', source: { backend: 'synthetic' } })
  const nowUs = fake.directory.clock.monotonicUs()
  stream.viewers.pictures.subscribe(() => {
    const [kind] = stream.viewers.pictures.wanted()
    if (kind) setImmediate(() => stream.viewers.pictures.deliver(pictureOf(kind.key, 7, nowUs)))
  })

  const response = await app.inject({ url: '/v1/streams/front/frame?max_width=320&overlay=true', headers: host })

  assert.equal(response.headers['content-type'], 'image/jpeg')
  assert.equal(response.headers['x-sequence'], '7')
  assert.equal(Number(response.headers['x-timestamp']), fake.directory.clock.nowMs() / 1000)
  assert.equal(Number(response.headers['x-captured-us']), nowUs)
  assert.equal(response.rawPayload.length, 2000)
  assert.equal(stream.viewers.pictures.viewers, 0)
})

test('when no picture comes within two seconds the answer says so', async (t) => {
  const { ask, fake } = await streamsApi(t)
  const stream = await fake.addStream({ id: 'front', source: { backend: 'synthetic' } })
  t.mock.timers.enable({ apis: ['setTimeout'] })

  const answer = ask('GET', '/front/frame')
  await settle()
  assert.equal(stream.viewers.pictures.viewers, 1)
  t.mock.timers.tick(2000)

  assert.equal((await answer).body.code, 'stream.no_picture')
  assert.equal(stream.viewers.pictures.viewers, 0)
})

test('a stream that will give no picture says so at once', async (t) => {
  const { ask, fake } = await streamsApi(t, { policy: { ...defaultPolicy, maxRestarts: 0 } })
  await fake.addStream({ id: 'front', source: { backend: 'synthetic' } })

  const frames = async (state: 'disabled' | 'failed' | 'ended') => {
    await fake.state('front', state)
    const { body } = await ask('GET', '/front/frame')
    assert.equal(body.code, 'stream.no_picture')
    assert.match(body.detail, new RegExp(state))
  }

  fake.engine('front').showFrame()
  await fake.state('front', 'live')
  fake.engine('front').endSource()
  await frames('ended')
  await fake.put({ id: 'front', source: { backend: 'synthetic' }, enabled: false })
  await frames('disabled')
  await fake.addStream({ id: 'front', source: { backend: 'synthetic' } })
  fake.engine('front').crash()
  await frames('failed')
})

test('more kinds of pictures than the device can make are refused', async (t) => {
  const { ask, fake } = await streamsApi(t)
  const stream = await fake.addStream({ id: 'front', source: { backend: 'synthetic' } })
  for (let n = 0; n < MAX_PICTURE_KINDS; n++)
    stream.viewers.pictures.watch({ max_width_px: n + 1, quality: 0, overlay: false, fps: 0 })

  for (const path of ['/front/frame', '/front/preview'])
    assert.equal((await ask('GET', path)).body.code, 'picture.too_many_kinds')
})

test('samples, truth and figures are those of the newest frame', async (t) => {
  const { ask, fake } = await streamsApi(t)
  const stream = await fake.addStream({ id: 'front', source: { backend: 'synthetic' } })
  const nowUs = fake.directory.clock.monotonicUs()
  fake.engine('front').showFrame()
  await fake.state('front', 'live')
  stream.results.set(
    packed(
      { seq: 4, too_full: 1, captured_us: nowUs - 20_000, started_us: nowUs - 15_000, finished_us: nowUs - 10_000 },
      [
        { port: 'tags', kind: 'detections', rows: [{ id: 3 }, { id: 9 }] },
        { port: 'pose', kind: 'field_pose', rows: [{ field_robot_x_m: 1.03, field_robot_qw: 1 }] },
        { port: 'truth', kind: 'truth', rows: [{ field_robot_x_m: 1, field_robot_qw: 1, field_camera_qw: 1 }] },
      ],
    ),
  )

  const tags = (await ask('GET', '/front/pipeline/outputs/tags/sample')).body
  const pose = (await ask('GET', '/front/pipeline/outputs/pose/sample')).body
  const truth = (await ask('GET', '/front/truth')).body
  const smoke = (await ask('GET', '/front/pipeline/smoke')).body
  const metrics = (await ask('GET', '/front/metrics')).body

  assert.deepEqual(
    tags.sample.rows.map(({ id, family }: { id: number; family: string }) => [id, family]),
    [
      [3, 'tag36h11'],
      [9, 'tag36h11'],
    ],
  )
  assert.deepEqual([pose.kind, pose.sample.rows[0].field_robot.x_m], ['field_pose', 1.03])
  assert.equal('alternative' in pose.sample.rows[0], false)
  assert.equal(tags.sample.captured_at_ms, fake.directory.clock.nowMs() - 20)
  assert.deepEqual([tags.sample.too_full, truth.sample.too_full], [true, true])
  assert.equal(truth.sample.robot.x_m, 1)
  assert.equal(Math.round(truth.sample.error.distance_m * 100), 3)
  assert.deepEqual([smoke.healthy, smoke.last_frame_age_ms], [true, 10])
  assert.equal(metrics.latency_us.p50, 10_000)
  fake.clock.advanceMs(5000)
  assert.equal((await ask('GET', '/front/pipeline/smoke')).body.healthy, false)
})

test('figures of all streams are answered at once, the same as of each alone', async (t) => {
  const { ask, fake } = await streamsApi(t)
  for (const id of ['front', 'rear']) await fake.addStream({ id, source: { backend: 'synthetic' } })

  const { streams } = (await ask('GET', '/metrics')).body

  for (const { id, ...metrics } of streams) assert.deepEqual(metrics, (await ask('GET', `/${id}/metrics`)).body)
  assert.deepEqual(
    streams.map(({ id }: { id: string }) => id),
    ['front', 'rear'],
  )
})

test('no stream is called what the device publishes itself, under its own name or for other devices', async (t) => {
  const { ask } = await streamsApi(t)
  const taken = [LOCALIZATION_TABLE, DEVICE]
  assert.deepEqual(new Set(NAMES_OF_THE_DEVICE), new Set(taken))

  for (const id of taken) {
    const refused = await ask('POST', '', { id, source: synthetic })
    assert.deepEqual([refused.status, refused.body.errors[0].pointer], [422, '/id'])
    assert.match(refused.body.detail, /what the device itself publishes.*choose another/)
  }
  const named = await ask('POST', '', { alias: 'Localization', source: synthetic })

  assert.equal(named.body.id, 'localization-2')
})

test('no stream gets a word of the API as its id', async (t) => {
  const { ask } = await streamsApi(t)
  const words = allEndpoints().flatMap(({ path }) => /^\/v1\/streams\/([a-z][^/]*)/.exec(path)?.[1] ?? [])

  const refused = await ask('POST', '', { id: 'metrics', source: synthetic })
  const named = await ask('POST', '', { alias: 'Metrics', source: synthetic })

  assert.deepEqual(new Set(words), RESERVED_STREAM_IDS)
  assert.deepEqual(
    [refused.status, refused.body.code, refused.body.errors[0].pointer],
    [422, 'manifest.invalid', '/id'],
  )
  assert.equal(named.body.id, 'metrics-2')
})

test('one request tells all outputs with their newest values', async (t) => {
  const { ask, fake } = await streamsApi(t)
  const pipeline: GraphDocument = {
    nodes: [
      { id: 'source', type: 'source' },
      { id: 'tags', type: 'apriltag' },
      { id: 'drawn', type: 'overlay' },
    ],
    edges: [
      { from: 'source.image', to: 'tags.image' },
      { from: 'source.colour', to: 'drawn.image' },
      { from: 'tags.detections', to: 'drawn.detections' },
    ],
    outputs: [
      { port: 'tags', from: 'tags.detections' },
      { port: 'picture', from: 'drawn.image' },
    ],
  }
  const stream = await fake.addStream({ id: 'front', source: { backend: 'synthetic' }, pipeline })
  const list = async (query = '?include=samples') => (await ask('GET', `/front/pipeline/outputs${query}`)).body.outputs
  const before = await list()
  stream.results.set(packed({ seq: 4 }, [{ port: 'tags', kind: 'detections', rows: [{ id: 3 }, { id: 9 }] }]))

  const [plain, listed] = [await list(''), await list()]

  assert.deepEqual(
    plain.map(({ port, sample }: { port: string; sample?: object }) => [port, sample]),
    ['tags', 'picture', 'truth', 'visible'].map((port) => [port, undefined]),
  )
  assert.deepEqual(
    before.map(({ sample }: { sample?: object }) => sample),
    [null, undefined, null, null],
  )
  const { sample } = (await ask('GET', '/front/pipeline/outputs/tags/sample')).body
  assert.deepEqual(listed[0], { ...plain[0], sample })
  assert.equal(sample.rows.length, 2)
})

test('only a synthetic stream knows the truth', async (t) => {
  const { ask, fake } = await streamsApi(t)
  await fake.addStream({ id: 'files', source: { backend: 'images', path: '/pictures' } })

  assert.equal((await ask('GET', '/files/truth')).body.code, 'stream.no_truth')
  assert.equal((await ask('GET', '/files/pipeline/outputs/truth/sample')).body.code, 'output.not_found')
})
