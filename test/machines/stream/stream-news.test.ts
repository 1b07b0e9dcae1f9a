// What is told of the parts of a stream when its manifest was changed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalManifest } from '../../../machines/stream/canonical-manifest.ts'
import { streamCollection } from '../../../machines/stream/collection.ts'
import type { CanonicalManifest, StreamManifest } from '../../../machines/stream/manifest.ts'

const pose = { x_m: 0, y_m: 0, z_m: 0.5, roll_deg: 0, pitch_deg: 0, yaw_deg: 0 }
const tags = {
  nodes: [
    { id: 'source', type: 'source' },
    { id: 'gray', type: 'gray' },
    { id: 'tags', type: 'apriltag' },
  ],
  edges: [
    { from: 'source.image', to: 'gray.image' },
    { from: 'gray.image', to: 'tags.image' },
  ],
  outputs: [{ port: 'tags', from: 'tags.detections' }],
}

const manifestOf = (more: Partial<StreamManifest> = {}): CanonicalManifest => {
  const canonical = canonicalManifest({ id: 'front', source: { backend: 'synthetic' }, ...more })
  if (!canonical.ok) throw new Error(JSON.stringify(canonical.errors))
  return canonical.manifest
}

const told = (before: CanonicalManifest | undefined, after: CanonicalManifest | undefined) =>
  streamCollection
    .tells({ id: 'front', revision: 7, before, after } as never)
    .map(({ kind, fact }) => ({ kind: kind.kind, ...fact }))

const stream_id = 'front'
const revision = 7

test('what does not concern a part is told of by nothing more', () => {
  assert.deepEqual(told(manifestOf(), manifestOf({ alias: 'Bow', priority: 9, enabled: false })), [])
})

test('a stream that comes or goes brings and takes its parts without a word of each', () => {
  assert.deepEqual(told(undefined, manifestOf({ pose })), [])
  assert.deepEqual(told(manifestOf({ pose }), undefined), [])
})

test('another pipeline is told of, with each output that says a place and came, went or says something else', () => {
  const source = (output_id: string) => ({
    kind: 'localization_source_changed',
    resource_ref: { stream_id, output_id },
    revision,
  })
  const changed = { kind: 'pipeline_changed', resource_ref: { stream_id, pipeline_id: 'stream-front' }, revision }
  const whole = manifestOf()
  const swapped = structuredClone(whole)
  for (const output of swapped.pipeline.outputs) {
    if (output.port === 'pose') output.from = 'tag_poses.poses'
    if (output.port === 'tag_poses') output.from = 'field_pose.pose'
  }

  assert.deepEqual(told(whole, manifestOf({ pipeline: tags })), [changed, source('tag_poses'), source('pose')])
  assert.deepEqual(told(manifestOf({ pipeline: tags }), whole), [changed, source('tag_poses'), source('pose')])
  assert.deepEqual(told(whole, swapped), [changed, source('tag_poses'), source('pose')])
})

test('the same pipeline under another name is another one, and a place for an editor is a part of it', () => {
  const own = manifestOf()
  const slotted = { ...own, slots: [{ slot: 0, graph_id: 'near' }], active_slot: 0, own_pipeline: own.pipeline }
  const drawn = { ...own, pipeline: { ...own.pipeline, layout: { source: { x: 1, y: 2 } } } }

  assert.deepEqual(told(own, slotted), [
    { kind: 'pipeline_changed', resource_ref: { stream_id, pipeline_id: 'near' }, revision },
  ])
  assert.deepEqual(
    told(own, drawn).map(({ kind }) => kind),
    ['pipeline_changed'],
  )
})

test('a pose that is set, changed or forgotten is told of, and so is one that goes to another camera', () => {
  const mode = { pixel_format: 'mjpeg', width_px: 1280, height_px: 720, fps: 30 } as const
  const at = (camera_uid: string) => manifestOf({ pose, source: { backend: 'v4l2', camera_uid, ...mode } })
  const changed = (camera_uid: string) => [{ kind: 'pose_changed', resource_ref: { stream_id, camera_uid }, revision }]

  assert.deepEqual(told(manifestOf(), manifestOf({ pose })), changed('stream-front'))
  assert.deepEqual(told(manifestOf({ pose }), manifestOf({ pose: { ...pose, x_m: 1 } })), changed('stream-front'))
  assert.deepEqual(told(manifestOf({ pose }), manifestOf()), changed('stream-front'))
  assert.deepEqual(told(at('cam-side2345'), at('cam-bow22345')), changed('cam-bow22345'))
})
