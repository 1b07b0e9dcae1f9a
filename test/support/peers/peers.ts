// Other devices, for tests of what this one makes of them: what they say, in the documents that both sides share.
import { remoteControlsExample, remoteGraphExample, remotePoseExample } from '../../../api/interdevice/stream-parts.ts'
import { streamPlaceExample } from '../../../api/localization/samples.ts'
import type { Inventory, RemoteStream } from '../../../machines/interdevice/inventory.ts'
import { selectGroups } from '../../../machines/interdevice/listing.ts'
import { FOLLOW_PATH, PAIRING_PATH, REVEAL_PATH } from '../../../machines/pairing/messages.ts'
import { HELLO_PATH } from '../../../machines/peers/greeting.ts'
import { EVENTS_PATH, RESOURCES_PATH } from '../../../machines/peers/peer-messages.ts'
import { type FakeDevice, type FakePeerWire, jsonAnswer } from '../../../native/peers/fake.ts'
import type { PeerAnswer } from '../../../native/peers/port.ts'

export const DEVICE_ID = '0d0c2a5e-9c1b-4a52-8c0f-3f2b7c1d9e10'
export const OTHER_ID = '11111111-9c1b-4a52-8c0f-3f2b7c1d9e10'
export const ORIGIN = 'https://10.12.34.11:5801'

/** What a device greets with. */
export const helloOf = (device_id = DEVICE_ID, origin = ORIGIN) => ({
  device_id,
  name: 'Back',
  protocol_version: '1.0',
  capabilities: ['proxy_streams', 'remote_control', 'remote_pipeline_edit', 'remote_rig_pose', 'of_a_newer_version'],
  api_base: `${origin}/v1`,
  ws_base: origin.replace('http', 'ws'),
  fingerprint: null,
})

/** A stream of it. */
export const remoteStream = (more: Partial<RemoteStream> = {}): RemoteStream => ({
  id: 'front',
  alias: 'Front',
  status: 'live',
  revision: 3,
  camera_uid: 'stream-front',
  formats: ['mjpeg', 'jpeg'],
  width_px: 640,
  height_px: 480,
  fps: 30,
  commands: ['set_control'],
  authority: 'source',
  ...more,
})

/** What it has. */
export const inventoryOf = (more: Partial<Inventory> = {}): Inventory => ({
  device_id: DEVICE_ID,
  epoch: 'first',
  seq: 0,
  streams: [remoteStream()],
  pipelines: [{ stream_id: 'front', id: 'default', revision: 3, outputs: [{ id: 'tags', type: 'detections' }] }],
  localization_outputs: [],
  rig: [{ camera_uid: 'stream-front', stream_id: 'front', pose_revision: 3, has_pose: false }],
  ...more,
})

/** A fake device of this kind, and what it has. Change `inventory`, or what it says, at will. */
export interface NativeDevice {
  readonly device: FakeDevice
  inventory: object
  hello: object
  /** Which event is the newest, as the hello of its events says. */
  seq: number
  epoch: string
  /** Tells an event to all who listen. */
  readonly tell: (kind: string, resource_ref: object, more?: object) => void
  /** How often all that it has was read, and with which queries parts of it. */
  readonly reads: () => number
  readonly partReads: () => readonly string[]
}

/** What a device answers who asks for a part of what it has. */
export const partOfInventory = (inventory: Inventory, query: string | undefined): Inventory => ({
  ...inventory,
  ...selectGroups(inventory, Object.fromEntries(new URLSearchParams(query))),
})

