// A robot program drives its camera over real sockets: slots, pictures, clips, which tag it wants, where the camera
// sits. What makes no sense harms nobody.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StreamView } from '../../api/stream/wire.ts'
import { WRITE_KEYS } from '../../machines/extcam/writes/keys.ts'
import type { MediaItem } from '../../machines/media/item.ts'
import type { Nt4Session, Nt4Type, Nt4Value } from '../../native/nt4/port.ts'
import { tagsFile } from '../support/engine/engine-task.ts'
import { tagsAs } from '../support/engine/graphs.ts'
import { fileLifetime, type Lifetime } from '../support/lifetime.ts'
import { crudeServer, gather, nt4Lab } from '../support/nt4/nt4.ts'
import { stranger } from '../support/nt4/stranger.ts'
import { type Daemon, site } from '../support/processes/daemon.ts'
import { until } from '../support/until.ts'

/** Not for us: neither read nor published. */
const EXCLUDED = ['llpython', 'rawbarcodes', 'imumode_set', 'imuassistalpha_set', 'llrobot']

/** Writes as a robot program does: each key is published once, with the type of its first value. */
const writer = (session: Nt4Session) => {
  const handles = new Map<string, number>()
  return (key: string, value: Nt4Value, type: Nt4Type = Array.isArray(value) ? 'double[]' : 'double') => {
    const handle = handles.get(key) ?? session.publish(`/limelight/${key}`, type)
    handles.set(key, handle)
    session.write([[handle, value]])
  }
}

/** The newest value of a read key. */
const reader = (session: Nt4Session, key: string) => {
  const { updates } = gather(session, [`/limelight/${key}`])
  return () => updates.at(-1)?.value
}

const itemsOf = async (daemon: Daemon, origin: string) => {
  const { items } = await daemon.get<{ items: MediaItem[] }>('/v1/media')
  return items.filter((item) => item.origin === origin && item.state === 'ready')
}

/** One service for the tests that drive a camera, with a stream of two slots, and a robot on the server of the lab. */
const begun = async (t: Lifetime) => {
  const place = site(t)
  const { path } = await tagsFile(t, place.dataDir)
  const lab = nt4Lab(t)
  const { port } = await lab.serve()
  const daemon = await place.start({ nt4: `127.0.0.1:${port}` })
  for (const id of ['near', 'far']) await daemon.send('POST', '/v1/pipelines/graphs', { id, ...tagsAs(id) })
  const slots = ['near', 'far'].map((graph_id, slot) => ({ slot, graph_id }))
  const source = { backend: 'images', path, fps: 30 } as const
  await daemon.addStream({ id: 'front', source, slots, rewind: { max_bytes: 8 * 1024 * 1024 } })
  const robot = await lab.connect(port, 'robot')
  const heartbeats = reader(robot, 'hb')
  await until('the heartbeat', heartbeats, (value) => Number(value) > 0)
  return { place, port, daemon, robot, heartbeats }
}

const { place, port, daemon, robot, heartbeats } = await begun(fileLifetime())
const write = writer(robot)
const spec = async () => (await daemon.get<StreamView>('/v1/streams/front')).spec

test('a robot switches to a slot, as if over HTTP', async () => {
  const { revision } = await daemon.get<StreamView>('/v1/streams/front')

  write('pipeline', 1)

  await until('the slot', spec, ({ active_slot }) => active_slot === 1)
  assert.ok((await daemon.get<StreamView>('/v1/streams/front')).revision > revision)
  const sample = () => daemon.send('GET', '/v1/streams/front/pipeline/outputs/far/sample')
  await until('its output', sample, ({ status }) => status === 200)
})

test('a slot without a pipeline is reported, and changes nothing', async () => {
  write('pipeline', 8)

  const { detail } = await daemon.error('extcam.bad_write', 'streams/front')
  assert.match(detail, /pipeline 8 changes nothing: the slot 8 of the stream front refers to no stored pipeline/)
  assert.equal((await spec()).active_slot, 1)
})

test('a picture is taken when its count rises', async () => {
  write('snapshot', 1, 'int')

  const pictures = await until(
    'a picture',
    () => itemsOf(daemon, 'snapshot'),
    ({ length }) => length > 0,
  )
  assert.deepEqual(
    pictures.map(({ stream_id, kind }) => [stream_id, kind]),
    [['front', 'picture']],
  )
})

