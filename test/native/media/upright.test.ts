// Which side of a photograph is up: what its camera noted is heeded when it is edited, since that is how people see it.
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { isFault } from '../../../machines/errors/fault.ts'
import { argumentOf, type Edit } from '../../../machines/media/edits.ts'
import {
  orientationOfJpeg,
  orientationOfMatrix,
  uprightEdits,
  withOrientation,
} from '../../../native/media/content/upright.ts'
import { bytesOf, exifNote, jpegFile, mp4File } from '../../support/media/media-files.ts'
import { good, openStore } from '../../support/media/media-store.ts'
import { grayPng, pngChunk } from '../../support/media/png.ts'
import { folderOf } from '../../support/processes/folder.ts'

const photograph = (orientation: number, order: 'II' | 'MM' = 'II') =>
  jpegFile(40, 30, {
    more: [
      [0xe0, Buffer.alloc(14)],
      [0xe1, exifNote(orientation, order)],
    ],
  })

const editsOf = async (file: Buffer) => uprightEdits(await orientationOfJpeg(bytesOf(file)))

/** A small picture, row by row. */
type Grid = readonly (readonly number[])[]

const turn = (grid: Grid): Grid =>
  (grid[0] as readonly number[]).map((_, x) => grid.map((row) => row[x] as number).reverse())

const edited = (grid: Grid, edit: Edit): Grid => {
  if (edit.op === 'rotate') return Array.from({ length: edit.degrees / 90 }).reduce<Grid>(turn, grid)
  if (edit.op !== 'flip') throw new Error(argumentOf(edit))
  return edit.axis === 'horizontal' ? grid.map((row) => row.toReversed()) : grid.toReversed()
}

/** Where the first row and the first column are to be seen (CIPA DC-008, table 6). */
const SIDES: readonly (readonly [note: number, firstRow: Side, firstColumn: Side])[] = [
  ...([
    [1, 'top', 'left'],
    [2, 'top', 'right'],
    [3, 'bottom', 'right'],
    [4, 'bottom', 'left'],
  ] as const),
  ...([
    [5, 'left', 'top'],
    [6, 'right', 'top'],
    [7, 'right', 'bottom'],
    [8, 'left', 'bottom'],
  ] as const),
]

type Side = 'top' | 'bottom' | 'left' | 'right'

/** One side of a picture, read from the end that is given. */
const sideOf = (grid: Grid, side: Side, from: Side): readonly number[] => {
  const pixels =
    side === 'top' || side === 'bottom'
      ? (grid.at(side === 'top' ? 0 : -1) as readonly number[])
      : grid.map((row) => row.at(side === 'left' ? 0 : -1) as number)
  return from === 'right' || from === 'bottom' ? pixels.toReversed() : pixels
}

const stored: Grid = [
  [1, 2, 3],
  [4, 5, 6],
]

for (const order of ['II', 'MM'] as const)
  test(`a photograph is set upright by any of the eight notes (${order})`, async () => {
    for (const [note, firstRow, firstColumn] of SIDES) {
      const edits = await editsOf(photograph(note, order))
      const shown = edits.reduce(edited, stored)

      assert.deepEqual(sideOf(shown, firstRow, firstColumn), [1, 2, 3], `${note}`)
      assert.deepEqual(sideOf(shown, firstColumn, firstRow), [1, 4], `${note}`)
    }
  })

test('a note that makes no sense, is cut off or is not there counts as none', async () => {
  const whole = photograph(6)
  for (const file of [jpegFile(40, 30), photograph(0), photograph(9), photograph(60_000)])
    assert.deepEqual(await editsOf(file), [])
  for (let length = 0; length < whole.length; length += 1) await editsOf(whole.subarray(0, length))
  for (let at = 20; at < whole.length; at += 1) {
    const broken = Buffer.from(whole)
    broken[at] = 0xff
    await editsOf(broken)
  }
})

