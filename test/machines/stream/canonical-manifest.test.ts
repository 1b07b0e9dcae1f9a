import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manifestExample, specExample } from '../../../api/stream/wire.ts'
import { canonicalManifest } from '../../../machines/stream/canonical-manifest.ts'
import type { Intrinsics, StreamManifest } from '../../../machines/stream/manifest.ts'

const lens: Intrinsics = {
  width_px: 1280,
  height_px: 800,
  fx_px: 900,
  fy_px: 905,
  cx_px: 640,
  cy_px: 400,
  distortion: [],
}

const wrongFields = (change: Partial<Intrinsics>): string[] => {
  const canonical = canonicalManifest({ source: { backend: 'synthetic' }, intrinsics: { ...lens, ...change } })
  return canonical.ok ? [] : canonical.errors.map(({ pointer }) => pointer.replace('/intrinsics/', ''))
}

test('the address of a camera is an address, and holds no password', () => {
  const wrong = (source: object) => {
    const canonical = canonicalManifest({ source: { backend: 'url', ...source } as StreamManifest['source'] })
    return canonical.ok ? [] : canonical.errors.map(({ pointer }) => pointer)
  }

  assert.deepEqual(wrong({ url: 'http://10.1.2.11:8080/video?fps=30' }), [])
  assert.deepEqual(wrong({ url: 'http://[fe80::1]/video', username: 'team', password: 'x' }), [])
  assert.deepEqual(wrong({ url: 'http://10.1.2.11:99999/' }), ['/source/url'])
  assert.deepEqual(wrong({ url: 'http://10.1.2.11/video?...' }), ['/source/url']) // as it is shown, sent back
  assert.deepEqual(wrong({ url: 'http://team:x@10.1.2.11/' }), ['/source/url'])
  assert.deepEqual(wrong({ url: 'http://10.1.2.11/', password: 'x' }), ['/source/username'])
})

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
  assert.deepEqual(wrongFields({ distortion: Array(13).fill(0) }), ['distortion'])
})

test('distortion with a prism and a tilt of nothing is the lens of the first eight numbers', () => {
  const rational = [0.3, -0.1, 0.0005, 0.0003, 0.01, 0.25, -0.05, 0]
  for (const zeros of [0, 4, 6]) {
    const distortion = [...rational, ...Array(zeros).fill(0)]

    const canonical = canonicalManifest({ source: { backend: 'synthetic' }, intrinsics: { ...lens, distortion } })

    assert.ok(canonical.ok, String(distortion))
    assert.deepEqual(canonical.manifest.intrinsics, { ...lens, distortion: rational })
  }
})

test('a prism and a tilt are refused where they stand, in words', () => {
  assert.deepEqual(wrongFields({ distortion: [...Array(8).fill(0), 0, 1e-5, 0, 0] }), ['distortion/9'])
  assert.deepEqual(wrongFields({ distortion: [...Array(12).fill(0), 0, -0.1] }), ['distortion/13'])
})

test('the example of a stream in the reference is what the example of a manifest becomes', () => {
  const canonical = canonicalManifest(manifestExample as StreamManifest)

  assert.ok(canonical.ok)
  assert.deepEqual({ ...canonical.manifest, pipeline: specExample.pipeline }, specExample)
})

test('a board that nobody could hold, or print, and a lens of three coefficients are refused with what to do', () => {
  const pointers = (source: object) => {
    const read = canonicalManifest({ source: { backend: 'synthetic', ...source } })
    return read.ok ? [] : read.errors.map(({ pointer }) => pointer)
  }
  const lens = { fx_px: 905, fy_px: 905, cx_px: 640, cy_px: 400, distortion: [0.1, 0, 0] }

  assert.deepEqual(pointers({ board: {} }), [])
  assert.deepEqual(pointers({ board: { hold_ms: 0, move_ms: 0 } }), ['/source/board/hold_ms'])
  assert.deepEqual(pointers({ board: { kind: 'tag_grid' } }), ['/source/board/family'])
  assert.deepEqual(pointers({ faults: { lens } }), ['/source/faults/lens/distortion'])
})

test('a drive that is not said is refused, and what is left out of one has its default', () => {
  const read = (drive: object) => canonicalManifest({ source: { backend: 'synthetic', motion: 'drive', ...drive } })

  const [unsaid, said] = [read({}), read({ drive: { seed: 5 } })]

  assert.deepEqual(!unsaid.ok && unsaid.errors.map(({ pointer }) => pointer), ['/source/drive'])
  assert.deepEqual(said.ok && said.manifest.source.backend === 'synthetic' && said.manifest.source.drive, {
    seed: 5,
    speed_m_s: 2,
    spin_deg_s: 90,
  })
})
