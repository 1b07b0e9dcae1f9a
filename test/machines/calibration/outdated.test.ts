// Calibrations that are older than what their camera is set to.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Calibration, calibrationExample } from '../../../machines/calibration/calibration.ts'
import { outdatedReasons, type StreamInForce } from '../../../machines/calibration/outdated.ts'

const FOCUS = { control_id: 10_094_858, name: 'focus_absolute', value: 40 }
const made: Calibration = { ...calibrationExample, camera_uid: 'cam-aaaaaaaa', lens_controls: [FOCUS] }
const front: StreamInForce = {
  id: 'front',
  camera_uid: 'cam-aaaaaaaa',
  pixel_format: 'mjpeg',
  width_px: 1280,
  height_px: 800,
}

const said = (streams: readonly StreamInForce[], controls: { id: number; value: number }[] = []) =>
  outdatedReasons(made, { streams, units: [{ camera_uid: 'cam-aaaaaaaa', controls }] }).map(
    ({ code, allows, detail }) => `${code} ${allows}: ${detail}`,
  )

test('nothing is said where nothing has changed, and of what nobody knows', () => {
  assert.deepEqual(said([front]), [])
  assert.deepEqual(said([front], [{ id: FOCUS.control_id, value: 40 }]), [])
  assert.deepEqual(said([{ id: 'front', camera_uid: null, pixel_format: null, width_px: null, height_px: null }]), [])
})

test('a focus that was set otherwise, another mode and another unit are said, with what to do', () => {
  assert.match(
    said([], [{ id: FOCUS.control_id, value: 55 }]).join(),
    /^focus_changed usable: focus_absolute was 40 when it was made, and is 55 now: set it back, or calibrate again$/,
  )
  assert.match(
    said([{ ...front, pixel_format: 'yuyv' }]).join(),
    /^mode_changed usable: it is of the mode 1280x800 mjpeg, and front runs in 1280x800 yuyv/,
  )
  assert.match(said([{ ...front, width_px: 640, height_px: 480 }]).join(), /^mode_changed refused: .* runs in 640x480/)
  assert.match(
    said([{ ...front, camera_uid: 'cam-bbbbbbbb' }]).join(),
    /^camera_changed usable: .*has cam-bbbbbbbb now/,
  )
})
