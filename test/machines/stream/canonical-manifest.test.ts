import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manifestExample, specExample } from '../../../api/streams/wire.ts'
import { canonicalManifest } from '../../../machines/stream/canonical-manifest.ts'
import type { Intrinsics, StreamManifest } from '../../../machines/stream/manifest.ts'

const lens: Intrinsics = {
  ...{ width_px: 1280, height_px: 800, fx_px: 900, fy_px: 905, cx_px: 640, cy_px: 400 },
  distortion: [],
}

const wrongFields = (change: Partial<Intrinsics>): string[] => {
  const canonical = canonicalManifest({ source: { backend: 'synthetic' }, intrinsics: { ...lens, ...change } })
  return canonical.ok ? [] : canonical.errors.map(({ pointer }) => pointer.replace('/intrinsics/', ''))
}

test('lenses from fish-eye to telescope are taken', () => {
  assert.deepEqual(wrongFields({}), [])
  assert.deepEqual(wrongFields({ fx_px: 128, fy_px: 128 }), [])
  assert.deepEqual(wrongFields({ fx_px: 25_600, fy_px: 25_600 }), [])
  assert.deepEqual(wrongFields({ cx_px: -640, cy_px: 1200 }), [])
})

test('a focal length that is none is refused where it is', () => {
  for (const nonsense of [1e-9, 1.2, 127, 25_601, 100_000]) {
    assert.deepEqual(wrongFields({ fx_px: nonsense }), ['fx_px'])
    assert.deepEqual(wrongFields({ fy_px: nonsense }), ['fy_px'])
  }
})

test('a centre that is far from the picture is refused where it is', () => {
  assert.deepEqual(wrongFields({ cx_px: -641 }), ['cx_px'])
  assert.deepEqual(wrongFields({ cx_px: 1921 }), ['cx_px'])
  assert.deepEqual(wrongFields({ cy_px: -401, fx_px: 3 }), ['fx_px', 'cy_px'])
})

test('distortion has as many numbers as a model of OpenCV', () => {
  assert.deepEqual(wrongFields({ distortion: [0.1, 0, 0, 0, 0] }), [])
  assert.deepEqual(wrongFields({ distortion: [0.1] }), ['distortion'])
})

test('the example of a stream in the reference is what the example of a manifest becomes', () => {
  const canonical = canonicalManifest(manifestExample as StreamManifest)

  assert.ok(canonical.ok)
  assert.deepEqual({ ...canonical.manifest, pipeline: specExample.pipeline }, specExample)
})
