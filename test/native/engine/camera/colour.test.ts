// Tier 1: a real engine process with an emulated camera. What has a colour is seen in it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as Effect from 'effect/Effect'
import type { Result } from '../../../../machines/engine/result.ts'
import { rowDocuments } from '../../../../machines/engine/row-documents.ts'
import type { GraphDocument } from '../../../../machines/pipeline/graph.ts'
import { engineBesideCamera } from '../../../support/cameras/v4l2/engine.ts'
import { cameraModels } from '../../../support/cameras/v4l2/models.ts'
import { cameraTask, type EngineProbe, startEngine } from '../../../support/engine/engine-task.ts'
import { planOf } from '../../../support/engine/graphs.ts'
import { noFfmpeg } from '../../../support/media/boxes.ts'
import { outlinesOf } from '../../../support/media/seen-in.ts'
import { H264, videoFile, without } from '../../../support/media/videos.ts'

const WIDTH = 640
const HEIGHT = 480

/**
 * Grey, with a red square of 100 pixels at (400, 200), in YUYV. Both are as bright: without colour there is nothing to
 * see.
 */
const redSquare = (): Uint8Array => {
  const bytes = new Uint8Array(2 * WIDTH * HEIGHT).fill(128)
  for (let y = 0; y < HEIGHT; y++)
    for (let x = 0; x < WIDTH; x++) {
      const at = 2 * (y * WIDTH + x)
      const isRed = x >= 400 && x < 500 && y >= 200 && y < 300
      bytes[at] = 81
      bytes[at + 1] = isRed ? (x % 2 === 0 ? 90 : 240) : 128
    }
  return bytes
}

/** Outlines of what is red. */
const red: GraphDocument = {
  nodes: [
    { id: 'source', type: 'source' },
    { id: 'red', type: 'hsv-threshold', params: { hue_min_deg: 340, hue_max_deg: 20, value_min: 50 } },
    { id: 'found', type: 'contours' },
  ],
  edges: [
    { from: 'source.colour', to: 'red.image' },
    { from: 'red.mask', to: 'found.mask' },
  ],
  outputs: [{ port: 'found', from: 'found.contours' }],
}

const resultThat = async (probe: EngineProbe, isWanted: (result: Result) => boolean): Promise<void> => {
  for (;;) if (isWanted(await probe.nextResult())) return
}

const outlines = (result: Result) => rowDocuments(result, 'found', 'contours') ?? []

test('a raw camera is seen in colour from the first picture on, also by a pipeline that comes later', async (t) => {
  const { camera, probe } = await engineBesideCamera(t, cameraModels.webCamera)
  camera.showPictures([redSquare()])
  const grey = cameraTask(camera, { pixel_format: 'yuyv' })
  const isRed = (result: Result) => result.layout.outputs.some(({ port }) => port === 'found')

  await Effect.runPromise(probe.engine.open({ ...grey, plan: planOf(red) }))
  await probe.nextResult()
  await Effect.runPromise(probe.engine.setPlan(grey.plan))
  await resultThat(probe, (result) => !isRed(result))
  await Effect.runPromise(probe.engine.setPlan(planOf(red)))
  await resultThat(probe, isRed)

  const seen = probe.results.filter(isRed).map(outlines)
  assert.ok(seen.length >= 2)
  for (const found of seen) {
    assert.equal(found.length, 1)
    assert.ok(Math.hypot((found[0]?.center.x_px ?? 0) - 450, (found[0]?.center.y_px ?? 0) - 250) < 2)
  }
})

test('a raw camera that needs colour for a picture has it from the first frame on', async (t) => {
  const { camera, probe } = await engineBesideCamera(t, cameraModels.webCamera)
  camera.showPictures([redSquare()])
  const seen = { ...red, outputs: [{ port: 'seen', from: 'source.colour' }] }
  await Effect.runPromise(probe.engine.open({ ...cameraTask(camera, { pixel_format: 'yuyv' }), plan: planOf(seen) }))
  await probe.nextResult()

  probe.engine.setPictureKinds([{ key: 'a', output: 'seen', max_width_px: 0, quality: 90, overlay: false, fps: 0 }])
  const { jpeg } = await probe.nextPicture()

  const [found, ...others] = await outlinesOf(t, jpeg, [340, 20])
  assert.equal(others.length, 0)
  assert.ok(Math.abs((found?.area_px ?? 0) - 10_000) < 500, JSON.stringify(found))
})

test('a crop of a raw camera has the colours of its part', async (t) => {
  const { camera, probe } = await engineBesideCamera(t, cameraModels.webCamera)
  camera.showPictures([redSquare()])
  const crop = { x_px: 351, y_px: 151, width_px: 200, height_px: 201 }

  await Effect.runPromise(
    probe.engine.open({ ...cameraTask(camera, { pixel_format: 'yuyv' }), crop, plan: planOf(red) }),
  )
  const [found] = outlines(await probe.nextResult())

  assert.ok(
    Math.hypot((found?.center.x_px ?? 0) - 99, (found?.center.y_px ?? 0) - 99) < 2,
    JSON.stringify(found?.center),
  )
})

test('a video in H.264 is seen in colour', { skip: noFfmpeg || without('libx264') }, async (t) => {
  const square = 'drawbox=x=120:y=80:w=60:h=40:color=red:t=fill'
  const filmed = `color=c=0x4c4c4c:size=320x240:rate=30,${square}`
  const path = videoFile(t, 'red.mp4', H264, { frames: 3, filmed })
  const probe = await startEngine(t)
  const ended = probe.nextEvent('ended')

  await probe.open({ source: { backend: 'file', path, pace: 'fast' }, pipeline: red })
  await ended

  assert.equal(probe.results.length, 3)
  for (const [found] of probe.results.map(outlines))
    assert.ok(
      Math.hypot((found?.center.x_px ?? 0) - 150, (found?.center.y_px ?? 0) - 100) < 2,
      JSON.stringify(found?.center),
    )
})
