// H.264 for those who watch, whatever the pictures are that come.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Fault } from '../../../machines/errors/fault.ts'
import type { VideoPacket } from '../../../machines/stream/video.ts'
import { type Libav, loadLibav } from '../../../native/engine/process/libav.ts'
import { cameraByHand, jpegOf, type OwnStream, ownStream } from '../../support/engine/own-stream.ts'
import { blockJpeg } from '../../support/media/block-jpeg.ts'
import { FRAGMENTS, MJPEG, videoFile, without } from '../../support/media/videos.ts'
import { until } from '../../support/until.ts'

const needed = { skip: without('libx264') }

/** Somebody who watches the video of a stream. */
const watched = (t: TestContext, { stream }: OwnStream) => {
  const [packets, faults]: [VideoPacket[], Fault[]] = [[], []]
  const { LiveVideo } = loadLibav() as Libav
  const native = new LiveVideo({ library: 'libx264', fps: 30, max_bits_per_s: 2_000_000 }, (event) => {
    if ('fault' in event) faults.push(event.fault)
    else packets.push(event)
  })
  stream.showVideo(native.sink)
  t.after(() => {
    stream.showVideo(null)
    native.end()
  })
  return { native, packets, faults, keys: () => packets.filter(({ is_key }) => is_key).length }
}

/**
 * A camera on whose video somebody is. show: shows a picture, and waits until it is encoded, or no packet comes of it.
 */
const filmed = async (t: TestContext, first: Buffer) => {
  const own = ownStream(t)
  const camera = await cameraByHand(t, first)
  await own.open(camera.source)
  await own.first()
  const video = watched(t, own)
  const seen = async (jpeg: Buffer) => {
    const before = video.packets.length
    camera.show(jpeg)
    await until('a packet', () => video.packets.length > before)
  }
  const unseen = async (jpeg: Buffer) => {
    const coming = own.results(1)
    camera.show(jpeg)
    await coming
  }
  return { ...video, seen, unseen }
}

const gray = () => [128, 128, 128] as const

/** The same bytes with another size in their header, of as many blocks. */
const resized = (jpeg: Buffer, width: number, height: number): Buffer => {
  const copy = Buffer.from(jpeg)
  const at = copy.indexOf(Buffer.from([0xff, 0xc0]))
  copy.writeUInt16BE(height, at + 5)
  copy.writeUInt16BE(width, at + 7)
  return copy
}

test('a picture of which no video can be made costs itself, and not the video', needed, async (t) => {
  const jpeg = await jpegOf(t, 320, 240)
  const { seen, unseen, faults, packets } = await filmed(t, jpeg)
  await seen(jpeg)

  for (const thin of [resized(blockJpeg(1, 30, gray), 1, 240), resized(blockJpeg(40, 1, gray), 320, 1)]) {
    await unseen(thin)
    await seen(jpeg)
  }

  assert.deepEqual(faults, [])
  assert.equal(packets.length, 3)
})

test(
  'sizes that alternate do not begin the video anew with each picture; another that stays does',
  needed,
  async (t) => {
    const [large, small] = [await jpegOf(t, 320, 240), await jpegOf(t, 160, 120)]
    const { seen, unseen, keys, packets } = await filmed(t, large)
    await seen(large)

    for (let n = 0; n < 6; n++) {
      await unseen(small)
      await seen(large)
    }
    const [keysOfLarge, packetsOfLarge] = [keys(), packets.length]
    let shown = 0
    for (; packets.length === packetsOfLarge && shown < 100; shown++) await unseen(small)
    await seen(small)

    assert.deepEqual([keysOfLarge, packetsOfLarge], [1, 7])
    assert.ok(shown >= 5 && packets[7]?.is_key, `${shown} smaller pictures`)
  },
)

test('a limit of the rate passes pictures over, but not one that a newcomer needs', needed, async (t) => {
  const jpeg = await jpegOf(t, 320, 240)
  const { native, seen, unseen, packets } = await filmed(t, jpeg)
  await seen(jpeg)

  native.limit(0.01)
  for (let n = 0; n < 3; n++) await unseen(jpeg)
  native.wantKey()
  await seen(jpeg)
  await unseen(jpeg)
  native.limit(null)
  await seen(jpeg)

  assert.deepEqual(
    packets.map(({ is_key }) => is_key),
    [true, true, false],
  )
})

test('the video goes on when a camera is opened after a video that ran ahead of the clock', needed, async (t) => {
  const own = ownStream(t)
  const path = videoFile(t, 'ahead.mp4', [...MJPEG, ...FRAGMENTS])
  await own.open({ backend: 'file', path, pace: 'fast', loop: true })
  const aheadUs = (timeUs = own.times.at(-1)) => (timeUs ?? 0) - Number(process.hrtime.bigint() / 1000n)
  await until('a video that runs ahead', aheadUs, (us) => us > 6_000_000)
  const { packets } = watched(t, own)
  await until('its video', () => packets.length > 0)

  await own.open({ backend: 'file', path, pace: 'native', loop: true })
  const before = own.times.length
  const look = () => ({ aheadUs: aheadUs(packets.at(-1)?.captured_us), results: own.times.length - before })
  const after = await until('its pictures', look, ({ aheadUs: us, results }) => us < 1_000_000 || results > 60)

  assert.ok(after.aheadUs < 1_000_000, `${after.results} results, and no picture of them in the video`)
})
