// Which side of a photograph is up: what its camera noted is heeded when it is edited, since that is how people see it.
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { isFault } from '../../../machines/errors/fault.ts'
import { argumentOf, type Edit } from '../../../machines/media/edits.ts'
import { uprightEdits } from '../../../native/media/content/upright.ts'
import { folderOf } from '../../support/folder.ts'
import { bytesOf, exifNote, jpegFile } from '../../support/media-files.ts'
import { good, openStore } from '../../support/media-store.ts'

const photograph = (orientation: number, order: 'II' | 'MM' = 'II') =>
  jpegFile(40, 30, {
    more: [
      [0xe0, Buffer.alloc(14)],
      [0xe1, exifNote(orientation, order)],
    ],
  })

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
      const edits = await uprightEdits(bytesOf(photograph(note, order)))
      const shown = edits.reduce(edited, stored)

      assert.deepEqual(sideOf(shown, firstRow, firstColumn), [1, 2, 3], `${note}`)
      assert.deepEqual(sideOf(shown, firstColumn, firstRow), [1, 4], `${note}`)
    }
  })

test('a note that makes no sense, is cut off or is not there counts as none', async () => {
  const whole = photograph(6)
  for (const file of [jpegFile(40, 30), photograph(0), photograph(9), photograph(60_000)])
    assert.deepEqual(await uprightEdits(bytesOf(file)), [])
  for (let length = 0; length < whole.length; length += 1) await uprightEdits(bytesOf(whole.subarray(0, length)))
  for (let at = 20; at < whole.length; at += 1) {
    const broken = Buffer.from(whole)
    broken[at] = 0xff
    await uprightEdits(bytesOf(broken))
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
