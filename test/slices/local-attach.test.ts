// Two real services: the camera of one, and a pipeline of the other that works on its pictures, because somebody said
// so.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { StreamView } from '../../api/stream/wire.ts'
import type { ListedPeerStream } from '../../machines/peers/listed-stream.ts'
import type { PeerRecord } from '../../machines/peers/peer-record.ts'
import { viewer } from '../support/api/preview.ts'
import { type Daemon, site } from '../support/processes/daemon.ts'
import { enginesOf } from '../support/processes/engines.ts'
import { until } from '../support/until.ts'

const SOURCE = { backend: 'synthetic', width_px: 640, height_px: 480, fps: 15, motion: 'still', noise: 0 } as const
const MOUNT = { x_m: 0.2, y_m: -0.1, z_m: 0.5, roll_deg: 0, pitch_deg: 0, yaw_deg: 0 }
const PEER = '/v1/peers/back'
const FRONT = `${PEER}/streams/front`
const HERE = 'back-front'
const NEAR_M = 0.05
const ANOTHER_POSE = { ...MOUNT, z_m: 0.6 }

const setCompute = (here: Daemon, compute: string, request_id = compute) =>
  here.send<Record<string, unknown>>('POST', `${FRONT}/commands`, {
    request_id,
    command: 'set_compute',
    payload: { compute },
  })

/** As the record of the peer and the list of streams have it, which say the same. */
const shown = async (here: Daemon) => {
  const [{ streams }, { items }] = await Promise.all([
    here.get<PeerRecord>(PEER),
    here.get<{ items: readonly ListedPeerStream[] }>('/v1/streams?include=remote'),
  ])
  const [inRecord, inList] = [streams[0], items.find(({ origin }) => origin?.peer_id === 'back')].map((each) => ({
    compute: each?.compute,
    authority: each?.authority,
    local_stream_id: each?.local_stream_id,
  }))
  assert.deepEqual(inList, inRecord)
  return inRecord
}
const AS_PROXY = { compute: 'proxy', authority: 'source', local_stream_id: undefined }
const AS_LOCAL = { compute: 'local_attach', authority: 'local', local_stream_id: HERE }

const linked = (here: Daemon) =>
  until(
    'the link',
    () => here.get<PeerRecord>(PEER),
    ({ status }) => status === 'linked',
  )

/** A device with a camera, and one that knows it and nothing else. */
const twoDevices = async (t: TestContext) => {
  const [back, front] = [site(t), site(t)]
  const there = await back.start()
  await there.addStream({ id: 'front', source: SOURCE, pose: MOUNT })
  const here = await front.start()
  await here.send('POST', '/v1/peers', { base_url: there.url, name: 'back' })
  await linked(here)
  return { front, there, here, thereAgain: () => back.start({ http: new URL(there.url).host }) }
}

/** The same, and the pictures of the camera are worked on where it is known. */
const attached = async (t: TestContext) => {
  const devices = await twoDevices(t)
  const { status, body } = await setCompute(devices.here, 'local_attach')
  assert.equal(status, 200, JSON.stringify(body))
  await devices.here.stream(HERE, 'live')
  return devices
}

interface Sample {
  readonly sample: { readonly captured_us: number; readonly rows: readonly { readonly field_robot: Place }[] }
}
interface Place {
  readonly x_m: number
  readonly y_m: number
  readonly z_m: number
}

/** Where the robot stands by a stream, as soon as it says so of a picture that came after a moment. */
const placeBy = async (daemon: Daemon, id: string, output = 'pose', afterUs = 0) => {
  const path = `/v1/streams/${id}/pipeline/outputs/${output}/sample`
  const look = async () => {
    const { status, body } = await daemon.send<Sample>('GET', path)
    return status === 200 ? body.sample : undefined
  }
  const isGood = (sample: Sample['sample'] | undefined) =>
    sample !== undefined && sample.rows.length > 0 && sample.captured_us > afterUs
  const found = (await until(`a place by ${id}`, look, isGood)) as Sample['sample']
  return { us: found.captured_us, ...(found.rows[0]?.field_robot as Place) }
}

const isNear = (one: Place, other: Place) => {
  const apart = Math.hypot(one.x_m - other.x_m, one.y_m - other.y_m, one.z_m - other.z_m)
  assert.ok(apart < NEAR_M, `${apart} m apart`)
}

const noEngines = (here: Daemon) => until('the end of the engine', () => enginesOf(here).length === 0)

