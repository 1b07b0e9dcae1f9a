// A real engine on videos in files: those that are what they should be, and those that are not.
import assert from 'node:assert/strict'
import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { header, type Result } from '../../../../machines/engine/result.ts'
import type { Fault } from '../../../../machines/errors/fault.ts'
import type { FileSource } from '../../../../machines/stream/sources/file.ts'
import { loadAddon } from '../../../../native/engine/process/addon.ts'
import { type EngineProbe, engineTask, startEngine, takePicture } from '../../../support/engine/engine-task.ts'
import { noFfmpeg } from '../../../support/media/boxes.ts'
import { FRAGMENTS, H264, H265, MJPEG, videoFile, without } from '../../../support/media/videos.ts'
import { folderOf } from '../../../support/processes/folder.ts'

const manifestOf = (path: string, more: Partial<FileSource> = {}) => ({
  source: { backend: 'file' as const, path, pace: 'fast' as const, ...more },
})

/** The times of all pictures of a video that is played once, as fast as it goes; microseconds since the first. */
const played = async (engine: EngineProbe, path: string): Promise<readonly number[]> => {
  const before = engine.results.length
  const ended = engine.nextEvent('ended')
  await engine.open(manifestOf(path))
  await ended
  const times = engine.results.slice(before).map((result) => header(result, 'captured_us'))
  return times.map((us) => us - (times[0] as number))
}

const refusal = async (engine: EngineProbe, path: string): Promise<Fault> =>
  engine.open(manifestOf(path)).then(
    () => assert.fail(`${path} was opened`),
    (fault) => fault as Fault,
  )

const evenly = (count: number, fps: number) => Array.from({ length: count }, (_, n) => Math.round((n * 1e6) / fps))

const STALL_US = 1_000_000 // further behind, as on a machine that was held up, the clock of a video starts again

const KINDS = {
  'h264.mp4': [...H264, '-bf', '2'],
  'h264-fragments.mp4': [...H264, ...FRAGMENTS],
  'h264.ts': H264,
  'h264.mkv': H264,
  'mjpeg.mp4': [...MJPEG, ...FRAGMENTS],
  'mjpeg.avi': MJPEG,
} as const

test('every picture of a video comes once, in order, with the time that it has there', {
  skip: noFfmpeg,
}, async (t) => {
  const engine = await startEngine(t)

  for (const [name, how] of Object.entries(KINDS)) {
    const times = await played(engine, videoFile(t, name, how))
    const even = evenly(30, 30)
    assert.equal(times.length, 30, name)
    for (const [n, us] of times.entries()) assert.ok(Math.abs(us - (even[n] as number)) <= 1_000, `${name} ${n}: ${us}`)
  }
})

test('a video in H.265 is read like one in H.264', { skip: noFfmpeg || without('libx265') }, async (t) => {
  const engine = await startEngine(t)

  const times = await played(engine, videoFile(t, 'h265.mp4', H265))

  assert.equal(times.length, 30)
})

test('a video that is played as a camera has its own rate, and begins anew when it is to', {
  skip: noFfmpeg,
}, async (t) => {
  const engine = await startEngine(t)
  const path = videoFile(t, 'short.mp4', [...MJPEG, ...FRAGMENTS], { frames: 5, fps: 50 })

  const opened = await engine.open(manifestOf(path, { pace: 'native', loop: true }))
  for (let n = 0; n < 12; n++) await engine.nextResult()

  const times = engine.results.map((result) => header(result, 'captured_us'))
  assert.deepEqual([opened.width_px, opened.height_px, opened.fps, opened.pixel_format], [320, 240, 50, 'jpeg'])
  assert.equal(opened.timestamp_source, 'file')
  const gaps = times.slice(1).map((us, n) => us - (times[n] as number))
  for (const us of gaps.filter((each) => each < STALL_US))
    assert.equal(us % 20_000, 0, 'a period, or more where pictures were skipped')
  assert.ok(gaps.some((us) => us < STALL_US))
})

test('a video with an hour in which nothing was taken, or with a rate that no camera has, is played on', {
  skip: noFfmpeg,
}, async (t) => {
  const engine = await startEngine(t)
  const gap = ['-vf', "setpts='(N/30+gt(N,4)*3600)/TB'", '-vsync', 'passthrough', '-enc_time_base', '1/1000']
  const paused = videoFile(t, 'paused.mkv', [...MJPEG, ...gap], { frames: 10 })
  const fast = videoFile(t, 'fast.mkv', MJPEG, { frames: 10, fps: 900 })

  const ended = engine.nextEvent('ended')
  await engine.open(manifestOf(paused, { pace: 'native', loop: false }))
  await ended
  const last = engine.results.at(-1) as Result // before those of the other video come
  const { fps } = await engine.open(manifestOf(fast))

  assert.equal(header(last, 'seq'), 9)
  assert.equal(fps, 240)
})

