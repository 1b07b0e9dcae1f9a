// Tier 1: a real engine process with an emulated camera of whose picture a part is wanted. The sensor reads it where
// that keeps its pixels; else it is cut here.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import type { Crop } from '../../../../machines/cameras/crop.ts'
import type { Result } from '../../../../machines/engine/result.ts'
import type { V4l2Task } from '../../../../native/engine/port.ts'
import { emulatedUsb } from '../../../support/cameras/v4l2/cameras.ts'
import { type CameraModel, cameraModels } from '../../../support/cameras/v4l2/models.ts'
import { cameraTask, startEngine } from '../../../support/engine/engine-task.ts'
import { rowObjects } from '../../../support/engine/row-objects.ts'

const crop: Crop = { x_px: 150, y_px: 70, width_px: 340, height_px: 330 }
const picture = { width_px: 640, height_px: 480 }

/** Its modes of 640x480 show the sensor pixel by pixel. */
const pixelByPixel: CameraModel = { ...cameraModels.everyFormat, sensor: { width: 640, height: 480 } }

const plugged = async (t: TestContext, model: CameraModel) => {
  const usb = emulatedUsb(t)
  usb.useHere(t)
  const camera = usb.plug(model)
  camera.showTag(7)
  const probe = await startEngine(t)
  const open = (part: Crop | null, changes: Partial<V4l2Task> = {}) =>
    Effect.runPromise(probe.engine.open({ ...cameraTask(camera, changes), crop: part }))
  const sensor = () =>
    (['crop_x', 'crop_y', 'crop_width', 'crop_height'] as const).map((field) => camera.state.get(field))
  const frame = () => (['width', 'height'] as const).map((field) => camera.state.get(field))
  return { camera, probe, open, sensor, frame }
}

const centreOf = (result: Result): readonly number[] => {
  const [tag] = rowObjects(result, 'tags') ?? []
  return [tag?.cx_px ?? Number.NaN, tag?.cy_px ?? Number.NaN]
}

/** The tag is painted in the middle of the whole picture. */
const assertShifted = (result: Result, { x_px, y_px }: Crop) => {
  const [x = 0, y = 0] = centreOf(result)
  assert.ok(Math.abs(x - (320 - x_px)) < 1 && Math.abs(y - (240 - y_px)) < 1, `the tag stands at ${x}, ${y}`)
}

for (const pixel_format of ['mjpeg', 'grey', 'yuyv'] as const) {
  test(`a sensor that can reads the part alone, in ${pixel_format}`, async (t) => {
    const { camera, probe, open, sensor, frame } = await plugged(t, pixelByPixel)
    camera.state.set('keeps_pixels', 1)

    const opened = await open(crop, { pixel_format })
    const result = await probe.nextResult()

    assert.deepEqual(opened.crop, { ...crop, by: 'sensor', sensor: crop, picture })
    assert.deepEqual(
      [sensor(), frame()],
      [
        [150, 70, 340, 330],
        [340, 330],
      ],
    )
    assert.deepEqual([opened.width_px, opened.height_px], [340, 330])
    assertShifted(result, crop)
  })

  test(`what a sensor adds to the crop by its step is cut off here, in ${pixel_format}`, async (t) => {
    const { camera, probe, open, frame } = await plugged(t, pixelByPixel)
    camera.state.set('keeps_pixels', 1)
    camera.state.set('crop_step', 32)

    const opened = await open(crop, { pixel_format })
    const result = await probe.nextResult()

    const around = { x_px: 128, y_px: 64, width_px: 384, height_px: 352 }
    assert.deepEqual(opened.crop, { ...crop, by: 'sensor', sensor: around, picture })
    assert.deepEqual(frame(), [384, 352])
    assert.deepEqual([opened.width_px, opened.height_px], [340, 330])
    assertShifted(result, crop)
  })
}

test('a driver that would scale the part up again is made to take that back, and the part is cut here', async (t) => {
  const { probe, open, sensor, frame } = await plugged(t, pixelByPixel)

  const opened = await open(crop)
  const result = await probe.nextResult()

  assert.deepEqual(opened.crop, { ...crop, by: 'engine', sensor: null, picture })
  assert.deepEqual(
    [sensor(), frame()],
    [
      [0, 0, 640, 480],
      [640, 480],
    ],
  )
  assertShifted(result, crop)
})

test('a compressed mode and a camera without selection are cropped here', async (t) => {
  const scaled = await plugged(t, cameraModels.everyFormat)
  const plain = await plugged(t, cameraModels.webCamera)

  const answers = [await scaled.open(crop), await plain.open(crop)]
  const results = [await scaled.probe.nextResult(), await plain.probe.nextResult()]

  assert.deepEqual(
    answers.map((opened) => opened.crop?.by),
    ['engine', 'engine'],
  )
  assert.deepEqual(scaled.sensor(), [0, 0, 1600, 1200])
  for (const result of results) assertShifted(result, crop)
})

test('without a crop the sensor reads everything again, whatever it was left with', async (t) => {
  const { camera, probe, open, sensor } = await plugged(t, pixelByPixel)
  camera.state.set('keeps_pixels', 1)
  await open(crop)
  const cut = sensor()

  const opened = await open(null)
  const result = await probe.nextResult()

  assert.deepEqual(
    [cut, sensor()],
    [
      [150, 70, 340, 330],
      [0, 0, 640, 480],
    ],
  )
  assert.deepEqual([opened.crop, opened.width_px, opened.height_px], [null, 640, 480])
  assertShifted(result, { ...crop, x_px: 0, y_px: 0 })
})
