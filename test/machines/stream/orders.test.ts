// What may be done with streams.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isFault } from '../../../machines/errors/fault.ts'
import { MAX_STREAMS, streamCollection } from '../../../machines/stream/collection.ts'
import { demoStream } from '../../../machines/stream/demo.ts'
import type { CanonicalManifest, StreamManifest } from '../../../machines/stream/manifest.ts'
import { createStream, noFiles, restartStream, type StreamRequest } from '../../../machines/stream/orders.ts'

const maps = new Map([['demo', {}]])

/** The order that creates a stream, or the fault. */
const created = (manifest: Partial<StreamManifest>, more: Partial<StreamRequest> = {}) =>
  createStream({ manifest: { source: { backend: 'synthetic' }, ...manifest }, ids: [], maps, media: noFiles, ...more })

const faultOf = (outcome: ReturnType<typeof created>) => (isFault(outcome) ? outcome : undefined)

const idOf = (alias: string, ids: readonly string[] = []) => {
  const order = created({ alias }, { ids })
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
  assert.equal(faultOf(created({ id: 'front' }, { ids: ['front'] }))?.code, 'stream.exists')
})

test('a camera may be named in place of a source, and its mode is said or known', () => {
  const camera_uid = 'cam-k3f7q2ma'
  const mode = { pixel_format: 'mjpeg', width_px: 1280, height_px: 720, fps: 30 } as const
  const sent = (manifest: object) => createStream({ manifest, ids: [], maps, media: noFiles })

  const order = sent({ source: { backend: 'v4l2', camera_uid, ...mode } })
  assert.ok('value' in order)
  assert.deepEqual((order.value as CanonicalManifest).source, { backend: 'v4l2', camera_uid, ...mode })
  const pointersOf = (outcome: ReturnType<typeof sent>) =>
    isFault(outcome) ? outcome.errors?.map(({ pointer }) => pointer) : []
  assert.deepEqual(pointersOf(sent({ camera_uid })), [
    '/source/pixel_format',
    '/source/width_px',
    '/source/height_px',
    '/source/fps',
  ])
  assert.deepEqual(pointersOf(sent({})), ['/source'])
  assert.deepEqual(pointersOf(sent({ camera_uid, source: { backend: 'synthetic' } })), ['/camera_uid'])
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

  assert.equal(faultOf(created({}, { ids: ids(MAX_STREAMS - 1) })), undefined)
  assert.equal(faultOf(created({}, { ids: ids(MAX_STREAMS) }))?.code, 'stream.too_many')
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
  assert.equal(faultOf(createStream({ manifest: demoStream, ids: [], maps, media: noFiles })), undefined)
})

test('a stream that is disabled cannot be restarted', () => {
  assert.deepEqual(restartStream({ id: 'front', enabled: true }), { type: 'child.restart', id: 'streams/front' })
  assert.equal((restartStream({ id: 'front', enabled: false }) as { code: string }).code, 'actor.not_now')
})