test('an attached stream places the robot here by one connection, and leaves nothing when detached', async (t) => {
  const { there, here } = await twoDevices(t)
  const watching = await viewer(t, `${here.url}${FRONT}/preview`)
  assert.deepEqual([enginesOf(here), await shown(here)], [[], AS_PROXY])

  const { status, body } = await setCompute(here, 'local_attach')
  const repeat = await setCompute(here, 'local_attach')
  const another = await setCompute(here, 'local_attach', 'another')
  await here.stream(HERE, 'live')
  const place = await placeBy(here, HERE)

  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual(body.result, { compute: 'local_attach', local_stream_id: HERE })
  assert.deepEqual([repeat.body, another.body.result], [body, body.result])
  assert.deepEqual([enginesOf(here).length, await shown(here)], [1, AS_LOCAL])
  isNear(place, await placeBy(there, 'front', 'truth'))
  assert.equal((await there.metrics('front')).viewers, 1, 'who watches here and the engine here are one')
  assert.ok(watching.isOpen())

  const taken = await setCompute(here, 'proxy')
  await noEngines(here)
  await until('the source as owner', async () => (await here.get<PeerRecord>(PEER)).streams[0]?.authority === 'source')

  assert.deepEqual([taken.status, taken.body.result], [200, { compute: 'proxy' }])
  assert.deepEqual(await shown(here), AS_PROXY)
  assert.deepEqual((await here.get<{ items: unknown[] }>('/v1/streams')).items, [])
  const before = watching.shown.length
  await until('pictures for who watches', () => watching.shown.length > before)
})

test('an engine here that is killed costs its own results, and they come back; nobody else notices', async (t) => {
  const { there, here } = await attached(t)
  const watching = await viewer(t, `${here.url}${FRONT}/preview`)
  const [engine] = enginesOf(here)
  const { us } = await placeBy(here, HERE)
  const [engineThere] = enginesOf(there)

  process.kill(engine as number, 'SIGKILL')
  await until('another engine', () => enginesOf(here).some((pid) => pid !== engine))
  await placeBy(here, HERE, 'pose', us)

  assert.equal((await here.get<PeerRecord>(PEER)).status, 'linked')
  assert.deepEqual([enginesOf(there), (await there.metrics('front')).restarts], [[engineThere], 0])
  assert.ok(watching.isOpen())
  assert.equal((await there.metrics('front')).viewers, 1)
})

test('a source that dies is said to be away, and its results here are back by themselves when it is', async (t) => {
  const { there, here, thereAgain } = await attached(t)
  const { us } = await placeBy(here, HERE)

  await there.end('SIGKILL')
  const away = await until(
    'a stream that says so',
    () => here.get<StreamView>(`/v1/streams/${HERE}`),
    ({ status }) => status.state !== 'live' && status.fault !== null,
  )
  await until(
    'a record that is old',
    () => here.get<PeerRecord>(PEER),
    ({ streams }) => streams[0]?.origin.stale === true,
  )
  const kept = await shown(here)
  await thereAgain()
  await here.stream(HERE, 'live')
  const { us: after } = await placeBy(here, HERE, 'pose', us)

  assert.match(away.status.fault?.detail ?? '', /^No pictures come of front of the peer back: /)
  assert.doesNotMatch(JSON.stringify(away), /key=|127\.0\.0\.1/)
  assert.deepEqual(kept, AS_LOCAL, 'the order stays')
  assert.ok(after > us)
})

test('what was said holds after a restart of the device that was told', async (t) => {
  const { front, here } = await attached(t)

  const { code } = await here.end('SIGTERM')
  const again = await front.start()
  await again.stream(HERE, 'live')
  await placeBy(again, HERE)

  assert.equal(code, 0)
  assert.deepEqual([enginesOf(again).length, await shown(again)], [1, AS_LOCAL])
})

const partsOfPeer = async (here: Daemon) => {
  const { parts } = await here.get<{ parts: readonly { name: string }[] }>('/v1/health')
  return parts.map(({ name }) => name).filter((name) => name.includes('back'))
}

test('where the camera sits is what its source says, and of a peer that is forgotten nothing is left', async (t) => {
  const { here } = await attached(t)
  const body = { request_id: 'pose', command: 'set_pose', payload: ANOTHER_POSE }

  await here.send('POST', `${FRONT}/commands`, body)
  await until(
    'the pose here',
    () => here.get<StreamView>(`/v1/streams/${HERE}`),
    ({ spec }) => spec.pose?.z_m === ANOTHER_POSE.z_m,
  )
  const before = await partsOfPeer(here)
  const { status } = await here.send('DELETE', PEER)
  await noEngines(here)
  await until('no stream', async () => (await here.get<{ items: unknown[] }>('/v1/streams')).items.length === 0)

  assert.equal(status, 200)
  assert.ok(before.includes('remote-streams/back/front') && before.includes(`streams/${HERE}`), before.join())
  await until('no parts of it', async () => (await partsOfPeer(here)).length === 0)
})
