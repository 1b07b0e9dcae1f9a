// Pictures without Huffman tables, as most USB cameras send them: wherever they enter they are given their tables, so
// that nobody who is shown them, or plays them later, has to know which are meant.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import { withHuffmanTables } from '../../../../native/media/content/jpeg-tables.ts'
import { livePictures, networkCamera } from '../../../support/cameras/network-camera.ts'
import { engineBesideCamera } from '../../../support/cameras/v4l2/engine.ts'
import { cameraModels } from '../../../support/cameras/v4l2/models.ts'
import { type EngineProbe, startEngine, takePicture } from '../../../support/engine/engine-task.ts'
import { jpegsOf, noFfmpeg } from '../../../support/media/boxes.ts'
import { folderOf } from '../../../support/processes/folder.ts'
import { until } from '../../../support/until.ts'

const DHT = 0xc4
const SOS = 0xda
const asTheyCome = { key: 'own', max_width_px: 0, quality: 0, overlay: false, fps: 0 }

const withoutTables = (jpeg: Buffer): Buffer => {
  const kept = [jpeg.subarray(0, 2)]
  let at = 2
  for (; jpeg[at + 1] !== SOS; at += 2 + jpeg.readUInt16BE(at + 2))
    if (jpeg[at + 1] !== DHT) kept.push(jpeg.subarray(at, at + 2 + jpeg.readUInt16BE(at + 2)))
  return Buffer.concat([...kept, jpeg.subarray(at)])
}

/** A picture as a camera sends it, and as it is to leave. */
const pictures = async (t: TestContext) => {
  const sent = withoutTables(Buffer.from((await takePicture(t)).picture.jpeg))
  return { sent, wanted: Buffer.from(withHuffmanTables(sent)) }
}

const shown = async (engine: EngineProbe): Promise<Buffer> => {
  engine.engine.setPictureKinds([asTheyCome])
  const picture = await engine.nextPicture()
  assert.ok(picture.passthrough)
  return Buffer.from(picture.jpeg)
}

test('the pictures of a camera on the network get their tables, and are recorded with them', async (t) => {
  const { sent, wanted } = await pictures(t)
  const camera = await networkCamera(t, livePictures(sent))
  const engine = await startEngine(t)
  const path = join(folderOf(t), 'front.mp4')

  await engine.open({ source: { backend: 'url', url: camera.url(), fps: 50 } })
  const picture = await shown(engine)
  await Effect.runPromise(engine.engine.startRecording({ path, sidecar_path: `${path}.jsonl`, stream: 'front' }))
  for (let n = 0; n < 10; n++) await engine.nextResult()
  await Effect.runPromise(engine.engine.stopRecording)

  assert.equal(wanted.length, sent.length + 420)
  assert.deepEqual(picture, wanted)
  const recorded = jpegsOf(path)
  assert.ok(recorded.length > 0 && recorded.every((each) => each.equals(wanted)))
})

test('the pictures of a USB camera get their tables', async (t) => {
  const { camera, probe } = await engineBesideCamera(t, cameraModels.webCamera)
  await probe.openCamera(camera)
  const own = await shown(probe)
  const sent = withoutTables(own)
  const wanted = Buffer.from(withHuffmanTables(sent))
  assert.notDeepEqual(wanted, own) // which has them in segments of their own

  camera.showPictures([sent])

  await until('a picture as it is to leave', async () => wanted.equals(Buffer.from((await probe.nextPicture()).jpeg)))
})

test('a picture of a file gets its tables', async (t) => {
  const { sent, wanted } = await pictures(t)
  const path = join(folderOf(t), 'one.jpg')
  writeFileSync(path, sent)
  const engine = await startEngine(t)

  await engine.open({ source: { backend: 'images', path, fps: 30 } })

  assert.deepEqual(await shown(engine), wanted)
  assert.deepEqual(await shown(engine), wanted) // when it is read again
})

test('the pictures of a video get their tables', { skip: noFfmpeg }, async (t) => {
  const { sent, wanted } = await pictures(t)
  const folder = folderOf(t)
  const [from, path] = [join(folder, 'one.jpg'), join(folder, 'one.mp4')]
  writeFileSync(from, sent)
  const copied = spawnSync('ffmpeg', ['-loop', '1', '-framerate', '10', '-t', '2', '-i', from, '-c', 'copy', path])
  assert.equal(copied.status, 0, copied.stderr.toString())
  const engine = await startEngine(t)

  await engine.open({ source: { backend: 'file', path } })

  assert.deepEqual(await shown(engine), wanted)
})
