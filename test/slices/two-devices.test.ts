// Two real services on one machine: one has a camera, the other sees it, has things done with it, and hears what
// changes. Nothing of it runs there.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Inventory } from '../../machines/interdevice/inventory.ts'
import type { PeerRecord } from '../../machines/peers/peer-record.ts'
import { isJpeg, viewer } from '../support/api/preview.ts'
import { eventsOf } from '../support/peers/heard-events.ts'
import { site } from '../support/processes/daemon.ts'
import { enginesOf } from '../support/processes/engines.ts'
import { until } from '../support/until.ts'

const SOURCE = { backend: 'synthetic', width_px: 640, height_px: 480, fps: 15 } as const
const POSE = { x_m: 0.31, y_m: -0.12, z_m: 0.5, roll_deg: 0, pitch_deg: -15, yaw_deg: 30 }
const STREAM = '/v1/peers/back/streams/front'

/** A device with a camera, and one that knows it. `source` says which run of it there is. */
const twoDevices = async (t: TestContext) => {
  const [back, front] = [site(t), site(t)]
  const first = await back.start()
  await first.addStream({ id: 'front', source: SOURCE })
  await first.stream('front', 'live')
  const here = await front.start()
  const registered = await here.send<PeerRecord>('POST', '/v1/peers', { base_url: first.url, name: 'back' })
  assert.equal(registered.status, 201)
  const linked = () =>
    until(
      'the link',
      () => here.get<PeerRecord>('/v1/peers/back'),
      ({ status }) => status === 'linked',
    )
  return { first, here, linked, startAgain: () => back.start({ http: new URL(first.url).host }) }
}

test('what another device has is seen and watched here, and nothing of it runs here', async (t) => {
  const { first, here, linked } = await twoDevices(t)
  const record = await linked()

  const { items } = await here.get<{ items: readonly Record<string, unknown>[] }>('/v1/streams?include=remote')
  const frame = await fetch(`${here.url}${STREAM}/frame`)
  const [picture, itself] = [
    Buffer.from(await frame.arrayBuffer()),
    await first.get<Inventory>('/v1/interdevice/resources'),
  ]

  assert.deepEqual([record.integration, record.authority, record.device_id], ['native', 'source', itself.device_id])
  assert.deepEqual(
    items.map(({ id, compute, authority, origin }) => ({ id, compute, authority, origin })),
    [
      {
        id: 'back:front',
        compute: 'proxy',
        authority: 'source',
        origin: { peer_id: 'back', revision: itself.streams[0]?.revision, stale: false },
      },
    ],
  )
  assert.ok(frame.ok && isJpeg(picture))
  assert.deepEqual(await here.get<{ items: readonly unknown[] }>('/v1/streams').then(({ items }) => items), [])
  assert.deepEqual(enginesOf(here), [], 'no engine')
})

test('ten who watch here are one viewer there, and all see whole pictures', async (t) => {
  const { first, here, linked } = await twoDevices(t)
  await linked()

  const viewers = await Promise.all(Array.from({ length: 10 }, () => viewer(t, `${here.url}${STREAM}/preview`)))
  await until('pictures for all', () => viewers.every(({ shown }) => shown.length >= 5))

  assert.equal((await first.metrics('front')).viewers, 1)
  for (const { response, shown } of viewers) {
    assert.equal(response.statusCode, 200)
    assert.ok(shown.every(({ jpeg, isPlaceholder }) => isJpeg(jpeg) && !isPlaceholder))
    assert.ok(shown.every(({ seq }, n) => n === 0 || seq > (shown[n - 1]?.seq ?? 0)))
  }
  assert.deepEqual(enginesOf(here), [], 'no engine')
})

test('an order is carried out there, its revision comes back, and who listens here hears of it', async (t) => {
  const { first, here, linked } = await twoDevices(t)
  await linked()
  const events = await eventsOf(t, here)
  const order = { request_id: 'one', command: 'set_pose', payload: POSE, expected_revision: 1 }

  const { status, body } = await here.send<{ new_revision: number }>('POST', `${STREAM}/commands`, order)
  const again = await here.send('POST', `${STREAM}/commands`, order)
  const stale = await here.send<{ code: string }>('POST', `${STREAM}/commands`, { ...order, request_id: 'two' })
  const heard = await until('the event of the pose', () => events.find(({ kind }) => kind === 'pose_changed'), Boolean)

  assert.deepEqual([status, body.new_revision], [200, 2])
  assert.deepEqual([again.status, again.body], [status, body])
  assert.deepEqual([stale.status, stale.body.code], [409, 'revision.stale'])
  assert.deepEqual(heard?.resource_ref, { stream_id: 'front', camera_uid: 'stream-front', peer_id: 'back' })
  assert.deepEqual((await first.stream('front', 'live')).spec.pose, POSE)
  await until(
    'the revision in what is known here',
    () => here.get<PeerRecord>('/v1/peers/back'),
    ({ streams }) => streams[0]?.revision === 2,
  )
})

test('a device that is killed is said to be away, and is found again', async (t) => {
  const { first, here, linked, startAgain } = await twoDevices(t)
  await linked()

  await first.end('SIGKILL')
  const away = await until(
    'the loss',
    () => here.get<PeerRecord>('/v1/peers/back'),
    ({ status }) => status !== 'linked',
  )
  const refused = await here.send<{ code: string }>('POST', `${STREAM}/commands`, {
    request_id: 'three',
    command: 'clear_pose',
  })
  await startAgain()
  const back = await until(
    'the link, and all that was missed',
    () => here.get<PeerRecord>('/v1/peers/back'),
    ({ status, stale }) => status === 'linked' && !stale,
  )

  assert.ok(away.stale)
  assert.equal(away.streams[0]?.id, 'front', 'what is known stays, and says that it is old')
  assert.deepEqual([refused.status, refused.body.code], [502, 'peer.unreachable'])
  assert.equal(back.fault, null)
})
