// What the solver is given of pictures of a board.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { calibrationTask } from '../../../machines/calibration/task.ts'
import { simulatedBoard } from '../../support/calibration/simulated-set.ts'

const SQUARE = { width_mm: 25.4, height_mm: 25.4 }

test('a picture that is there several times counts once, and each copy says of which it is one', () => {
  const board = simulatedBoard({ pictures: 5 }, 7)
  const [first, second] = board.pictures
  assert.ok(first && second)

  const task = calibrationTask({ ...board, pictures: [...board.pictures, second, first, second] }, SQUARE)

  assert.ok(typeof task !== 'string')
  assert.deepEqual(task.used, [0, 1, 2, 3, 4])
  assert.deepEqual(
    task.unused.map(({ picture, detail }) => [picture, detail]),
    [2, 1, 2].map((of, n) => [5 + n, `it is a copy of picture ${of}, and says nothing new`]),
  )
  assert.equal(
    calibrationTask({ ...board, pictures: Array.from({ length: 60 }, () => first) }, SQUARE),
    'the board is to be seen in 1 of 1 pictures, and it takes 4 at least',
  )
})