test('the camera is where the robot says, and at its place again when that is all zeros', async () => {
  const place = reader(robot, 'camerapose_robotspace')
  const isAt = (...pose: number[]) =>
    until(
      'the pose',
      place,
      (value) => JSON.stringify([...((value ?? []) as number[])].map(rounded)) === JSON.stringify(pose),
    )
  await isAt(0, 0, 0, 0, 0, 0)

  write('camerapose_robotspace_set', [0.1, 0.2, 0.3, 0, 20, -30])
  await isAt(0.1, 0.2, 0.3, 0, 20, -30)
  assert.equal((await spec()).pose, undefined)
  const { status } = await daemon.get<StreamView>('/v1/streams/front')
  assert.deepEqual(status.robot?.mount, { x_m: 0.1, y_m: -0.2, z_m: 0.3, roll_deg: 0, pitch_deg: -20, yaw_deg: 30 })

  write('camerapose_robotspace_set', [0, 0, 0, 0, 0, 0])
  await isAt(0, 0, 0, 0, 0, 0)
  assert.equal((await daemon.get<StreamView>('/v1/streams/front')).status.robot, null)
})

test('all other keys are accepted, and nothing of them is stored', async () => {
  const { revision } = await daemon.get<StreamView>('/v1/streams/front')
  write('stream', 1)
  write('crop', [-1, 1, 0, 1])
  write('throttle_set', 1, 'int')
  write('priorityid', 3)
  write('fiducial_offset_set', [0, 0.1, 0])
  write('fiducial_id_filters_set', [1, 2, 3])
  write('fiducial_downscale_set', 3)
  for (let n = 0; n < 100; n++) write('robot_orientation_set', [n, 0, 0, 0, 0, 0])
  const heartbeat = Number(heartbeats())
  await until('further frames', heartbeats, (value) => Number(value) > heartbeat + 10)

  const view = await daemon.get<StreamView>('/v1/streams/front')
  assert.deepEqual([view.revision, view.status.state, view.status.restarts], [revision, 'live', 0])
  assert.deepEqual(view.status.robot, {
    skip: 1,
    window: { x0: 0, y0: 0, x1: 1, y1: 0.5 },
    priority_id: 3,
    aim_m: [0, 0.1, 0],
    localization_ids: [1, 2, 3],
    decimate: 2,
    mount: null,
    keeps_rewind: true,
  })
  const { items } = await daemon.get<{ items: { code: string }[] }>('/v1/errors')
  assert.deepEqual(
    items.filter(({ code }) => code.startsWith('engine.')),
    [],
  )
})

test('the last pictures are saved when their count rises, also those from before a pause', async () => {
  write('capture_rewind', [1, 5])
  const clips = await until(
    'a clip',
    () => itemsOf(daemon, 'rewind'),
    ({ length }) => length > 0,
  )
  assert.equal(clips[0]?.stream_id, 'front')
  await until(
    'the end of the recording',
    () => daemon.get<StreamView>('/v1/streams/front'),
    ({ status }) => status.recording === null,
  )

  write('rewind_enable_set', 0)
  const clipsThen = () => {
    write('capture_rewind', [Date.now(), 5]) // it is heard once in two seconds
    return itemsOf(daemon, 'rewind')
  }
  await until('a clip of what was kept before', clipsThen, ({ length }) => length > clips.length)
})

test('a restarted camera repeats no picture, and takes the next one', async (t) => {
  const before = (await itemsOf(daemon, 'snapshot')).length
  await daemon.end('SIGTERM')
  const again = await place.start({ nt4: `127.0.0.1:${port}` })
  t.after(() => again.end('SIGTERM')) // the tests that follow have services of their own
  await again.stream('front', 'live')
  const heartbeat = Number(heartbeats())
  await until('frames', heartbeats, (value) => Number(value) !== heartbeat && Number(value) > 5)
  assert.equal((await itemsOf(again, 'snapshot')).length, before)

  write('snapshot', 2, 'int')

  await until(
    'another picture',
    () => itemsOf(again, 'snapshot'),
    ({ length }) => length === before + 1,
  )
})

