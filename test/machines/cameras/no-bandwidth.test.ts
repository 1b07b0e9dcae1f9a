// One camera too many on a bus.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CameraMode } from '../../../machines/cameras/mode.ts'
import { fittingMode, noBandwidthText } from '../../../machines/cameras/no-bandwidth.ts'

const yuyv = { pixel_format: 'yuyv', width_px: 640, height_px: 480, fps: 30 } as const
const small = { ...yuyv, fps: 15 }
const mjpeg: CameraMode = { pixel_format: 'mjpeg', width_px: 1280, height_px: 720, fps: 30 }
const conditions = { cores: 4, speed_mbit_s: 480 }
const others = [
  { stream_id: 'front', mode: yuyv },
  { stream_id: 'rear', mode: small },
]

test('who shares the bus is named, with a mode that would fit beside them', () => {
  const text = noBandwidthText({ mode: yuyv, modes: [yuyv, small, mjpeg], others, conditions })

  assert.match(text, /^Its USB bus is shared with front \(640x480 yuyv at 30 fps\), rear \(640x480 yuyv at 15 fps\)\./)
  assert.match(text, / 640x480 yuyv at 15 fps should fit;| 1280x720 mjpeg at 30 fps should fit;/)
})

test('a mode that asks for no less than the refused one is not offered', () => {
  assert.equal(fittingMode({ mode: small, modes: [yuyv, small], others, conditions }), undefined)
  const text = noBandwidthText({ mode: small, modes: [yuyv, small], others: [], conditions })
  assert.match(text, /^No other stream of this service uses its USB bus\. None of its modes would fit/)
})
