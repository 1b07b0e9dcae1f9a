// What other devices see here.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Inventory } from '../../../machines/interdevice/inventory.ts'
import { busyApi } from '../../support/api/busy-api.ts'

const asked = async (t: TestContext) => {
  const api = await busyApi(t)
  const inventory = async (): Promise<Inventory> =>
    (await api.app.inject({ url: '/v1/interdevice/resources', headers: { host: 'localhost' } })).json()
  return { ...api, inventory }
}

test('the inventory is of one moment: events followed from there miss nothing and repeat nothing', async (t) => {
  const { fake, inventory } = await asked(t)
  const { events, identity } = fake.directory
  const before = await inventory()

  const revision = await fake.put({ id: 'front', alias: 'Bow', source: { backend: 'synthetic' } })
  const missed = events.since(before.seq, before.epoch)
  const after = await inventory()

  assert.deepEqual([before.epoch, after.seq], [identity.epoch, events.last()])
  assert.ok(missed.type === 'events' && missed.events.some((event) => event.revision === revision))
  const front = after.streams.find(({ id }) => id === 'front')
  assert.deepEqual([front?.alias, front?.revision], ['Bow', revision])
})

test('who has heard of a change asks for what it is about alone', async (t) => {
  const { app, inventory } = await asked(t)
  const part = async (query: string) =>
    (await app.inject({ url: `/v1/interdevice/resources?${query}`, headers: { host: 'localhost' } })).json<Inventory>()
  const all = await inventory()

  const [front, free, nobody] = [
    await part('stream_id=front'),
    await part('camera_uid=cam-k3f7q2ma'),
    await part('stream_id=nobody'),
  ]

  const of = (id: string) => ({
    streams: all.streams.filter((stream) => stream.id === id),
    pipelines: all.pipelines.filter(({ stream_id }) => stream_id === id),
    localization_outputs: all.localization_outputs.filter(({ stream_id }) => stream_id === id),
    rig: all.rig.filter(({ stream_id }) => stream_id === id),
  })
  const head = ({ seq }: Inventory) => ({ device_id: all.device_id, epoch: all.epoch, seq }) // it grows with any event
  assert.deepEqual([front.streams.length, front.rig.length], [1, 1])
  assert.deepEqual(front, { ...head(front), ...of('front') })
  assert.deepEqual(nobody, { ...head(nobody), ...of('nobody') })
  assert.deepEqual(
    free.rig.map(({ camera_uid, stream_id, pose }) => [camera_uid, stream_id, pose]),
    [['cam-k3f7q2ma', null, null]],
  )
})

test('what can be changed is read first, with the revision that a change may expect', async (t) => {
  const { app, fake } = await asked(t)
  const ask = async (path: string) => {
    const response = await app.inject({ url: `/v1/interdevice/${path}`, headers: { host: 'localhost' } })
    return { status: response.statusCode, etag: response.headers.etag, body: response.json() }
  }
  const revision = fake.streams.get('front')?.stored.revision

  const [controls, none, graph, pose, free] = [
    await ask('streams/side/controls'),
    await ask('streams/front/controls'),
    await ask('streams/front/pipeline/graph'),
    await ask('rig/cameras/stream-front/pose'),
    await ask('rig/cameras/cam-k3f7q2ma/pose'),
  ]
  await fake.put({ id: 'front', internal: true, source: { backend: 'synthetic' } })
  const hidden = await Promise.all(
    ['streams/front/controls', 'streams/front/pipeline/graph', 'rig/cameras/stream-front/pose'].map(ask),
  )

  assert.deepEqual([controls.body.camera_uid, controls.body.controls[0].name], ['cam-side2345', 'brightness'])
  assert.deepEqual([none.status, none.body.controls], [200, []])
  assert.deepEqual([graph.body.revision, graph.etag, graph.body.is_stored], [revision, `"${revision}"`, false])
  assert.deepEqual(graph.body.graph.nodes[0].id, 'source')
  assert.deepEqual([pose.body.revision, pose.body.stream_id, pose.body.pose.x_m], [revision, 'front', 1])
  assert.deepEqual([free.body.revision, free.body.stream_id, free.body.pose], [0, null, null])
  assert.deepEqual(
    hidden.map(({ status }) => status),
    [404, 404, 404],
  )
})

test('an internal stream is none of the business of other devices', async (t) => {
  const { fake, inventory } = await asked(t)

  await fake.put({ id: 'front', internal: true, source: { backend: 'synthetic' } })
  const { streams, pipelines, rig } = await inventory()

  assert.deepEqual(
    [streams, pipelines].map((each) => each.length),
    [1, 1],
  )
  assert.ok(!JSON.stringify({ streams, pipelines, rig }).includes('front'))
})

test('the formats are those that this device can give', async (t) => {
  const { inventory } = await asked(t)

  assert.deepEqual((await inventory()).streams[0]?.formats, ['mjpeg', 'jpeg', 'h264'])
})

test('another device says where a camera sits, and is told the revision after it', async (t) => {
  const { app, fake } = await asked(t)
  const pose = { x_m: 0.2, y_m: 0.1, z_m: 0.6, roll_deg: 0, pitch_deg: 0, yaw_deg: 180 }
  const send = (method: 'PUT' | 'DELETE', camera: string, payload: object) =>
    app.inject({ method, url: `/v1/interdevice/rig/cameras/${camera}/pose`, headers: { host: 'localhost' }, payload })
  const front = () => fake.streams.get('front')

  const set = await send('PUT', 'stream-front', { ...pose, expected_revision: front()?.stored.revision })
  const between = front()?.manifest.pose
  const stale = await send('DELETE', 'stream-front', { expected_revision: 1 })
  const cleared = await send('DELETE', 'stream-front', {})
  await fake.put({ id: 'front', internal: true, source: { backend: 'synthetic' } })
  const internal = await send('PUT', 'stream-front', pose)

  assert.deepEqual([set.statusCode, set.headers.etag, between], [204, '"2"', pose])
  assert.deepEqual([stale.statusCode, cleared.statusCode, cleared.headers.etag], [409, 204, '"3"'])
  assert.deepEqual([front()?.manifest.pose, internal.statusCode], [undefined, 404])
})
