// What may be done with streams.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CameraMode } from '../../../machines/cameras/mode.ts'
import { type Fault, isFault } from '../../../machines/errors/fault.ts'
import { planGraph } from '../../../machines/pipeline/plan.ts'
import { MAX_STREAMS, streamCollection } from '../../../machines/stream/collection.ts'
import { demoStream } from '../../../machines/stream/demo.ts'
import type { CanonicalManifest, StreamManifest } from '../../../machines/stream/manifest.ts'
import { createStream, noFiles, restartStream, type StreamRequest } from '../../../machines/stream/orders.ts'

const maps = new Map([['demo', {}]])

const usual = {
  others: [],
  maps,
  media: noFiles,
  cameraOf: () => undefined,
  itemOf: () => undefined,
  graphOf: () => undefined,
  planOf: planGraph,
  attachedTo: null,
}

/** The order that creates a stream, or the fault. */
const created = (manifest: Partial<StreamManifest>, more: Partial<StreamRequest> = {}) =>
  createStream({ manifest: { source: { backend: 'synthetic' }, ...manifest }, ...usual, ...more })

/** Streams of these names. */
const named = (...ids: readonly string[]): readonly CanonicalManifest[] =>
  ids.map((id) => (created({ id }) as { value: unknown }).value as CanonicalManifest)

const faultOf = (outcome: ReturnType<typeof created>) => (isFault(outcome) ? outcome : undefined)

const idOf = (alias: string, ids: readonly string[] = []) => {
  const order = created({ alias }, { others: named(...ids) })
  return 'collection' in order ? order.id : order
}

test('a new stream is an order to store its manifest, every default filled in, unless there is one of that id', () => {
  const order = created({ id: 'front' })

  assert.ok('value' in order)
  assert.deepEqual(
    [order.type, order.collection, order.id, order.create_only],
    ['document.put', streamCollection.name, 'front', true],
  )
  assert.deepEqual(streamCollection.check(order.value as never, 'front'), [])
  assert.equal(faultOf(created({ id: 'front' }, { others: named('front') }))?.code, 'stream.exists')
})

const camera_uid = 'cam-k3f7q2ma'
const mode = { pixel_format: 'mjpeg', width_px: 1280, height_px: 720, fps: 30 } as const
const grey = { pixel_format: 'grey', width_px: 640, height_px: 480, fps: 60 } as const
const conditions = { cores: 4, speed_mbit_s: 480 }

const ofCamera = (manifest: object, modes: readonly CameraMode[] | null, others: readonly CanonicalManifest[] = []) =>
  createStream({
    ...usual,
    manifest,
    others,
    cameraOf: (uid) => (uid === camera_uid ? { modes, conditions } : undefined),
  })

const errorsOf = (outcome: ReturnType<typeof ofCamera>) =>
  isFault(outcome) ? outcome.errors?.map(({ pointer, message }) => `${pointer} ${message}`) : []

test('a camera may be named in place of a source: it gets its best mode, and what is said of the mode counts', () => {
  const sourceOf = (manifest: object) => {
    const order = ofCamera(manifest, [mode, grey])
    return 'value' in order ? (order.value as CanonicalManifest).source : order
  }

  assert.deepEqual(sourceOf({ camera_uid }), { backend: 'v4l2', camera_uid, ...mode })
  assert.deepEqual(sourceOf({ source: { backend: 'v4l2', camera_uid, width_px: 640 } }), {
    backend: 'v4l2',
    camera_uid,
    ...grey,
  })
})

test('an absent camera needs the whole mode; an unknown camera or a mode that it lacks is refused', () => {
  const missing = errorsOf(ofCamera({ camera_uid }, null)) ?? []
  assert.deepEqual(
    missing.map((error) => error.split(' ')[0]),
    ['/source/pixel_format', '/source/width_px', '/source/height_px', '/source/fps'],
  )
  assert.ok('value' in ofCamera({ source: { backend: 'v4l2', camera_uid, ...mode } }, null))

  const [stranger] = errorsOf(ofCamera({ camera_uid: 'cam-aaaaaaaa' }, [mode])) ?? []
  assert.match(stranger ?? '', /^\/source\/camera_uid is "cam-aaaaaaaa", which is no camera that this device has met/)
  const [other] = errorsOf(ofCamera({ source: { backend: 'v4l2', camera_uid, fps: 90 } }, [mode, grey])) ?? []
  assert.match(other ?? '', /it has 640x480 grey at 60 fps, 1280x720 mjpeg at 30 fps$/)
})