test('the JPEGs of a video reach viewers as they lie in it', { skip: noFfmpeg }, async (t) => {
  const engine = await startEngine(t)
  const path = videoFile(t, 'own.mp4', [...MJPEG, ...FRAGMENTS], { frames: 10 })
  engine.engine.setPictureKinds([{ key: 'own', max_width_px: 0, quality: 0, overlay: false, fps: 0 }])

  const coming = engine.nextPicture()
  await engine.open(manifestOf(path, { pace: 'native', loop: true }))
  const { passthrough, jpeg } = await coming

  assert.ok(passthrough)
  assert.ok(readFileSync(path).includes(Buffer.from(jpeg)))
})

/** A JPEG with another size in its header. */
const enlarged = (jpeg: Buffer, width: number, height: number): Buffer => {
  const at = jpeg.indexOf(Buffer.from([0xff, 0xc0]))
  const copy = Buffer.from(jpeg)
  copy.writeUInt16BE(height, at + 5)
  copy.writeUInt16BE(width, at + 7)
  return copy
}

/** An AVI or MP4 in which each JPEG claims to be larger. */
const bomb = (path: string): void => {
  const file = readFileSync(path)
  for (let at = file.indexOf(SOF); at >= 0; at = file.indexOf(SOF, at + 1)) {
    file.writeUInt16BE(16_000, at + 5)
    file.writeUInt16BE(16_000, at + 7)
  }
  writeFileSync(path, file)
}
const SOF = Buffer.from([0xff, 0xc0, 0x00, 0x11, 0x08])

/** H.264 whose header says 16384x16384 pixels, and a picture that is none. */
const hugeH264 = (): Buffer => {
  const bits: string[] = []
  const plain = (value: number, count: number) => bits.push(value.toString(2).padStart(count, '0'))
  const golomb = (value: number) => {
    const binary = (value + 1).toString(2)
    bits.push('0'.repeat(binary.length - 1) + binary)
  }
  for (const byte of [66, 0, 62]) plain(byte, 8) // baseline, level 6.2
  for (const value of [0, 0, 2, 1]) golomb(value) // id, frame numbers, order by position, reference frames
  plain(0, 1)
  for (const side of [16_384 / 16 - 1, 16_384 / 16 - 1]) golomb(side)
  for (const bit of [1, 1, 0, 0]) plain(bit, 1) // frames, inference, not cropped, nothing more
  bits.push('1')
  const text = bits.join('')
  const sps = (text.padEnd(Math.ceil(text.length / 8) * 8, '0').match(/.{8}/g) ?? []).map((byte) =>
    Number.parseInt(byte, 2),
  )
  const START = [0, 0, 0, 1]
  const pps = [0x68, 0xce, 0x3c, 0x80]
  const idr = [0x65, 0xb8, ...Buffer.alloc(2000, 0x5a)]
  const unit = [...START, 0x67, ...sps, ...START, ...pps, ...START, ...idr]
  return Buffer.concat(Array.from({ length: 40 }, () => Buffer.from(unit)))
}

/** What a recorder leaves that was switched off: its pictures are all there. */
const withoutIndex = (path: string): Buffer => {
  const whole = readFileSync(path)
  return whole.subarray(0, whole.indexOf('moov', 0, 'latin1') - 4)
}