/** Sets up a device of this kind. */
export const nativeDevice = (wire: FakePeerWire, origin = ORIGIN, device_id = DEVICE_ID): NativeDevice => {
  const device = wire.add(origin)
  const native: NativeDevice = {
    device,
    inventory: inventoryOf({ device_id }),
    hello: helloOf(device_id, origin),
    seq: 0,
    epoch: 'first',
    tell: (kind, resource_ref, more = {}) => {
      native.seq += 1
      const envelope = { seq: native.seq, epoch: native.epoch, timestamp_ms: 1_000, kind, resource_ref, revision: null }
      for (const { say } of device.sockets) say({ ...envelope, ...more })
    },
    reads: () => device.requests.filter(({ path }) => path === RESOURCES_PATH).length,
    partReads: () =>
      device.requests.flatMap(({ path }) => (path.startsWith(`${RESOURCES_PATH}?`) ? [path.split('?')[1] ?? ''] : [])),
  }
  const others = device.answer
  device.answer = (request, target) => {
    if (request.path === HELLO_PATH) return jsonAnswer(200, native.hello)
    const [path, query] = request.path.split('?')
    if (path === RESOURCES_PATH) return jsonAnswer(200, partOfInventory(native.inventory as Inventory, query))
    return others(request, target)
  }
  device.welcome = (path) => {
    const { searchParams, pathname } = new URL(path, origin)
    const resumed = searchParams.get('epoch') === native.epoch
    const hello = { kind: 'hello', epoch: native.epoch, seq: native.seq, resumed }
    if (pathname !== EVENTS_PATH) return []
    return resumed ? [hello] : [hello, { kind: 'reset', epoch: native.epoch, seq: native.seq }]
  }
  return native
}

const problem = (status: number, code: string, detail: string, more: object = {}) =>
  jsonAnswer(status, {
    type: `urn:vedette:fault:${code}`,
    title: code,
    status,
    code,
    detail,
    instance: '/',
    request_id: 'there',
    ...more,
  })

const withEtag = (answer: PeerAnswer, etag = '"4"'): PeerAnswer => ({ ...answer, headers: { ...answer.headers, etag } })

const OUTPUTS = '/v1/interdevice/localization/outputs/'

/**
 * A device that answers what is asked of its stream `front` and the camera of it, and takes every order; revision 3, 4
 * after. It waits to be paired, and nobody confirms there.
 */
export const obedient = (device: FakeDevice): void => {
  const others = device.answer
  const ofStream = '/v1/interdevice/streams/front/'
  const parts: Readonly<Record<string, object>> = {
    [`${ofStream}controls`]: { ...remoteControlsExample, camera_uid: 'stream-front' },
    [`${ofStream}pipeline/graph`]: remoteGraphExample,
    '/v1/interdevice/rig/cameras/stream-front/pose': remotePoseExample,
    [`${OUTPUTS}front%2Epose`]: { ...streamPlaceExample, output_key: 'front.pose' },
  }
  const done = { accepted: true, applied_at_ms: 1_767_225_600_000 }
  device.answer = (request, target) => {
    const { method, path, body } = request
    const part = method === 'GET' ? parts[path] : undefined
    if (part) return withEtag(jsonAnswer(200, part), '"3"')
    const { expected_revision: expected = 3 } = (body ?? {}) as { readonly expected_revision?: number }
    if (expected !== 3)
      return problem(409, 'revision.stale', 'streams/front is at revision 3', { context: { revision: 3 } })
    if (path === `${ofStream}commands`) return withEtag(jsonAnswer(200, { ...done, new_revision: 4 }))
    if (path === `${ofStream}pipeline/graph/patch`)
      return withEtag(
        jsonAnswer(200, { ...done, pipeline_revision: 4, summary: { nodes: 2, outputs: ['tags'], operations: 1 } }),
      )
    if (path === '/v1/interdevice/rig/cameras/stream-front/pose')
      return withEtag({ status: 204, headers: {}, body: Buffer.alloc(0) })
    if (path.split('?')[0] === `${ofStream}frame`)
      return { status: 200, headers: { 'content-type': 'image/jpeg' }, body: Buffer.from('ffd8ffd9', 'hex') }
    if (path === PAIRING_PATH)
      return jsonAnswer(200, {
        pairing_id: '3c'.repeat(16),
        device_id: DEVICE_ID,
        name: 'Back',
        nonce: '5a'.repeat(32),
      })
    if (path === REVEAL_PATH || path === FOLLOW_PATH) return jsonAnswer(200, { state: 'comparing' })
    if (path.startsWith(OUTPUTS)) return problem(404, 'output.not_found', 'there is no such output')
    if (path.startsWith('/v1/interdevice/rig/')) return problem(404, 'camera.not_found', 'there is no such camera')
    if (path.startsWith('/v1/interdevice/streams/')) return problem(404, 'stream.not_found', 'there is no such stream')
    return others(request, target)
  }
}