test('a camera gives its pictures to one stream', () => {
  const first = ofCamera({ id: 'front', camera_uid }, [mode])
  assert.ok('value' in first)

  const second = ofCamera({ camera_uid }, [mode], [first.value as CanonicalManifest])

  assert.ok(isFault(second))
  assert.equal(second.code, 'camera.in_use')
  assert.match(second.detail, /the stream front has the camera/)
})

test('a source and a camera, or neither of them, is said to be wrong where it is', () => {
  const pointers = (manifest: object) => errorsOf(ofCamera(manifest, [mode]))?.map((error) => error.split(' ')[0])

  assert.deepEqual(pointers({}), ['/source'])
  assert.deepEqual(pointers({ camera_uid, source: { backend: 'synthetic' } }), ['/camera_uid'])
})

test('an id is made from the alias', () => {
  assert.equal(idOf('Front left'), 'front-left')
  assert.equal(idOf('Über  Ærial_2!'), 'uber-rial_2')
  assert.equal(idOf('2nd camera'), 'nd-camera')
  assert.equal(idOf('前'), 'stream')
  assert.equal(idOf('x'.repeat(60)), 'x'.repeat(36))
  assert.equal(idOf('Front', ['front', 'front-2']), 'front-3')
})

test('there are no more streams than the device can carry', () => {
  const ids = (count: number) => Array.from({ length: count }, (_, n) => `s${n}`)

  assert.equal(faultOf(created({}, { others: named(...ids(MAX_STREAMS - 1)) })), undefined)
  assert.equal(faultOf(created({}, { others: named(...ids(MAX_STREAMS)) }))?.code, 'stream.too_many')
})

test('everything that is wrong with a manifest is said at once', () => {
  const media = { ok: false, errors: [{ pointer: '/source/path', message: 'is outside' }] } as const

  const fault = faultOf(
    created(
      {
        map_id: 'moon',
        source: { backend: 'images', path: '/pictures' },
        pipeline: { nodes: [], edges: [], outputs: [] },
      },
      { media },
    ),
  )

  assert.equal(fault?.code, 'manifest.invalid')
  assert.deepEqual(fault?.errors?.map(({ pointer }) => pointer).slice(-2), ['/source/path', '/map_id'])
})

test('what an administrator allowed a stream to read is stored with it, what its sender says of that is not', () => {
  const order = created({ media_grants: ['/etc'] }, { media: { ok: true, grants: ['/pictures'] } })

  assert.deepEqual('value' in order && (order.value as CanonicalManifest).media_grants, ['/pictures'])
  assert.ok(!('media_grants' in (created({ media_grants: ['/etc'] }) as { value: object }).value))
})

test('the demo is a stream like any other', () => {
  assert.equal(faultOf(createStream({ manifest: demoStream, ...usual })), undefined)
})

test('a stream that is disabled cannot be restarted', () => {
  assert.deepEqual(restartStream({ id: 'front', enabled: true }), { type: 'child.restart', id: 'streams/front' })
  const refused = restartStream({ id: 'front', enabled: false }) as Fault
  assert.equal(refused.code, 'actor.not_now')
  assert.match(refused.detail, /delete it and create it again with enabled true$/) // no order changes that of a stream
})

test('pictures of a peer are those of a stream that was attached by order, and of no other', () => {
  const source = { backend: 'peer', peer_id: 'back', stream_id: 'front', fps: 30 } as const
  const attachedTo = { peer_id: 'back', stream_id: 'front' }

  const refusals = [null, { ...attachedTo, stream_id: 'side' }, { ...attachedTo, peer_id: 'left' }].map((other) =>
    faultOf(created({ source }, { attachedTo: other })),
  )

  assert.deepEqual(
    refusals.map((fault) => [fault?.code, fault?.errors?.map(({ pointer }) => pointer)]),
    Array.from({ length: 3 }, () => ['manifest.invalid', ['/source/backend']]),
  )
  assert.equal(faultOf(created({ source }, { attachedTo })), undefined)
})
