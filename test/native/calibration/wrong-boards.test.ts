// Boards that are not what was said: stretched and turned, of another layout, two of them; solved by the programs.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import type { FoundBoard, FoundCorner, FoundPicture } from '../../../machines/calibration/task.ts'
import { CALIBRATION_PROGRAMS } from '../../../native/calibration/linux.ts'
import { SQUARE_MM, simulatedBoard } from '../../support/calibration/simulated-set.ts'
import { solveBoard } from '../../support/calibration/solve-board.ts'

const skip = !existsSync(CALIBRATION_PROGRAMS.solve) && 'the programs are not built; run: sh native/setup.sh'
const SEEDS = [401, 403]

/** The same pictures with corners that are numbered otherwise. */
const renumbered = (
  board: FoundBoard,
  isWrong: (picture: number) => boolean,
  number: (corner: FoundCorner) => FoundCorner,
): FoundBoard => ({
  ...board,
  pictures: board.pictures.map(
    (picture, at): FoundPicture =>
      'corners' in picture && isWrong(at) ? { ...picture, corners: picture.corners.map(number) } : picture,
  ),
})

/** As one numbers them who takes a row to be a corner longer. */
const inLongerRows = ([column, row, u, v]: FoundCorner): FoundCorner => {
  const at = (row - 1) * 7 + column - 1
  return [(at % 8) + 1, Math.floor(at / 8) + 1, u, v]
}

test('a stretched print is found by pictures in which the board was turned, and is right with both sizes', {
  skip,
}, async () => {
  for (const seed of SEEDS) {
    const board = simulatedBoard({ stretch: [1.03, 1], isTurned: true }, seed)

    const made = await solveBoard(board)
    const measured = await solveBoard(board, { width_mm: 1.03 * SQUARE_MM, height_mm: SQUARE_MM })

    assert.ok(made.stretch && Math.abs(made.stretch.share - 0.03) < 0.002, JSON.stringify(made.stretch))
    assert.ok(['poor', 'refused'].includes(made.verdict))
    assert.equal(made.reasons[0]?.code, 'not_square', JSON.stringify(made.reasons))
    assert.match(made.reasons.map(({ detail }) => detail).join(), /squares of the board are (2\.9|3|3\.1) % wider/)
    assert.equal(measured.verdict, 'good', JSON.stringify(measured.reasons))
  }
})

test('a board that is as it was said is called neither stretched nor another, also when it was turned', {
  skip,
}, async () => {
  for (const seed of SEEDS) {
    const made = await solveBoard(simulatedBoard({ isTurned: true }, seed))

    assert.equal(made.verdict, 'good', JSON.stringify(made.reasons))
    assert.ok(made.stretch && Math.abs(made.stretch.share) < 4 * made.stretch.deviation, JSON.stringify(made.stretch))
  }
})

test('corners that are numbered as those of another board are a wrong layout', { skip }, async () => {
  for (const seed of SEEDS) {
    const made = await solveBoard(renumbered(simulatedBoard({}, seed), () => true, inLongerRows))

    assert.equal(made.verdict, 'refused')
    assert.equal(made.reasons[0]?.code, 'wrong_layout', JSON.stringify(made.reasons))
  }
})

test('pictures of two boards are said to be that, and are better left out', { skip }, async () => {
  for (const seed of SEEDS) {
    const board = simulatedBoard({}, seed)
    const whole = board.pictures.flatMap((picture, at) =>
      'corners' in picture && picture.corners.length === 49 ? [at] : [],
    )
    const wrong = whole.slice(0, 3) // of a row or two one could not tell
    const made = await solveBoard(renumbered(board, (at) => wrong.includes(at), inLongerRows))

    assert.notEqual(made.verdict, 'good')
    assert.equal(made.reasons[0]?.code, 'two_boards', JSON.stringify(made.reasons))
    assert.match(made.reasons[0]?.detail ?? '', /^pictures .* show another board than the others/)
    for (const at of wrong) assert.ok(made.leave_out.includes(at), `${at} of ${made.leave_out}`)
    assert.ok(made.leave_out.length <= wrong.length + 1, made.leave_out.join())
  }
})

test('markers of something else than the board say which pictures show another one', { skip }, async () => {
  const board = simulatedBoard({}, 404)
  const pictures = board.pictures.map((picture, at) =>
    'corners' in picture && at < 3 ? { ...picture, markers: 2, strays: 20 } : picture,
  )

  const made = await solveBoard({ ...board, pictures })

  assert.deepEqual([made.verdict, made.reasons[0]?.code], ['poor', 'two_boards'])
})
