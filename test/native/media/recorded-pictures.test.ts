// Recordings read picture by picture.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { isFault } from '../../../machines/errors/fault.ts'
import { movieFragment, movieHead } from '../../../native/engine/fake/movie.ts'
import { orientationOfJpeg } from '../../../native/media/content/upright.ts'
import type { RecordedPicture } from '../../../native/media/port.ts'
import { recordedPictures } from '../../../native/media/recorded-pictures.ts'
import { noFfmpeg, picturesOf } from '../../support/media/boxes.ts'
import { bytesOf, exifNote, jpegFile } from '../../support/media/media-files.ts'
import { folderOf } from '../../support/processes/folder.ts'

const noted = jpegFile(16, 16, { more: [[0xe1, exifNote(3)]] })
const picture = (n: number): Buffer => Buffer.from([0xff, 0xd8, 0xff, n, 0xff, 0xd9])
const movie = (count: number): Buffer =>
  Buffer.concat([
    movieHead(16, 16),
    ...Array.from({ length: count }, (_, n) => movieFragment(n + 1, n * 40_000, picture(n))),
  ])

const written = (t: TestContext, bytes: Uint8Array): string => {
  const path = join(folderOf(t), 'recording.mp4')
  writeFileSync(path, bytes)
  return path
}

const all = async <Each>(each: AsyncIterable<Each>): Promise<readonly Each[]> => {
  const found: Each[] = []
  for await (const one of each) found.push(one)
  return found
}

/** Everything that is read of a file from a time on: its times and its third bytes; or the fault. */
const readFrom = async (path: string, fromUs = 0) => {
  await using file = await open(path)
  const found = await recordedPictures(file, (await file.stat()).size, fromUs)
  if (isFault(found)) return found
  const pictures: [pts: number, third: number | undefined][] = []
  for await (const { pts_us, size_bytes, pieces } of found) {
    const jpeg = Buffer.concat(await all(pieces()))
    assert.equal(jpeg.length, size_bytes)
    pictures.push([pts_us, jpeg[3]])
  }
  return pictures
}

test('a recording that lies on its side is played upright, by the note that its pictures are given', async (t) => {
  const head = movieHead(16, 16)
  const matrix = head.indexOf('tkhd', 0, 'latin1') + 4 + 40
  for (const [n, value] of [0, 1, 0, -1, 0].entries()) head.writeInt32BE(value * 0x1_0000, matrix + 4 * n) // a quarter
  const path = written(t, Buffer.concat([head, movieFragment(1, 0, jpegFile(16, 16)), movieFragment(2, 40_000, noted)]))

  await using file = await open(path)
  const found = await recordedPictures(file, (await file.stat()).size, 0)
  assert.ok(!isFault(found), JSON.stringify(found))

  const orientations: number[] = []
  for await (const { size_bytes, pieces } of found) {
    const jpeg = Buffer.concat(await all(pieces()))
    assert.equal(jpeg.length, size_bytes)
    orientations.push(await orientationOfJpeg(bytesOf(jpeg)))
  }
  assert.deepEqual(orientations, [6, 6])
})

test('pictures come in order with their times, from the one that is asked for', async (t) => {
  const path = written(t, movie(5))

  const [all, late, none] = [await readFrom(path), await readFrom(path, 80_001), await readFrom(path, 1e9)]

  assert.deepEqual(
    all,
    [0, 1, 2, 3, 4].map((n) => [n * 40_000, n]),
  )
  assert.deepEqual(
    late,
    [3, 4].map((n) => [n * 40_000, n]),
  )
  assert.deepEqual(none, [])
})

test('a torn end, a foreign video and no video at all are told apart from pictures', async (t) => {
  const whole = movie(3)
  const foreign = Buffer.from(whole)
  foreign.write('avc1', whole.indexOf('mp4v'), 'latin1')

  const torn = await readFrom(written(t, whole.subarray(0, whole.length - 2)))
  const others = [foreign, Buffer.from('hello'), movieHead(16, 16).subarray(0, 300), Buffer.alloc(0)]

  assert.deepEqual(
    torn,
    [0, 1].map((n) => [n * 40_000, n]),
  )
  for (const other of others) {
    const found = await readFrom(written(t, other))
    assert.ok(isFault(found) && found.code === 'media.no_pictures', JSON.stringify(found))
  }
})

test('a picture as large as its file says is read in pieces, as often as it is asked for', async (t) => {
  const large = Buffer.alloc(1_000_000, 7)
  await using file = await open(written(t, Buffer.concat([movieHead(16, 16), movieFragment(1, 0, large)])))
  const found = await recordedPictures(file, (await file.stat()).size, 0)
  assert.ok(!isFault(found))
  const [only] = (await all(found)) as [RecordedPicture]

  for (const time of ['once', 'again']) {
    const pieces = await all(only.pieces())
    assert.ok(Buffer.concat(pieces).equals(large), time)
    assert.ok(pieces.every(({ length }) => length <= 256 * 1024))
  }
})

test('what a fake engine records is a video like any other', { skip: noFfmpeg }, (t) => {
  const path = written(t, movie(4))

  assert.deepEqual(picturesOf(path), [0, 40_000, 80_000, 120_000])
})
