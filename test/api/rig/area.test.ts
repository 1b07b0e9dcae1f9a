// The rig as a client sees it: one truth, two paths.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { CameraLayout } from '../../../api/rig/wire.ts'
import type { StreamView } from '../../../api/stream/wire.ts'
import { assertProblem } from '../../support/api/api.ts'
import { busyApi, orderedAtOnce } from '../../support/api/busy-api.ts'

const pose = { x_m: 0.2, y_m: 0.1, z_m: 0.6, roll_deg: 0, pitch_deg: 0, yaw_deg: 180 }

/** A service with a stream `front` and a camera that nobody uses. */
const rig = async (t: TestContext) => {
  const { app, fake } = await busyApi(t)
  const ask = async (
    method: 'GET' | 'PUT' | 'PATCH' | 'DELETE' | 'POST',
    url: string,
    payload?: object,
    headers = {},
  ) => {
    const response = await app.inject({
      method,
      url,
      headers: { host: 'localhost', ...headers },
      ...(payload && { payload }),
    })
    return {
      status: response.statusCode,
      body: response.body,
      etag: response.headers.etag,
      contentType: response.headers['content-type'] as string,
    }
  }
  const layout = async (): Promise<CameraLayout> => JSON.parse((await ask('GET', '/v1/device/camera-layout')).body)
  const stream = async (): Promise<StreamView> => JSON.parse((await ask('GET', '/v1/streams/front')).body)
  return { fake, ask, layout, stream }
}

test('the layout has all cameras: those of streams with their poses, and those that no stream has', async (t) => {
  const { layout } = await rig(t)

  const { cameras, robot } = await layout()

  assert.deepEqual(
    cameras.map(({ camera_uid, stream_id, present }) => [camera_uid.split('-')[0], stream_id, present]),
    [
      ['stream', 'front', true],
      ['cam', 'side', true],
      ['cam', null, true],
    ],
  )
  assert.deepEqual([cameras[0]?.pose?.x_m, cameras[0]?.quaternion], [1, { w: 1, x: 0, y: 0, z: 0 }])
  assert.deepEqual(robot, { length_m: null, width_m: null, height_m: null })
})

test('a pose set at one endpoint is read at the other, and one removed there is removed here', async (t) => {
  const { ask, layout, stream } = await rig(t)
  const { revision } = await layout()

  const { x_m, y_m, z_m } = pose
  const turned = { x_m, y_m, z_m, quaternion: { w: 0, x: 0, y: 0, z: 1 } }
  assert.equal((await ask('PUT', '/v1/device/cameras/stream-front/pose', turned)).status, 204)
  assert.deepEqual((await stream()).spec.pose, pose)
  assert.ok((await layout()).revision > revision)

  assert.equal((await ask('PUT', '/v1/streams/front/pose', { ...turned, x_m: 0.3 })).status, 204)
  assert.deepEqual((await layout()).cameras[0]?.pose, { ...pose, x_m: 0.3 })

  assert.equal((await ask('DELETE', '/v1/device/cameras/stream-front/pose')).status, 204)
  assert.equal((await stream()).spec.pose, undefined)
})

test('at either path a pose is changed on the revision of its stream', async (t) => {
  const { ask, layout } = await rig(t)
  const [front] = (await layout()).cameras

  const stale = await ask('PUT', '/v1/device/cameras/stream-front/pose', pose, { 'if-match': '"77"' })
  assertProblem(stale, 'revision.stale')
  const changed = await ask('PUT', '/v1/device/cameras/stream-front/pose', pose, { 'if-match': `"${front?.revision}"` })
  assert.deepEqual([changed.status, changed.etag], [204, `"${(front?.revision ?? 0) + 1}"`])
})

test('a camera that no stream has gets its pose with a stream, and one that nobody has met has none', async (t) => {
  const { ask } = await rig(t)

  const unused = await ask('PUT', '/v1/device/cameras/cam-k3f7q2ma/pose', pose)
  assert.match(assertProblem(unused, 'camera.no_stream').detail, /create one first$/)
  assertProblem(await ask('DELETE', '/v1/device/cameras/cam-aaaaaaaa/pose'), 'camera.not_found')
  const { x_m, y_m, z_m } = pose
  const half = await ask('PUT', '/v1/device/cameras/stream-front/pose', { x_m, y_m, z_m, yaw_deg: 3 })
  assert.deepEqual(
    assertProblem(half, 'body.invalid').errors?.map(({ pointer }) => pointer),
    ['/roll_deg', '/pitch_deg'],
  )
})

test('the robot is measured a part at a time, on the revision of the layout', async (t) => {
  const { ask, layout } = await rig(t)

  const measured = await ask('PATCH', '/v1/device/robot-dimensions', { length_m: 0.82, width_m: 0.76 })
  assert.equal(measured.status, 200)
  const first = JSON.parse(measured.body) as CameraLayout
  assert.deepEqual(first, await layout())
  assert.deepEqual(first.robot, { length_m: 0.82, width_m: 0.76, height_m: null })

  const stale = { expected_revision: first.revision - 1, height_m: 0.5 }
  assertProblem(await ask('PATCH', '/v1/device/robot-dimensions', stale), 'revision.stale')
  const forgotten = { expected_revision: first.revision, length_m: null, height_m: 0.5 }
  assert.equal((await ask('PATCH', '/v1/device/robot-dimensions', forgotten)).status, 200)
  assert.deepEqual((await layout()).robot, { length_m: null, width_m: 0.76, height_m: 0.5 })
  assertProblem(await ask('PATCH', '/v1/device/robot-dimensions', { length_m: 0 }), 'body.invalid')
})

test('of changes that expect one revision of the layout only the first is made, however close they come', async (t) => {
  const { fake, ask, layout } = await rig(t)
  const { revision } = await layout()
  const url = '/v1/device/robot-dimensions'

  const [first, ...others] = await orderedAtOnce(
    fake,
    [0.5, 0.6, 0.7].map((height_m) => () => ask('PATCH', url, { height_m }, { 'if-match': `"${revision}"` })),
  )

  assert.equal(first?.status, 200)
  assert.equal((await layout()).robot.height_m, 0.5)
  for (const other of others) {
    const { context, detail } = assertProblem(other, 'revision.stale')
    assert.deepEqual(context, { revision: revision + 1 })
    assert.match(detail, /^camera-layout is at revision/)
  }
})
