// A real engine on pictures and videos that lie on their side: what it detects, shows and draws on is what people see.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Result } from '../../../../machines/engine/result.ts'
import { rowDocuments } from '../../../../machines/engine/row-documents.ts'
import type { Picture } from '../../../../machines/stream/picture.ts'
import { sizeSeen, withOrientation } from '../../../../native/media/content/upright.ts'
import { livePictures, networkCamera } from '../../../support/cameras/network-camera.ts'
import { type EngineProbe, startEngine, takePicture } from '../../../support/engine/engine-task.ts'
import { noFfmpeg } from '../../../support/media/boxes.ts'
import { H264, MJPEG, videoFile } from '../../../support/media/videos.ts'
import { folderOf } from '../../../support/processes/folder.ts'

const OWN = { key: 'own', max_width_px: 0, quality: 0, overlay: false, fps: 0 } as const
const DRAWN = { key: 'drawn', max_width_px: 0, quality: 95, overlay: true, fps: 0 } as const
const WIDE = { width_px: 640, height_px: 400 }
const SMALL = { width_px: 320, height_px: 240 }

/** What is seen at (x, y) of a picture of that size, in the picture as it is stored. */
const storedAt = (
  orientation: number,
  [x, y]: readonly [number, number],
  { width_px: right, height_px: bottom } = WIDE,
): readonly [number, number] => {
  const places: Readonly<Record<number, readonly [number, number]>> = {
    1: [x, y],
    2: [right - x, y],
    3: [right - x, bottom - y],
    4: [x, bottom - y],
    5: [y, x],
    6: [y, bottom - x],
    7: [right - y, bottom - x],
    8: [right - y, x],
  }
  return places[orientation] as readonly [number, number]
}

const centresIn = (result: Result): readonly (readonly [id: number, x: number, y: number])[] =>
  (rowDocuments(result, 'tags', 'detections') ?? []).map(({ id, center }) => [id, center.x_px, center.y_px])

/** Both pictures of one source, and a result. */
const seenBy = async (engine: EngineProbe, open: () => Promise<unknown>) => {
  engine.engine.setPictureKinds([OWN, DRAWN])
  await open()
  const seen = new Map<string, Picture>()
  while (seen.size < 2) {
    const picture = await engine.nextPicture()
    seen.set(picture.key, picture)
  }
  return { own: seen.get('own') as Picture, drawn: seen.get('drawn') as Picture, result: await engine.nextResult() }
}

/** As it is stored. */
const sizeOf = (jpeg: Uint8Array): string => {
  for (let at = 2; at + 9 < jpeg.length; at += 2 + (jpeg[at + 2] as number) * 256 + (jpeg[at + 3] as number))
    if (jpeg[at + 1] === 0xc0)
      return [7, 5].map((n) => (jpeg[at + n] as number) * 256 + (jpeg[at + n + 1] as number)).join('x')
  return 'none'
}

test('preview, overlay and detection of a photograph agree with what people see of it', async (t) => {
  const stored = Buffer.from((await takePicture(t)).picture.jpeg)
  const engine = await startEngine(t)
  const folder = folderOf(t)
  const upright = await seenBy(engine, () => opened(engine, folder, 'upright', stored))
  const tags = centresIn(upright.result)
  assert.ok(tags.length > 0)

  for (const orientation of [3, 6, 8]) {
    const size = sizeSeen(WIDE, orientation)
    const noted = withOrientation(stored, orientation)
    const { own, drawn, result } = await seenBy(engine, () => opened(engine, folder, `noted-${orientation}`, noted))
    const text = `${size.width_px}x${size.height_px}`
    assert.deepEqual([sizeOf(own.jpeg), sizeOf(drawn.jpeg)], [text, text], `${orientation}`)
    assert.deepEqual(withOrientation(Buffer.from(own.jpeg), 1), Buffer.from(own.jpeg), 'nobody turns it again')
    const found = centresIn(result).map(([id, x, y]) => [id, ...storedAt(orientation, [x, y])] as const)
    assert.equal(found.length, tags.length)
    for (const [id, x, y] of tags) {
      const same = found.find((each) => each[0] === id) ?? assert.fail(`tag ${id} is not seen`)
      assert.ok(Math.hypot(x - same[1], y - same[2]) < 0.05, `tag ${id}: ${x}, ${y} and ${same[1]}, ${same[2]}`)
    }
  }
})

const opened = (engine: EngineProbe, folder: string, name: string, jpeg: Buffer) => {
  const path = join(folder, `${name}.jpg`)
  writeFileSync(path, jpeg)
  return engine.open({ source: { backend: 'images', path, fps: 30 } })
}

