// Which pictures of a stream reach a recording: those of its size, all up to its end, each with its result.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { SidecarRecord } from '../../../../machines/recording/sidecar.ts'
import type { NativeOpened } from '../../../../native/engine/process/addon.ts'
import { type Libav, loadLibav, type RecorderEvent } from '../../../../native/engine/process/libav.ts'
import { Recording } from '../../../../native/engine/process/recording.ts'
import { Layouts } from '../../../../native/engine/protocol/results.ts'
import {
  type CameraByHand,
  cameraByHand,
  jpegOf,
  type OwnStream,
  ownStream,
} from '../../../support/engine/own-stream.ts'
import { complaintsAbout, jpegsOf, noFfmpeg, picturesOf } from '../../../support/media/boxes.ts'
import { FRAGMENTS, H264, MJPEG, videoFile, without } from '../../../support/media/videos.ts'
import { folderOf } from '../../../support/processes/folder.ts'
import { arrival, until } from '../../../support/until.ts'

const libav = loadLibav() as Libav

/** The muxer alone, as the engine has it. */
const recorderOf = async (t: TestContext, { width_px, height_px }: NativeOpened, library: string | null = null) => {
  const path = join(folderOf(t), 'own.mp4')
  const [begun, ended] = [Promise.withResolvers<RecorderEvent>(), Promise.withResolvers<RecorderEvent>()]
  const options = { fps: 30, fragment_ms: 300, max_bits_per_s: 8_000_000, max_queued_bytes: 1 << 24, library }
  const native = new libav.Recorder({ path, width_px, height_px, ...options }, (event) =>
    event.type === 'opened' ? begun.resolve(event) : ended.resolve(event),
  )
  await arrival('the header', begun.promise)
  return { path, native, ended: () => arrival('the end of the recording', ended.promise) }
}

/** A recording with its sidecar. */
const recordingOf = (t: TestContext, { stream }: OwnStream, { plan, has_truth: _, ...found }: NativeOpened) => {
  const folder = folderOf(t)
  const order = { path: join(folder, 'a.mp4'), sidecar_path: join(folder, 'a.jsonl'), stream: 'front' }
  const layouts = new Layouts()
  const opened = { ...found, layout: { stages: Array(7).fill('stage'), outputs: [] } }
  layouts.set(plan, opened.layout)
  const recording = new Recording({ libav, stream, order, opened, layouts, failed: assert.fail })
  const records = () =>
    readFileSync(order.sidecar_path, 'utf8')
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => JSON.parse(line) as SidecarRecord)
  return { path: order.path, recording, records }
}

/** Shows a camera pictures, one after the other, each when the one before has its result. */
const seen = async (own: OwnStream, camera: CameraByHand, jpegs: readonly Buffer[]) => {
  for (const jpeg of jpegs) {
    const coming = own.results(1)
    camera.show(jpeg)
    await coming
  }
}

const isWide = (jpeg: Buffer, width: number): boolean => jpeg.readUInt16BE(jpeg.indexOf(SOF) + 7) === width
const SOF = Buffer.from([0xff, 0xc0])

test('pictures of another size are left out of a recording, and counted', async (t) => {
  const [large, small] = [await jpegOf(t, 320, 240), await jpegOf(t, 160, 120)]
  const own = ownStream(t)
  const camera = await cameraByHand(t, large)
  const { native, path, ended } = await recorderOf(t, await own.open(camera.source))
  await own.first()

  own.stream.record(native.sink)
  await seen(own, camera, [small, large, small, large])
  own.stream.record(null)
  native.stop()
  const { counts } = await ended()

  assert.deepEqual([counts.pictures, own.stream.takeRecorded().pictures_lost], [2, 2])
  assert.ok(jpegsOf(path).every((jpeg) => jpeg.equals(large)))
})

test('a damaged JPEG is no picture of a video in H.264, and a harmless oddity of one costs nothing', {
  skip: without('libx264'),
}, async (t) => {
  const [plain, progressive, ...odd] = [
    ...['01-no-dht', '05c-prog-5', '02-sos-zeros', '12-jfif-2', '13-adobe-7'],
    ...['03c-rst-9-extra', '06b-one-scan-each-eoi-extra', '08e-410'],
  ].map((name) => readFileSync(`test/native/addon/jpegs/${name}.jpg`)) as [Buffer, Buffer, ...Buffer[]]
  const end = Buffer.of(0xff, 0xd9)
  const damaged = [plain, progressive].map((jpeg) => Buffer.concat([jpeg.subarray(0, jpeg.length / 2), end]))
  const own = ownStream(t)
  const camera = await cameraByHand(t, plain)
  const { native, ended } = await recorderOf(t, await own.open(camera.source), 'libx264')
  await own.first()

  own.stream.record(native.sink)
  const sum = () => native.counts().pictures + native.counts().lost
  for (const jpeg of [...odd, ...damaged, progressive]) {
    const before = sum()
    camera.show(jpeg)
    await until('the picture', () => sum() > before)
  }
  own.stream.record(null)
  native.stop()
  const { counts } = await ended()

  assert.deepEqual([counts.pictures, counts.lost], [odd.length + 1, damaged.length])
})

