// What a user at one device does with the camera of another, over TLS and with a token: he looks before he changes
// something, and sees what came of it.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Camera } from '../../api/cameras/wire.ts'
import type { EventDocument } from '../../machines/events/event.ts'
import type { StreamCommandAnswer } from '../../machines/interdevice/command.ts'
import type { GraphPatchAnswer } from '../../machines/interdevice/graph-patch.ts'
import type { Hello } from '../../machines/interdevice/hello.ts'
import type { RemoteControls, RemoteGraph, RemotePoseOf } from '../../machines/interdevice/stream-parts.ts'
import type { ListedPeerStream } from '../../machines/peers/listed-stream.ts'
import type { PeerRecord } from '../../machines/peers/peer-record.ts'
import { emulatedUsb } from '../support/cameras/v4l2/cameras.ts'
import { CONTROL, cameraModels } from '../support/cameras/v4l2/models.ts'
import { eventsOf } from '../support/peers/heard-events.ts'
import { type Daemon, type Flags, site } from '../support/processes/daemon.ts'
import { freePort } from '../support/processes/free-port.ts'
import { until } from '../support/until.ts'

const PEER = '/v1/peers/back'
const STREAM = `${PEER}/streams/front`
const POSE = { x_m: 0.31, y_m: -0.12, z_m: 0.5, roll_deg: 0, pitch_deg: -15, yaw_deg: 30 }
const MANUAL = 1

interface Refused {
  readonly code: string
  readonly detail: string
  readonly accepted?: boolean
  readonly context?: object
  readonly errors?: readonly { readonly pointer: string }[]
}

const servingTls = (daemon: Daemon) =>
  until(
    'HTTPS',
    () => daemon.get<{ parts: readonly { name: string; state: string }[] }>('/v1/health'),
    ({ parts }) => parts.some(({ name, state }) => name === 'https' && state === 'listening'),
  )

/** The token that a service told in its log, at its first start. */
const tokenOf = ({ log }: Daemon): string =>
  log.map(({ message }) => /told only this once: (\S+)/.exec(String(message))?.[1]).find(Boolean) ?? ''

/**
 * A device with a camera that lets nobody do anything without a token, and one at which somebody sits who has been
 * given one.
 */
const twoDevices = async (t: TestContext) => {
  const usb = emulatedUsb(t)
  usb.plug(cameraModels.everyFormat, { serial: 'V-17' })
  const back = site(t, undefined, usb.environment)
  const flags: Flags = { profile: 'field', tls: `127.0.0.1:${await freePort()}` }
  const there = await back.start(flags)
  const [camera] = await until(
    'the camera',
    async () => (await there.get<{ readonly items: readonly Camera[] }>('/v1/peripherals/cameras')).items,
    ([first]) => first?.best_mode,
  )
  const { camera_uid } = camera as Camera
  await there.send('POST', '/v1/streams', { id: 'front', camera_uid })
  await there.stream('front', 'live')
  await servingTls(there)
  const { fingerprint } = await there.get<Hello>('/v1/interdevice/hello')
  const trusted = await there.send<{ token: string }>('POST', '/v1/peers/trust', { name: 'Laptop' }, tokenOf(there))
  assert.equal(trusted.status, 201, JSON.stringify(trusted.body))

  const here = await site(t).start({ tls: `127.0.0.1:${await freePort()}` })
  const base_url = `https://${flags.tls}`
  const registered = await here.send<PeerRecord>('POST', '/v1/peers', {
    base_url,
    name: 'back',
    fingerprint,
    token: trusted.body.token,
  })
  assert.equal(registered.status, 201, JSON.stringify(registered.body))
  const record = (what: string, isGood: (record: PeerRecord) => boolean) =>
    until(what, () => here.get<PeerRecord>(PEER), isGood)
  await record('the link', ({ status }) => status === 'linked')
  return { there, here, camera_uid, record, startAgain: () => back.start(flags) }
}

/** Waits for an event of that kind. */
const hearing = async (t: TestContext, here: Daemon) => {
  const events = await eventsOf(t, here)
  return (kind: string, isIt: (event: EventDocument) => boolean = () => true) =>
    until(kind, () => events.find((event) => event.kind === kind && isIt(event)), Boolean) as Promise<EventDocument>
}

const settingOf = ({ controls }: RemoteControls, id: number) => controls.find((control) => control.id === id)?.value

