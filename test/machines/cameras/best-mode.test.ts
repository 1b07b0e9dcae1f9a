// The mode that a camera gets of which nobody said one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bytesLeft, modeText } from '../../../machines/cameras/bandwidth.ts'
import { bestMode } from '../../../machines/cameras/best-mode.ts'
import type { CameraMode, PixelFormat } from '../../../machines/cameras/mode.ts'

const mode = (pixel_format: PixelFormat, size: string, fps: number): CameraMode => {
  const [width_px, height_px] = size.split('x').map(Number) as [number, number]
  return { pixel_format, width_px, height_px, fps }
}

const webcam = [
  mode('yuyv', '640x480', 30),
  mode('yuyv', '1280x720', 10),
  mode('mjpeg', '640x480', 30),
  mode('mjpeg', '1280x720', 30),
  mode('mjpeg', '1920x1080', 30),
]
const board = { cores: 4, speed_mbit_s: 480 }

const best = (modes: readonly CameraMode[], conditions = board) => {
  const found = bestMode(modes, conditions)
  return found && modeText(found)
}

test('a webcam on a board of four cores gives 1280x720 thirty times a second', () => {
  assert.equal(best(webcam), '1280x720 mjpeg at 30 fps')
  assert.equal(best(webcam.toReversed()), '1280x720 mjpeg at 30 fps')
})

test('fewer cores have fewer pixels', () => {
  assert.equal(best(webcam, { ...board, cores: 2 }), '640x480 mjpeg at 30 fps')
  assert.equal(
    best([mode('mjpeg', '1920x1080', 30), mode('mjpeg', '1280x720', 30)], { ...board, cores: 1 }),
    '1280x720 mjpeg at 30 fps',
  )
})

test('pictures that come seldom are of less use than small ones', () => {
  assert.equal(best([mode('yuyv', '1280x720', 10), mode('yuyv', '640x480', 30)]), '640x480 yuyv at 30 fps')
})

test('at one size it is the quicker rate, up to 60 a second, as far as the machine goes', () => {
  const quick = [15, 30, 60, 120].map((fps) => mode('mjpeg', '640x480', fps))
  assert.equal(best(quick), '640x480 mjpeg at 60 fps')
})

test('raw pictures are better than JPEGs where others have room beside them on the bus', () => {
  const both = [mode('mjpeg', '640x480', 30), mode('yuyv', '640x480', 30), mode('grey', '640x480', 30)]
  assert.equal(best(both), '640x480 mjpeg at 30 fps')
  assert.equal(best(both, { cores: 4, speed_mbit_s: 5000 }), '640x480 grey at 30 fps')
})

test('what a bus does not carry is no choice, and a camera without modes has none', () => {
  assert.equal(best([mode('grey', '1280x800', 60), mode('grey', '640x400', 30)]), '640x400 grey at 30 fps')
  assert.equal(best([]), undefined)
})

test('what is left on a bus is what the others do not take', () => {
  assert.equal(bytesLeft(480, []), 24_600_000)
  assert.equal(bytesLeft(480, [{ stream_id: 'front', mode: mode('yuyv', '640x480', 30) }]), 18_568_000)
  assert.equal(
    bytesLeft(
      480,
      Array.from({ length: 3 }, () => ({ stream_id: 'x', mode: mode('yuyv', '640x480', 30) })),
    ),
    0,
  )
})
