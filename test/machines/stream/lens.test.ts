// The lens that a stream's status tells.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lensOf } from '../../../machines/extcam/lens.ts'
import { schemaErrors } from '../../../machines/schema/errors.ts'
import { lensInUse, type OpenedLens, StreamLens } from '../../../machines/stream/lens.ts'

const intrinsics = {
  width_px: 640,
  height_px: 400,
  fx_px: 500,
  fy_px: 510,
  cx_px: 310,
  cy_px: 190,
  distortion: [0.1, -0.2, 0, 0, 0.01],
}

const whole: OpenedLens = { width_px: 640, height_px: 400, crop: null, intrinsics: null }

/** The lower right quarter. */
const part: OpenedLens = {
  width_px: 320,
  height_px: 200,
  crop: {
    x_px: 320,
    y_px: 200,
    width_px: 320,
    height_px: 200,
    by: 'engine',
    sensor: null,
    picture: { width_px: 640, height_px: 400 },
  },
  intrinsics: null,
}

test('it is that of the calibration, or the one that the synthetic camera has', () => {
  const opened = { ...whole, intrinsics }

  const [calibrated, computed] = [lensInUse(opened, true), lensInUse(opened, false)]

  assert.deepEqual(schemaErrors(StreamLens, calibrated), [])
  assert.deepEqual(calibrated, { source: 'calibration', ...intrinsics, hfov_deg: 65.23, vfov_deg: 42.81 })
  assert.equal(computed.source, 'computed')
})

test('of a camera that nobody has calibrated it is the lens by which its angles are told, also of a part', () => {
  for (const opened of [whole, part]) {
    const lens = lensInUse(opened, false)
    const { fx, fy, cx, cy } = lensOf(null, opened.width_px, opened.height_px, opened.crop)

    assert.deepEqual(schemaErrors(StreamLens, lens), [])
    assert.equal(lens.source, 'guessed')
    assert.deepEqual([lens.fx_px, lens.fy_px, lens.cx_px + 0.5, lens.cy_px + 0.5], [fx, fy, cx, cy])
    assert.deepEqual([lens.width_px, lens.height_px], [opened.width_px, opened.height_px])
  }
  const [all, quarter] = [lensInUse(whole, false), lensInUse(part, false)]
  assert.ok(Math.abs(all.hfov_deg - 2 * quarter.hfov_deg) < 0.02)
})
