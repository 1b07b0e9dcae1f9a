// What of a device stands in its inventory.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Inventory } from '../../../machines/interdevice/inventory.ts'
import { type Listable, listGroups, selectGroups } from '../../../machines/interdevice/listing.ts'
import { layoutOf } from '../../../machines/rig/layout.ts'
import { validatorOf } from '../../../machines/schema/errors.ts'
import { canonicalManifest } from '../../../machines/stream/canonical-manifest.ts'
import type { CanonicalManifest, StreamManifest } from '../../../machines/stream/manifest.ts'

const pose = { x_m: 0, y_m: 0, z_m: 0.5, roll_deg: 0, pitch_deg: 0, yaw_deg: 0 }
const camera = { camera_uid: 'cam-side2345', pixel_format: 'mjpeg', width_px: 1280, height_px: 720, fps: 30 } as const

const manifestOf = (more: Partial<StreamManifest>): CanonicalManifest => {
  const canonical = canonicalManifest({ id: 'front', source: { backend: 'synthetic' }, ...more })
  if (!canonical.ok) throw new Error(JSON.stringify(canonical.errors))
  return canonical.manifest
}

const inventoryOf = (...manifests: readonly CanonicalManifest[]) => inventoryIn({}, ...manifests)

/** status: what of it is not as usual. */
const inventoryIn = (status: Partial<ReturnType<Listable['status']>>, ...manifests: readonly CanonicalManifest[]) => {
  const streams = manifests.map((value, n) => ({
    stored: { revision: n + 1, value },
    status: () => ({
      state: 'live' as const,
      width_px: 1280,
      height_px: 800,
      crop: null,
      fault: null,
      pipeline: { slot: null, graph_id: null, fault: null, trial: null },
      ...status,
    }),
    engine: { opened: { value: { fps: 30 } } },
  }))
  const rig = layoutOf(
    streams.map(({ stored }) => stored),
    { present: [], units: [] },
  )
  return listGroups({ streams, rig, formats: ['mjpeg', 'jpeg'] })
}

/** Of no stream. */
const ofAllCameras = { stream_id: 'device', output_key: 'solve', data_type: 'solve' }

test('a stream is listed with its pipeline, what that says of places, and its camera', () => {
  const { streams, pipelines, localization_outputs, rig } = inventoryOf(
    manifestOf({}),
    manifestOf({ id: 'side', alias: 'Side', source: { backend: 'v4l2', ...camera }, pose }),
  )

  assert.deepEqual(
    streams.map(({ id, alias, status, revision, camera_uid }) => [id, alias, status, revision, camera_uid]),
    [
      ['front', 'front', 'live', 1, 'stream-front'],
      ['side', 'Side', 'live', 2, 'cam-side2345'],
    ],
  )
  assert.deepEqual(
    pipelines.map(({ stream_id, id, revision, outputs }) => [stream_id, id, revision, outputs.length]),
    [
      ['front', 'stream-front', 1, 5],
      ['side', 'stream-side', 2, 3],
    ],
  )
  assert.deepEqual(
    localization_outputs.filter(({ stream_id }) => stream_id === 'side'),
    [
      { stream_id: 'side', output_key: 'tag_poses', data_type: 'tag_poses' },
      { stream_id: 'side', output_key: 'pose', data_type: 'field_pose' },
    ],
  )
  assert.deepEqual(
    localization_outputs.filter(({ stream_id }) => stream_id === 'device'),
    [ofAllCameras],
  )
  assert.deepEqual(rig, [
    { camera_uid: 'stream-front', stream_id: 'front', pose_revision: 1, has_pose: false, pose: null },
    { camera_uid: 'cam-side2345', stream_id: 'side', pose_revision: 2, has_pose: true, pose },
  ])
})

test('a stream is listed with what is wrong with it, and what of the whole picture it is to have', () => {
  const crop = { x_px: 0, y_px: 0, width_px: 640, height_px: 400 }
  const picture = { width_px: 1280, height_px: 800 }
  const fault = { code: 'camera.missing', detail: 'x'.repeat(3000) } as const

  const whole = inventoryOf(manifestOf({}))
  const part = inventoryIn({ ...crop, crop: { ...crop, by: 'engine', sensor: null, picture } }, manifestOf({ crop }))
  const broken = inventoryIn({ fault, width_px: null, height_px: null }, manifestOf({}))

  assert.deepEqual(
    [whole, part, broken].map(({ streams: [stream] }) => [stream?.crop, stream?.picture]),
    [
      [null, picture],
      [crop, picture],
      [null, null],
    ],
  )
  assert.deepEqual([whole.streams[0]?.fault, whole.streams[0]?.pipeline_fault], [null, null])
  assert.equal(broken.streams[0]?.fault?.detail.length, 2000)
})

test('a stream is asked for alone, with its parts, or a camera; what is not there is in no list', () => {
  const all = inventoryOf(manifestOf({}), manifestOf({ id: 'side', source: { backend: 'v4l2', ...camera }, pose }))

  const side = selectGroups(all, { stream_id: 'side' })
  const alone = selectGroups(all, { camera_uid: 'stream-front' })
  const nothing = selectGroups(all, { stream_id: 'constructor' })

  assert.deepEqual(
    [side.streams, side.pipelines, side.rig].map((entries) => entries.length),
    [1, 1, 1],
  )
  assert.deepEqual(new Set(side.localization_outputs.map(({ stream_id }) => stream_id)), new Set(['side']))
  assert.deepEqual(alone, { streams: [], pipelines: [], localization_outputs: [], rig: [all.rig[0]] })
  assert.deepEqual(nothing, { streams: [], pipelines: [], localization_outputs: [], rig: [] })
  assert.equal(selectGroups(all, {}), all)
})

test('what a stream runs in a slot has the name of the stored pipeline', () => {
  const slots = { slots: [{ slot: 3, graph_id: 'tags-near' }], active_slot: 3 }

  assert.equal(inventoryOf({ ...manifestOf({}), ...slots }).pipelines[0]?.id, 'tags-near')
})

test('of an internal stream nothing is listed, of a disabled one its camera alone', () => {
  const internal = inventoryOf(manifestOf({ internal: true, pose }))
  const disabled = inventoryOf(manifestOf({ enabled: false, pose }))

  assert.deepEqual(internal, { streams: [], pipelines: [], localization_outputs: [ofAllCameras], rig: [] })
  assert.deepEqual(
    [disabled.streams, disabled.pipelines, disabled.localization_outputs, disabled.rig.length],
    [[], [], [ofAllCameras], 1],
  )
})

test('what is listed of sixteen streams with the largest pipelines fits the document', () => {
  const ports = Array.from({ length: 32 }, (_, n) => `${'o'.repeat(37)}-${n}`)
  const pipeline = {
    nodes: [{ id: 'source', type: 'source' }],
    edges: [],
    outputs: ports.map((port) => ({ port, from: 'source.image' })),
  }
  const many = Array.from({ length: 16 }, (_, n) => manifestOf({ id: `${'s'.repeat(37)}-${n}`, pipeline }))

  const inventory = { device_id: 'd', epoch: 'e', seq: 0, ...inventoryOf(...many) }

  assert.deepEqual(validatorOf(Inventory)(inventory), [])
})
