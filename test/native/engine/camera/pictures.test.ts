// Tier 1: a real engine process with an emulated camera. What the camera gives is what comes out.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { header } from '../../../../machines/engine/result.ts'
import { rowDocuments } from '../../../../machines/engine/row-documents.ts'
import type { Picture } from '../../../../machines/stream/picture.ts'
import { engineBesideCamera } from '../../../support/cameras/v4l2/engine.ts'
import { cameraModels } from '../../../support/cameras/v4l2/models.ts'
import { until } from '../../../support/until.ts'

const asTheyAre = { key: 'camera', max_width_px: 0, quality: 0, overlay: false, fps: 0 }

/** A JPEG that differs from another by a comment alone. */
const commented = (jpeg: Uint8Array, text: string): Uint8Array => {
  const comment = Buffer.alloc(4 + text.length)
  comment.writeUInt16BE(0xfffe, 0)
  comment.writeUInt16BE(2 + text.length, 2)
  comment.write(text, 4)
  return Buffer.concat([jpeg.subarray(0, 2), comment, jpeg.subarray(2)])
}

test('the JPEGs of a camera reach who watches byte for byte, without what the camera pads them with', async (t) => {
  const { camera, probe } = await engineBesideCamera(t, cameraModels.webCamera)
  await probe.openCamera(camera)
  probe.engine.setPictureKinds([asTheyAre])
  const { jpeg } = await probe.nextPicture()
  const laid = ['one', 'two', 'three'].map((text) => commented(jpeg, text))
  camera.state.set('padding_bytes', 3000)
  camera.showPictures(laid)

  const seen = new Map<number, Picture>()
  await until('all three pictures', async () => {
    const picture = await probe.nextPicture()
    if (picture.jpeg.length !== jpeg.length) seen.set(picture.seq % laid.length, picture)
    return seen.size === laid.length
  })

  for (const [number, picture] of seen) {
    assert.ok(picture.passthrough)
    assert.deepEqual(Buffer.from(picture.jpeg), Buffer.from(laid[number] as Uint8Array))
  }
})

for (const pixel_format of ['mjpeg', 'yuyv', 'uyvy', 'nv12', 'grey', 'y10'] as const) {
  test(`a tag is found in pictures in ${pixel_format}, where it is`, async (t) => {
    const { camera, probe } = await engineBesideCamera(t, cameraModels.everyFormat)
    camera.showTag(7)

    const opened = await probe.openCamera(camera, { pixel_format })
    const result = await probe.nextResult()

    assert.deepEqual([opened.width_px, opened.height_px, opened.fps, opened.pixel_format], [640, 480, 30, pixel_format])
    assert.deepEqual([header(result, 'width_px'), header(result, 'height_px')], [640, 480])
    const [tag] = rowDocuments(result, 'tags', 'detections') ?? []
    assert.equal(tag?.id, 7)
    assert.ok(Math.hypot((tag?.center.x_px ?? 0) - 320, (tag?.center.y_px ?? 0) - 240) < 1, JSON.stringify(tag?.center))
  })
}

test('a picture is stamped with the middle of its exposure where the camera tells when that began', async (t) => {
  const { camera, probe } = await engineBesideCamera(t, cameraModels.everyFormat)
  camera.state.set('exposure_us', 20_000)
  const manual = { id: 0x009a0901, value: 1 }

  const opened = await probe.openCamera(camera, { controls: [{ id: 0x009a0902, value: 8_000 }, manual] })
  const result = await probe.nextResult()

  assert.equal(opened.timestamp_source, 'start-of-exposure')
  assert.equal(header(result, 'captured_us'), (camera.state.exposedUs(header(result, 'seq')) ?? 0) + 4_000)
})
