// The boards that this device draws are the boards that it reads, each in its own picture.
import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import * as Effect from 'effect/Effect'
import { bitmapPng } from '../../../api/calibration/bitmap-png.ts'
import { type Board, boardOf, isBoardFlaw } from '../../../machines/calibration/board/board.ts'
import { drawBoard } from '../../../machines/calibration/board/drawing.ts'
import { rasterBoard } from '../../../machines/calibration/board/raster.ts'
import { calibrationTask, type FoundBoard, type FoundPicture } from '../../../machines/calibration/task.ts'
import { CALIBRATION_PROGRAMS, linuxCalibration } from '../../../native/calibration/linux.ts'
import { grayPng } from '../../support/media/png.ts'
import { folderOf } from '../../support/processes/folder.ts'

const skip = !existsSync(CALIBRATION_PROGRAMS.corners) && 'the programs are not built; run: sh native/setup.sh'

const drawn = (kind: Board['kind']): Promise<Uint8Array> => {
  const board = boardOf({ kind })
  assert.ok(!isBoardFlaw(board))
  return bitmapPng(rasterBoard(drawBoard(board)))
}

const found = async (t: Parameters<typeof folderOf>[0], pictures: readonly Uint8Array[]): Promise<FoundBoard> => {
  const folder = folderOf(t)
  const paths = pictures.map((bytes, n) => {
    const path = join(folder, `${n}.png`)
    writeFileSync(path, bytes)
    return path
  })
  const board = await Effect.runPromise(linuxCalibration().corners(paths))
  assert.ok(!('ok' in board && board.ok === false), JSON.stringify(board))
  return board as FoundBoard
}

const cornersIn = (picture: FoundPicture | undefined) => {
  assert.ok(picture && 'corners' in picture)
  return picture.corners
}

/** How far the corners are from a drawing of theirs that is only larger, moved and turned by quarters, at most. */
const worstOff = (corners: ReturnType<typeof cornersIn>): number => {
  const [first, last] = [corners[0], corners.at(-1)]
  assert.ok(first && last)
  const [c0, r0, u0, v0] = first
  const [c1, r1, u1, v1] = last
  // the complex number that takes board to picture
  const [dc, dr, du, dv] = [c1 - c0, r1 - r0, u1 - u0, v1 - v0]
  const square = dc * dc + dr * dr
  const [a, b] = [(du * dc + dv * dr) / square, (dv * dc - du * dr) / square]
  return Math.max(
    ...corners.map(([c, r, u, v]) =>
      Math.hypot(u - u0 - a * (c - c0) + b * (r - r0), v - v0 - b * (c - c0) - a * (r - r0)),
    ),
  )
}

for (const [drawnKind, kind, columns, rows, corners] of [
  ['charuco', 'charuco', 11, 7, 60],
  ['chessboard', 'chessboard', 10, 7, 54],
  ['aprilgrid', 'tag_grid', 8, 5, 160],
] as const)
  test(`a drawn ${drawnKind} is recognised, and its corners lie where they were drawn`, { skip }, async (t) => {
    const board = await found(t, [await drawn(drawnKind)])

    assert.deepEqual([board.kind, board.columns, board.rows], [kind, columns, rows])
    const seen = cornersIn(board.pictures[0])
    assert.equal(seen.length, corners)
    assert.ok(worstOff(seen) < 0.05, `${worstOff(seen)} px`)
  })

test('among pictures of a chessboard one without says so, and the board is taken for flat', { skip }, async (t) => {
  const chessboard = await drawn('chessboard')
  const board = await found(t, [...Array<Uint8Array>(4).fill(chessboard), grayPng(64, 48)])

  const apart = board.pictures.map(
    (picture, n): FoundPicture =>
      'corners' in picture ? { ...picture, corners: picture.corners.map(([c, r, u, v]) => [c, r, u + n, v]) } : picture,
  )

  const task = calibrationTask({ ...board, pictures: apart }, { width_mm: 25, height_mm: 25 })
  assert.ok(typeof task !== 'string', String(task))
  assert.deepEqual(
    task.unused.map(({ picture }) => picture),
    [4],
  )
  assert.equal(task.text.split('\n', 1)[0]?.split(' ')[5], '0')
})