test('whatever a robot writes on whatever key, its camera goes on', async (t) => {
  const daemon = await site(t).start({ nt4: 'serve:127.0.0.1:0' })
  const port = await until('the port of its NT4 server', () => daemon.nt4Port)
  await daemon.addStream({ id: 'front', source: { backend: 'synthetic', width_px: 640, height_px: 480, fps: 15 } })
  const robot = await nt4Lab(t).connect(port, 'robot')
  const heartbeats = reader(robot, 'hb')
  await until('the heartbeat', heartbeats, (value) => Number(value) > 0)
  const rubbish: readonly [Nt4Type, Nt4Value][] = [
    ['double', Number.NaN],
    ['double', -1e300],
    ['float', Number.POSITIVE_INFINITY],
    ['int', 2n ** 62n],
    ['double[]', [Number.NaN, 0, 1, 2]],
    ['double[]', Array(10_000).fill(1e9)],
    ['int[]', [1, 2, 3, 4, 5, 6, 7]],
    ['string', '1'],
    ['boolean', true],
    ['boolean[]', [true, false]],
    ['raw', Uint8Array.of(0x93, 1)],
    ['string[]', ['1', '2']],
  ]

  for (const [type, value] of rubbish) {
    const handles = WRITE_KEYS.map((key) => robot.publish(`/limelight/${key}`, type))
    robot.write(handles.map((handle) => [handle, value]))
    const heartbeat = Number(heartbeats())
    await until('its arrival', heartbeats, (now) => Number(now) > heartbeat + 2)
    for (const handle of handles) robot.unpublish(handle) // the next has another type
  }

  await daemon.error('extcam.bad_write', 'streams/front', ({ count }) => count >= WRITE_KEYS.length)
  const heartbeat = Number(heartbeats())
  await until('further frames', heartbeats, (value) => Number(value) > heartbeat + 10)
  const { status } = await daemon.get<StreamView>('/v1/streams/front')
  assert.deepEqual([status.state, status.restarts], ['live', 0])
  const health = await daemon.get<{ parts: { name: string; restarts: number }[] }>('/v1/health')
  assert.deepEqual(
    health.parts.filter(({ name, restarts }) => name.startsWith('extcam') && restarts > 0),
    [],
  )
})

test("a robot program that speaks by other people's client drives a camera on its own server", async (t) => {
  const daemon = await site(t).start({ nt4: 'serve:127.0.0.1:0' })
  const port = await until('the port of its NT4 server', () => daemon.nt4Port)
  for (const id of ['near', 'far']) await daemon.send('POST', '/v1/pipelines/graphs', { id, ...tagsAs(id) })
  const slots = ['near', 'far'].map((graph_id, slot) => ({ slot, graph_id }))
  const source = { backend: 'synthetic', width_px: 640, height_px: 480, fps: 15 } as const
  await daemon.addStream({ id: 'front', source, slots })
  const { publisher } = await stranger(t, port)
  const pipeline = await publisher('/limelight/pipeline')
  const snapshot = await publisher('/limelight/snapshot')

  pipeline(1)
  for (const count of [0, 1]) snapshot(count)

  const spec = async () => (await daemon.get<StreamView>('/v1/streams/front')).spec
  await until('the slot', spec, ({ active_slot }) => active_slot === 1)
  const pictures = () => itemsOf(daemon, 'snapshot')
  await until('a picture', pictures, ({ length }) => length === 1)
})

test('the write keys are subscribed to and never published; those that are not for us are neither', async (t) => {
  const robot = await crudeServer(t)
  const daemon = await site(t).start({ nt4: `127.0.0.1:${robot.port}` })
  await daemon.addStream({ id: 'front', source: { backend: 'synthetic', width_px: 640, height_px: 480, fps: 15 } })
  const said = () => robot.texts.flatMap((text) => JSON.parse(text) as { method: string; params: Said }[])
  const subscribed = () => said().flatMap(({ method, params }) => (method === 'subscribe' ? (params.topics ?? []) : []))
  const published = () => said().flatMap(({ method, params }) => (method === 'publish' ? [params.name] : []))

  await until('the subscription', subscribed, (names) => names.includes('/limelight/capture_rewind'))
  await until('the table', published, (names) => names.includes('/limelight/json'))

  for (const key of WRITE_KEYS) {
    assert.ok(subscribed().includes(`/limelight/${key}`), key)
    assert.ok(!published().includes(`/limelight/${key}`), key)
  }
  const everything = robot.texts.join()
  for (const key of EXCLUDED) assert.ok(!everything.includes(key), key)
  const wide = () => said().filter(({ params }) => params.options?.prefix && !params.options.topicsonly)
  const own = ['device/imu', 'front', 'localization'].map((table) => `$pub$/vedette/${table}/`)
  const publishers = ['$pub$/limelight/', ...own]
  const wideNames = () => wide().flatMap(({ params }) => params.topics ?? [])
  const names = await until('who publishes the same', wideNames, ({ length }) => length >= publishers.length)
  assert.deepEqual(names.toSorted(), publishers, 'nothing is read by its beginning but who publishes the same')
})

interface Said {
  readonly name?: string
  readonly topics?: readonly string[]
  readonly options?: { readonly prefix?: boolean; readonly topicsonly?: boolean }
}

const rounded = (value: number): number => Math.round(value * 1e6) / 1e6