test('nor are they kept for a clip', async (t) => {
  const [large, small] = [await jpegOf(t, 320, 240), await jpegOf(t, 160, 120)]
  const own = ownStream(t)
  const camera = await cameraByHand(t, large)
  own.stream.setRewind(1 << 20)
  const { native, path, ended } = await recorderOf(t, await own.open(camera.source))
  await own.first()
  await seen(own, camera, [small, large])

  own.stream.record(native.sink, true)
  own.stream.record(null)
  native.stop()
  const { counts } = await ended()

  assert.equal(counts.pictures, 2)
  assert.ok(jpegsOf(path).every((jpeg) => jpeg.equals(large)))
})

test('what a camera gives that was opened with another size reaches no file of the size before', async (t) => {
  const own = ownStream(t)
  const source = { backend: 'synthetic', height_px: 240, fps: 60, motion: 'still' } as const
  const open = (width_px: number) => own.open({ ...source, width_px })
  const { native, path, ended } = await recorderOf(t, await open(320))
  own.stream.record(native.sink)
  await own.results(5)

  await open(160)
  await own.results(5)
  native.stop()
  await ended()

  const jpegs = jpegsOf(path)
  assert.ok(jpegs.length >= 4 && jpegs.every((jpeg) => isWide(jpeg, 320)), `${jpegs.length} pictures`)
})

test('the result of the last picture of a recording is beside it, however long it took', async (t) => {
  const jpeg = await jpegOf(t, 800, 600)
  const own = ownStream(t)
  const camera = await cameraByHand(t, jpeg)
  const opened = await own.open(camera.source)
  await own.first()
  const { recording, records, path } = recordingOf(t, own, opened)

  await recording.start()
  camera.show(jpeg)
  await until('the picture', () => recording.progress.pictures === 1)
  const progress = await recording.stop()

  assert.ok('results' in progress && progress.results === 1)
  assert.deepEqual(
    records().map(({ pts_us }) => pts_us),
    [0],
  )
  assert.equal(jpegsOf(path).length, 1)
})

test('every picture that was captured before the end of a recording is in it, or counted as lost', {
  skip: noFfmpeg,
}, async (t) => {
  const own = ownStream(t)
  const video = videoFile(t, 'gray.mp4', H264)
  const opened = await own.open({ backend: 'file', path: video, pace: 'fast', loop: true })
  await own.results(3)
  const { recording, records, path } = recordingOf(t, own, opened)

  await recording.start()
  await own.results(40)
  const progress = await recording.stop()

  assert.ok('pictures' in progress)
  const [times, results] = [picturesOf(path), records().map(({ pts_us }) => pts_us)]
  assert.equal(progress.pictures + progress.pictures_lost, results.length, 'each picture of such a video has a result')
  assert.deepEqual(
    times.filter((time) => !results.includes(time)),
    [],
  )
})

/** A JPEG that says its size, and cannot be decoded: it names a table that there is not. */
const undecodable = (jpeg: Buffer): Buffer => {
  const copy = Buffer.from(jpeg)
  copy[copy.indexOf(SOF) + 12] = 7
  return copy
}

test('the time that stands beside a video in H.264 is that of its first picture, though one before it was lost', {
  skip: without('libx264'),
}, async (t) => {
  const jpeg = await jpegOf(t, 320, 240)
  const own = ownStream(t)
  const camera = await cameraByHand(t, jpeg)
  const { native, path, ended } = await recorderOf(t, await own.open(camera.source), 'libx264')
  await own.first()

  own.stream.record(native.sink)
  camera.show(undecodable(jpeg))
  await until('the bad one', () => native.counts().lost === 1)
  await seen(own, camera, [jpeg, jpeg])
  own.stream.record(null)
  native.stop()
  const { counts } = await ended()

  assert.deepEqual([counts.pictures, counts.lost, counts.first_us], [2, 1, own.times.at(-2)])
  assert.deepEqual(picturesOf(path), [0, (own.times.at(-1) ?? 0) - (own.times.at(-2) ?? 0)])
})

test('a recording ends where the times of the pictures go back, and is whole up to there', {
  skip: noFfmpeg,
}, async (t) => {
  const own = ownStream(t)
  const video = videoFile(t, 'ahead.mp4', [...MJPEG, ...FRAGMENTS])
  const opened = await own.open({ backend: 'file', path: video, pace: 'fast', loop: true })
  const { native, path, ended } = await recorderOf(t, opened)
  own.stream.record(native.sink)
  const aheadUs = () => (own.times.at(-1) ?? 0) - Number(process.hrtime.bigint() / 1000n)
  await until('a video that runs ahead', aheadUs, (us) => us > 3_000_000)

  await own.open({ backend: 'file', path: video, pace: 'native', loop: true })
  const { type, fault, counts } = await ended()

  assert.deepEqual([type, fault?.code], ['failed', 'recording.failed'])
  assert.match(fault?.detail ?? '', /were taken before those/)
  const times = picturesOf(path)
  assert.equal(times.length, counts.pictures)
  assert.ok(
    times.every((time, n) => n === 0 || time - (times[n - 1] ?? 0) > 10_000),
    'none is squeezed in',
  )
  assert.equal(complaintsAbout(path), '')
})
