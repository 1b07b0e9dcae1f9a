// What the other vision product tells of its cameras, read.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readVisionMessage, streamAtPort, type VisionStream } from '../../../machines/discovery/vision-streams.ts'
import { visionState } from '../../support/peers/vision-product.ts'

const streamsOf = (message: unknown): readonly VisionStream[] => readVisionMessage(message, '10.1.2.11')?.streams ?? []
const outputOf = (camera: object): VisionStream | undefined =>
  streamsOf(visionState(camera)).find(({ kind }) => kind === 'output')

test('each camera has two streams, with what is known of it', () => {
  const seen = readVisionMessage(visionState({}), '10.1.2.11')

  assert.deepEqual([seen?.product_version, seen?.hostname, seen?.method], ['v2026.3.4', 'photon-left', 'websocket'])
  const about = { name: 'Front', camera_key: 'b6d1', connected: true, driver_mode: false }
  const shape = { width_px: 640, height_px: 360, fps: 30 }
  assert.deepEqual(seen?.streams, [
    { id: 'extvision:10.1.2.11:1181', kind: 'input', url: 'http://10.1.2.11:1181/stream.mjpg', ...about, ...shape },
    { id: 'extvision:10.1.2.11:1182', kind: 'output', url: 'http://10.1.2.11:1182/stream.mjpg', ...about, ...shape },
  ])
})

test('sizes are those of the mode in use, divided, and on their side when the camera is', () => {
  const sizeOf = (changes: object) => {
    const settings = { cameraVideoModeIndex: 1, streamingFrameDivisor: 0, inputImageRotationMode: 0, ...changes }
    const { width_px, height_px } = outputOf({ currentPipelineSettings: settings }) ?? {}
    return [width_px, height_px]
  }

  assert.deepEqual(sizeOf({}), [1280, 720])
  assert.deepEqual(sizeOf({ streamingFrameDivisor: 3 }), [213, 120])
  assert.deepEqual(sizeOf({ inputImageRotationMode: 1 }), [720, 1280])
  assert.deepEqual(sizeOf({ inputImageRotationMode: 2 }), [1280, 720])
  assert.deepEqual(sizeOf({ cameraVideoModeIndex: 7 }), [null, null])
})

test('modes may be a list, a limit makes the rate lower, and driver mode is told', () => {
  const list = [
    { width: 320, height: 240, fps: 90 },
    { width: 800, height: 600, fps: 60 },
  ]

  assert.equal(outputOf({ videoFormatList: list })?.width_px, 400)
  assert.equal(outputOf({ fpsLimit: 15 })?.fps, 15)
  assert.equal(outputOf({ fpsLimit: 120 })?.fps, 30)
  assert.equal(outputOf({ currentPipelineIndex: -1 })?.driver_mode, true)
  assert.equal(outputOf({ isConnected: undefined })?.connected, null)
})

test('what makes no sense is left out, and what is too much is cut', () => {
  const nobody = { inputStreamPort: 0, outputStreamPort: '1182' }
  const many = Array.from({ length: 100 }, (_, n) => ({
    inputStreamPort: 1181 + 2 * n,
    outputStreamPort: 1182 + 2 * n,
  }))

  assert.deepEqual(streamsOf(visionState(nobody)), [])
  assert.equal(streamsOf(visionState(...many)).length, 64)
  assert.equal(streamsOf(visionState({}, {})).length, 2, 'one port is one stream')
  assert.equal(outputOf({ nickname: 'x'.repeat(1_000) })?.name?.length, 128)
  assert.deepEqual(streamsOf({ cameraSettings: [null, 7, 'x', [], { __proto__: null }] }), [])
  for (const other of [undefined, null, 7, 'x', [], {}, { cameraSettings: {} }, { metrics: {} }])
    assert.equal(readVisionMessage(other, 'x'), undefined)
})

test('of a port alone it is known which pictures they are', () => {
  assert.deepEqual(
    [1181, 1182, 1183].map((port) => streamAtPort('fd00::1', port)).map(({ kind, url }) => [kind, url]),
    [
      ['input', 'http://[fd00::1]:1181/stream.mjpg'],
      ['output', 'http://[fd00::1]:1182/stream.mjpg'],
      ['input', 'http://[fd00::1]:1183/stream.mjpg'],
    ],
  )
})
