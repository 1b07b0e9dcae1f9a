// Which boards are drawn, and what stands on them.
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import {
  type Board,
  type BoardQuery,
  boardOf,
  isBoardFlaw,
  markerCount,
  markerMm,
  markerSquares,
  PAPERS,
  type Paper,
} from '../../../machines/calibration/board/board.ts'
import { drawBoard, LETTER_MM } from '../../../machines/calibration/board/drawing.ts'
import { canBeDrawn, LETTER_HEIGHT, LETTER_PITCH } from '../../../machines/calibration/board/letters.ts'
import { codesOf, MAX_DRAWN_MARKERS } from '../../../machines/calibration/board/marker-codes.ts'
import { boardPdf } from '../../../machines/calibration/board/pdf.ts'
import { rasterBoard } from '../../../machines/calibration/board/raster.ts'

const board = (query: BoardQuery = {}): Board => {
  const found = boardOf(query)
  assert.ok(!isBoardFlaw(found), JSON.stringify(found))
  return found
}

const flaw = (query: BoardQuery) => {
  const found = boardOf(query)
  assert.ok(isBoardFlaw(found), JSON.stringify(found))
  return found
}

/** Of each kind, on each paper, and with either parity of rows. */
const all: readonly Board[] = (Object.keys(PAPERS) as Paper[]).flatMap((paper) => [
  board({ paper }),
  board({ paper, kind: 'chessboard' }),
  board({ paper, kind: 'aprilgrid' }),
  board({ paper, squares: '8x6', layout: 'old', dictionary: '5x5_50' }),
  board({ paper, squares: '14x10', square_mm: 12, dictionary: '4x4_100' }),
])

test('the board is as large as the paper has room for, in whole millimetres', () => {
  const sizes = (['a4', 'letter', 'a3', 'tabloid'] as const).map((paper) => board({ paper }).square_mm)

  assert.deepEqual(sizes, [24, 23, 36, 34])
  assert.deepEqual([markerCount(board()), markerMm(board())], [38, 18])
})

test('the codes on boards are those of the dictionaries that the detector is built with', () => {
  interface Dictionary {
    readonly codeList: readonly string[]
  }
  const load = createRequire(import.meta.url)
  const { AR } = load('js-aruco2') as { AR: { Dictionary: new (name: string) => Dictionary } }

  for (const dictionary of ['aruco_4x4', 'aruco_5x5'] as const) {
    load(`js-aruco2/src/dictionaries/${dictionary}_1000.js`)
    const { codeList } = new AR.Dictionary(`${dictionary}_1000`.toUpperCase())
    const expected = codeList.slice(0, MAX_DRAWN_MARKERS).map((code) => BigInt(`0b${code}`))
    assert.deepEqual(codesOf(dictionary), expected, dictionary)
  }
})

test('with an odd number of rows both layouts are the same, with an even one the other squares have markers', () => {
  const squares = (rows: number, layout: 'new' | 'old') => markerSquares({ columns: 8, rows, layout })

  assert.deepEqual(squares(7, 'new'), squares(7, 'old'))
  assert.deepEqual(squares(8, 'new')[0], { id: 0, column: 1, row: 0 })
  assert.deepEqual(squares(8, 'old')[0], { id: 0, column: 0, row: 0 })
})

test('nothing lies on anything else, and there is white of 10 mm around the board', () => {
  for (const each of all) {
    const { left, top, width, height, rulers, captions } = drawBoard(each)
    const right = left + each.columns * each.square_mm
    const bottom = top + each.rows * each.square_mm
    const name = `${each.kind} on ${each.paper}`
    assert.ok(right <= width - 6.9 && top >= 7, `${name}: what printers leave white`)
    for (const box of rulers) {
      assert.ok(box.left + box.width <= left - 9.9 || box.top >= bottom + 9.9, `${name}: ${JSON.stringify(box)}`)
      assert.ok(box.left >= 3.9 && box.top + box.height <= height, name)
    }
    for (const { text, left: from, baseline } of captions) {
      assert.ok(baseline - LETTER_MM > bottom + 10 && baseline < height - 6, name)
      assert.ok(canBeDrawn(text), text)
      // the widest of both forms: the letters of the picture
      const dot = rasterBoard(drawBoard(each)).pixelsPerMm
      const dots = Math.max(1, Math.round((LETTER_MM / LETTER_HEIGHT) * dot)) / dot
      assert.ok(from + text.length * LETTER_PITCH * dots < width - 6, `${name}: ${text}`)
    }
  }
})

test('what cannot be drawn is refused with what would do', () => {
  const said = [
    flaw({ square_mm: 30 }),
    flaw({ squares: '12x9' }),
    flaw({ squares: '30x30' }),
    flaw({ squares: '3x3' }),
    flaw({ squares: '1x99' }),
    flaw({ kind: 'chessboard', squares: '10x8' }),
    flaw({ kind: 'chessboard', squares: '99x98' }),
    flaw({ kind: 'chessboard', dictionary: '4x4_50' }),
    flaw({ kind: 'aprilgrid', layout: 'old' }),
    flaw({ kind: 'aprilgrid', squares: '12x9' }),
  ].map(({ parameter, message }) => `${parameter}: ${message}`)

  assert.deepEqual(said, [
    'square_mm: 11x7 of 30 mm are 330 x 210 mm, and A4 has 273 x 170 mm for them; take 24.2 mm or less, or a larger ' +
      'paper',
    'dictionary: 12x9 takes 54 markers, and 4x4_50 has 50 of them here; take 4x4_100',
    'squares: 30x30 takes 450 markers, and 4x4_50 has 50 of them here; take fewer squares',
    'squares: 3x3 has 4 corners, and a picture is used from 12 on; take more, for instance 11x7',
    'squares: 1x99 has 0 corners, and a picture is used from 12 on; take more, for instance 11x7',
    'squares: a chessboard of 10x8 looks the same upside down, so that nobody knows which corner is which; take an ' +
      'even and an odd number, for instance 10x7',
    'squares: 99x98 would be smaller than 5 mm each on A4, which has 273 x 170 mm for them; take fewer, for instance ' +
      '10x7, or a larger paper',
    'dictionary: is of charuco boards alone, and this one is of the kind chessboard; leave it out',
    'layout: is of charuco boards alone, and this one is of the kind aprilgrid; leave it out',
    'squares: 12x9 takes 108 markers, and tag36h11 has 100 of them here; take fewer squares',
  ])
})

test('a PDF says where each of its objects begins', () => {
  for (const each of all) {
    const file = boardPdf(drawBoard(each))
    const start = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(file)?.[1])
    const places = [...file.slice(start).matchAll(/^(\d{10}) 00000 n $/gm)].map(([, place]) => Number(place))

    assert.ok(file.slice(start).startsWith('xref\n'))
    assert.deepEqual(
      places.map((place) => file.slice(place).split('\n', 1)[0]),
      [1, 2, 3, 4, 5, 6].map((id) => `${id} 0 obj`),
    )
    const [, length, content] = /\/Length (\d+) >>\nstream\n([\s\S]*)\nendstream/.exec(file) ?? []
    assert.equal(content?.length, Number(length))
    assert.match(file, /^[\n\x20-\x7e]+$/)
  }
})