test('what is no video, or a broken one, is refused in a sentence, and the engine lives', {
  skip: noFfmpeg,
}, async (t) => {
  const folder = folderOf(t)
  const engine = await startEngine(t)
  const write = (name: string, content: string | Uint8Array): string => {
    writeFileSync(join(folder, name), content)
    return join(folder, name)
  }
  const whole = videoFile(t, 'whole.mp4', H264)
  const cut = write('cut.mp4', readFileSync(whole).subarray(0, 3000)) // its index lay at the end
  const large = videoFile(t, 'large.avi', MJPEG, { frames: 3 })
  bomb(large)
  const secret = write('secret.jpg', enlarged(Buffer.from((await takePicture(t)).picture.jpeg), 64, 64))
  const broken: readonly (readonly [path: string, code: string, why: RegExp])[] = [
    [join(folder, 'nothing.mp4'), 'camera.missing', /there is no file .*nothing\.mp4; check the path/],
    [folder, 'camera.unreadable', /is no file; name a video/],
    [write('empty.mp4', ''), 'camera.unreadable', /empty\.mp4 is empty/],
    [write('text.mp4', 'this is a text\n'.repeat(5000)), 'camera.unreadable', /is no video that can be read/],
    [
      write('noise.mp4', Buffer.from('fq'.repeat(100_000), 'latin1')),
      'camera.unreadable',
      /is no video that can be read/,
    ],
    [cut, 'camera.unreadable', /cut\.mp4 has no index \(moov\).*only a part of it was copied; copy it again/],
    [write('unended.mp4', withoutIndex(whole)), 'camera.unreadable', /has no index \(moov\).*not recorded to its end/],
    [secret, 'camera.unreadable', /is no video that can be read/],
    [
      write('list.mp4', `#EXTM3U\n#EXT-X-TARGETDURATION:5\n#EXTINF:5,\n${whole}\n#EXT-X-ENDLIST\n`),
      'camera.unreadable',
      /is no video that can be read/,
    ],
    [write('concat.mp4', `ffconcat version 1.0\nfile ${whole}\n`), 'camera.unreadable', /is no video that can be read/],
    [large, 'camera.unreadable', /16000x16000 pixels, more than the 64 megapixels/],
    [write('huge.h264', hugeH264()), 'camera.unreadable', /huge\.h264/],
    [
      videoFile(t, 'sound.mp4', ['-c:a', 'aac'], { filmed: 'sine=duration=1' }),
      'camera.unreadable',
      /holds no pictures/,
    ],
    [
      videoFile(t, 'old.avi', ['-c:v', 'mpeg4']),
      'camera.unreadable',
      /is a video of mpeg4; H\.264, H\.265 and MJPEG are read/,
    ],
  ]

  for (const [path, code, why] of broken) {
    const fault = await refusal(engine, path)
    assert.equal(fault.code, code, `${path}: ${fault.detail}`)
    assert.match(fault.detail, why)
  }

  assert.equal((await played(engine, whole)).length, 30)
  const memory = readFileSync(`/proc/${engine.engine.pid}/status`, 'utf8')
  assert.ok(Number(/VmHWM:\s*(\d+)/.exec(memory)?.[1]) < 400_000, 'no memory was taken for a picture of 16384x16384')
})

test('a video that is cut short is played up to there', { skip: noFfmpeg }, async (t) => {
  const engine = await startEngine(t)
  const path = videoFile(t, 'torn.mp4', [...MJPEG, ...FRAGMENTS])
  truncateSync(path, Math.floor(readFileSync(path).length / 2))

  const times = await played(engine, path)

  assert.ok(times.length >= 10 && times.length < 20, `${times.length} pictures`)
})

test('a video that is deleted while it is played is played on, and missing when it is opened again', {
  skip: noFfmpeg,
}, async (t) => {
  const engine = await startEngine(t)
  const path = videoFile(t, 'gone.mp4', [...MJPEG, ...FRAGMENTS], { frames: 4, fps: 100 })
  await engine.open(manifestOf(path, { pace: 'native', loop: true }))

  rmSync(path)
  for (let n = 0; n < 10; n++) await engine.nextResult()
  const fault = await refusal(engine, path)

  assert.equal(fault.code, 'camera.missing')
})

test('a video outside of the media roots is not read', { skip: noFfmpeg }, async (t) => {
  const engine = await startEngine(t)
  const path = videoFile(t, 'private.mp4', H264)
  const task = { ...engineTask(manifestOf(path)), media_roots: ['/nowhere'] }
  const { Stream } = loadAddon()
  const stream = new Stream(() => {})

  const fault = await stream.open({ ...task, video_library: '' }).catch((error) => error as Fault)
  const withoutLibraries = await stream
    .open({ ...task, media_roots: ['/'], video_library: '/nowhere/vedette_libav.node' })
    .catch((error) => error as Fault & Error)

  assert.equal((fault as Fault).code, 'media.not_allowed')
  assert.equal((withoutLibraries as Fault).code, 'video.unavailable')
  assert.match((withoutLibraries as Error).message, /install the packages libavformat-dev and libavcodec-dev/)
  assert.equal((await played(engine, path)).length, 30, 'a folder that may be read')
})