/** Grey levels of the first picture of a file, as ffmpeg decodes it, turned as players do it. */
const grayOf = (path: string): Buffer =>
  execFileSync('ffmpeg', ['-v', 'error', '-i', path, '-frames:v', '1', '-f', 'rawvideo', '-pix_fmt', 'gray', '-'])

const turned = (t: TestContext, path: string, degrees: number, name: string): string => {
  const to = join(folderOf(t), name)
  execFileSync('ffmpeg', ['-v', 'error', '-i', path, '-c', 'copy', '-metadata:s:v', `rotate=${degrees}`, to])
  return to
}

for (const [name, how] of [
  ['h264.mp4', H264],
  ['mjpeg.mov', MJPEG],
] as const)
  test(`a video that says how it is to be turned is turned, as in a player (${name})`, {
    skip: noFfmpeg,
  }, async (t) => {
    const plain = videoFile(t, name, how, { frames: 3 })
    const engine = await startEngine(t)

    for (const degrees of [90, 180, 270]) {
      const path = turned(t, plain, degrees, name)
      const source = { backend: 'file', path, pace: 'native', loop: true } as const
      const { own, drawn } = await seenBy(engine, () => engine.open({ source }))
      const shown = join(folderOf(t), 'shown.jpg')
      writeFileSync(shown, own.jpeg)
      const size = degrees === 180 ? '320x240' : '240x320'
      assert.deepEqual([sizeOf(own.jpeg), sizeOf(drawn.jpeg)], [size, size])
      const [here, there] = [grayOf(shown), grayOf(path)]
      assert.equal(here.length, there.length)
      const apart = here.reduce((sum, level, n) => sum + Math.abs(level - (there[n] as number)), 0) / here.length
      assert.ok(apart < 6, `${degrees}: ${apart} levels`)
    }
  })

/** Of ISO/IEC 14496-12, for what EXIF numbers so: a, b, c, d. */
const MATRICES = {
  1: [1, 0, 0, 1],
  2: [-1, 0, 0, 1],
  3: [-1, 0, 0, -1],
  4: [1, 0, 0, -1],
  5: [0, 1, 1, 0],
  6: [0, 1, -1, 0],
  7: [0, -1, -1, 0],
  8: [0, -1, 1, 0],
} as const

test('all eight matrices of a video, mirrors among them, put every pixel where it is seen', {
  skip: noFfmpeg,
}, async (t) => {
  const plain = videoFile(t, 'plain.mp4', H264, { frames: 1 })
  const file = readFileSync(plain)
  const matrixAt = file.indexOf('tkhd', 0, 'latin1') + 4 + 40
  const stored = grayOf(plain)
  const engine = await startEngine(t)

  for (const [number, [a, b, c, d]] of Object.entries(MATRICES)) {
    const orientation = Number(number)
    for (const [n, value] of [a, b, 0, c, d].entries())
      file.writeInt32BE((value as number) * 0x1_0000, matrixAt + 4 * n)
    const path = join(folderOf(t), 'turned.mp4')
    writeFileSync(path, file)
    const source = { backend: 'file', path, pace: 'native', loop: true } as const
    const { own } = await seenBy(engine, () => engine.open({ source }))
    const shown = join(folderOf(t), 'shown.jpg')
    writeFileSync(shown, own.jpeg)
    const seen = grayOf(shown)
    const { width_px, height_px } = sizeSeen(SMALL, orientation)
    let sum = 0
    for (let y = 0; y < height_px; y += 1)
      for (let x = 0; x < width_px; x += 1) {
        const [column, row] = storedAt(orientation, [x + 0.5, y + 0.5], SMALL)
        const there = stored[Math.floor(row) * SMALL.width_px + Math.floor(column)] as number
        sum += Math.abs((seen[y * width_px + x] as number) - there)
      }
    assert.equal(sizeOf(own.jpeg), `${width_px}x${height_px}`)
    assert.ok(sum / seen.length < 6, `${orientation}: ${sum / seen.length} levels`)
  }
})

test('the pixels of a live camera stay as they come, whatever it notes', async (t) => {
  const jpeg = Buffer.from((await takePicture(t)).picture.jpeg)
  const camera = await networkCamera(t, livePictures(withOrientation(jpeg, 6)))
  const engine = await startEngine(t)

  const { own, drawn } = await seenBy(engine, () =>
    engine.open({ source: { backend: 'url', url: camera.url(), fps: 50 } }),
  )

  assert.deepEqual([sizeOf(own.jpeg), sizeOf(drawn.jpeg)], ['640x400', '640x400'])
  const forgotten = Buffer.from(withOrientation(withOrientation(jpeg, 6), 1))
  assert.deepEqual(Buffer.from(own.jpeg), forgotten, 'nobody who sees it turns it, and nothing else has changed')
})