test('a part of a photograph is counted from the corner that people see', async (t) => {
  const told: (readonly Edit[])[] = []
  const { store } = await openStore(t, folderOf(t), {
    editor: async (_from, _to, edits) => {
      told.push(edits)
      return { width_px: 10, height_px: 35 }
    },
  })
  const { name } = good(await store.receive({ body: Readable.from([photograph(6)]) }))
  const part = (width_px: number, height_px: number): Edit => ({ op: 'crop', x_px: 0, y_px: 0, width_px, height_px })

  const made = await store.edit(name, [part(10, 35)])
  const outside = await store.edit(name, [part(35, 10)])

  assert.ok(!isFault(made))
  assert.deepEqual(told, [[{ op: 'rotate', degrees: 90 }, part(10, 35)]])
  assert.match(isFault(outside) ? outside.detail : '', /edit 1 .*35x10 at \(0, 0\) does not lie within 30x40/)
})

/** As the notes of EXIF, in the numbers of ISO/IEC 14496-12: where a step to the right, and one down, leads. */
const MATRICES: Readonly<Record<number, readonly [a: number, b: number, c: number, d: number]>> = {
  1: [1, 0, 0, 1],
  2: [-1, 0, 0, 1],
  3: [-1, 0, 0, -1],
  4: [1, 0, 0, -1],
  5: [0, 1, 1, 0],
  6: [0, 1, -1, 0],
  7: [0, -1, -1, 0],
  8: [0, -1, 1, 0],
}

test('what the list says of a size is what people see, whatever noted which side is up', async (t) => {
  const { store } = await openStore(t, folderOf(t))
  const sizeOf = async (file: Buffer) => {
    const { width_px, height_px } = good(await store.receive({ body: Readable.from([file]) }))
    return [width_px, height_px]
  }

  for (const [note, [a, b, c, d]] of Object.entries(MATRICES)) {
    const seen = Number(note) >= 5 ? [30, 40] : [40, 30]
    const tiff = exifNote(Number(note)).subarray(6)
    const plain = grayPng(40, 30)
    const before = Buffer.concat([plain.subarray(0, 33), pngChunk('eXIf', tiff), plain.subarray(33)])
    const behind = Buffer.concat([plain.subarray(0, -12), pngChunk('eXIf', tiff), plain.subarray(-12)])
    assert.deepEqual(await sizeOf(photograph(Number(note))), seen, `JPEG ${note}`)
    assert.deepEqual(await sizeOf(before), seen, `PNG ${note}`)
    assert.deepEqual(await sizeOf(behind), [40, 30], 'browsers heed no note behind the pixels')
    assert.deepEqual(await sizeOf(mp4File({ width: 40, height: 30, matrix: [a, b, c, d] })), seen, `MP4 ${note}`)
    assert.equal(orientationOfMatrix({ a, b, c, d }), Number(note))
  }
  const skewed = { a: 1, b: 0.5, c: -0.5, d: 1 }
  for (const matrix of [skewed, { a: 0, b: 0, c: 0, d: 0 }, { a: 1, b: 0, c: 0, d: 0 }])
    assert.equal(orientationOfMatrix(matrix), 1)
})

test('a PNG is edited as it is seen, too', async (t) => {
  const told: (readonly Edit[])[] = []
  const { store } = await openStore(t, folderOf(t), {
    editor: async (_from, _to, edits) => {
      told.push(edits)
      return { width_px: 40, height_px: 30 }
    },
  })
  const plain = grayPng(40, 30)
  const noted = Buffer.concat([plain.subarray(0, 33), pngChunk('eXIf', exifNote(8).subarray(6)), plain.subarray(33)])
  const { name } = good(await store.receive({ body: Readable.from([noted]) }))
  const part: Edit = { op: 'crop', x_px: 0, y_px: 0, width_px: 30, height_px: 40 }

  good(await store.edit(name, [part]))

  assert.deepEqual(told, [[{ op: 'rotate', degrees: 270 }, part]])
})

test('a picture of a video says what the container says, whatever its camera noted', async () => {
  const orientationOf = (file: Buffer) => orientationOfJpeg(bytesOf(file))
  for (const noted of [jpegFile(40, 30), photograph(6), photograph(3, 'MM')])
    for (let orientation = 1; orientation <= 8; orientation += 1) {
      const shown = withOrientation(noted, orientation)
      assert.equal(await orientationOf(shown), orientation)
      assert.deepEqual(shown.subarray(-60), noted.subarray(-60))
    }
  assert.deepEqual(withOrientation(jpegFile(40, 30), 1), jpegFile(40, 30))
  assert.equal(await orientationOf(photograph(6)), 6, 'what was given stays as it was')
})