test('controls, pipeline and pose of a camera elsewhere are shown, changed, and shown changed', async (t) => {
  const { there, here, camera_uid, record, startAgain } = await twoDevices(t)
  const heard = await hearing(t, here)
  let asked = 0
  const order = <Body = StreamCommandAnswer>(command: string, payload: object, more: object = {}) =>
    here.send<Body>('POST', `${STREAM}/commands`, { request_id: `walk-${asked++}`, command, payload, ...more })

  const before = await here.get<RemoteControls>(`${STREAM}/controls`)
  const expected_revision = before.revision
  const exposure = before.controls.find(({ id }) => id === CONTROL.exposureTime)
  assert.deepEqual([before.camera_uid, exposure?.unit], [camera_uid, 'us'])
  const manual = await order('set_control', { control_id: CONTROL.exposureAuto, value: MANUAL }, { expected_revision })
  const exposed = await order('set_control', { control_id: CONTROL.exposureTime, value: 4_000 }, { expected_revision })
  const outside = await order<Refused>('set_control', { control_id: CONTROL.gain, value: 101 })
  const told = await heard('control_changed', ({ resource_ref }) => resource_ref.control_id === CONTROL.exposureTime)
  const after = await here.get<RemoteControls>(`${STREAM}/controls`)

  assert.deepEqual([manual.status, exposed.status, exposed.body.accepted], [200, 200, true], JSON.stringify(exposed))
  assert.deepEqual([outside.status, outside.body.code, outside.body.accepted], [422, 'control.out_of_range', false])
  assert.deepEqual(told.resource_ref, {
    stream_id: 'front',
    camera_uid,
    control_id: CONTROL.exposureTime,
    peer_id: 'back',
  })
  assert.deepEqual([told.data, settingOf(after, CONTROL.exposureTime)], [{ value: 4_000 }, 4_000])

  const seen = await here.get<RemoteGraph>(`${STREAM}/pipeline/graph`)
  const at = seen.graph.nodes.findIndex(({ type }) => type === 'apriltag')
  const path = `/nodes/${at}/params/decimate`
  const { id } = seen.graph.nodes[at] as { readonly id: string }
  const patch = (value: unknown, revision: number) => ({
    expected_pipeline_revision: revision,
    patch: [
      { op: 'test', path: `/nodes/${at}/id`, value: id },
      { op: 'replace', path, value },
    ],
  })
  const PATCH = `${STREAM}/pipeline/graph/patch`
  const nonsense = await here.send<Refused>('POST', PATCH, patch('a little', seen.revision))
  const patched = await here.send<GraphPatchAnswer>('POST', PATCH, patch(3, seen.revision))
  const stale = await here.send<Refused>('POST', PATCH, patch(2, seen.revision))
  await heard('pipeline_changed', ({ resource_ref }) => resource_ref.peer_id === 'back')
  const graph = await here.get<RemoteGraph>(`${STREAM}/pipeline/graph`)

  assert.deepEqual([nonsense.status, nonsense.body.code], [422, 'patch.refused'])
  assert.deepEqual(nonsense.body.errors?.[0]?.pointer, `/graph${path}`)
  assert.equal(patched.status, 200, JSON.stringify(patched.body))
  assert.deepEqual([patched.body.pipeline_revision, graph.revision], [seen.revision + 1, seen.revision + 1])
  assert.deepEqual([stale.status, stale.body.context], [409, { revision: graph.revision }])
  assert.equal(graph.graph.nodes[at]?.params.decimate, 3)

  const seat = `${PEER}/rig/cameras/${camera_uid}/pose`
  const unknown = await here.get<RemotePoseOf>(seat)
  const put = await here.send('PUT', seat, { ...POSE, expected_revision: unknown.revision })
  const mirrored = await record('the pose', ({ rig }) => rig[0]?.has_pose === true)
  assert.deepEqual([unknown.pose, put.status], [null, 204])
  assert.deepEqual([mirrored.rig[0]?.pose, mirrored.rig[0]?.pose_revision], [POSE, unknown.revision + 1])
  assert.deepEqual((await here.get<RemotePoseOf>(seat)).pose, POSE)
  assert.deepEqual((await there.stream('front', 'live')).spec.pose, POSE)

  await there.end('SIGKILL')
  await heard('peer_health', ({ data }) => (data as { readonly status: string }).status === 'backing-off')
  const away = await here.get<PeerRecord>(PEER)
  const [listed] = (await here.get<{ items: readonly ListedPeerStream[] }>('/v1/streams?include=remote')).items
  const unread = await here.send<Refused>('GET', `${STREAM}/controls`)
  assert.deepEqual([away.stale, listed?.id, listed?.origin.stale], [true, 'back:front', true])
  assert.deepEqual([unread.status, unread.body.code], [502, 'peer.unreachable'], 'nothing is guessed')

  await (await startAgain()).stream('front', 'live')
  const back = await record('the link', ({ status, stale }) => status === 'linked' && !stale)
  await record('its stream', ({ streams }) => streams[0]?.status === 'live')
  const again = await here.get<RemoteControls>(`${STREAM}/controls`)
  assert.deepEqual([back.fault, back.rig[0]?.pose], [null, POSE])
  assert.equal(settingOf(again, CONTROL.exposureTime), 4_000)
})
