// Calibrations of simulated sets and of real pictures, solved by the programs, and what is thought of them.
import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import * as Effect from 'effect/Effect'
import type { Solution } from '../../../machines/calibration/solution.ts'
import { calibrationTask, type FoundBoard, type SquareSize } from '../../../machines/calibration/task.ts'
import { type Judgement, judge, type ReasonCode, type Verdict } from '../../../machines/calibration/verdict.ts'
import { CALIBRATION_PROGRAMS, linuxCalibration } from '../../../native/calibration/linux.ts'
import { type SimulatedSet, SQUARE_MM, simulatedBoard, TRUE_LENS } from '../../support/calibration/simulated-set.ts'
import { shortOrLong } from '../../support/long.ts'

const PHOTOGRAPHS = join(import.meta.dirname, '../../../../shared/data/images/charuco')
const noPrograms =
  !Object.values(CALIBRATION_PROGRAMS).every((path) => existsSync(path)) &&
  'the programs are not built; run: sh native/setup.sh'
const noPhotographs = noPrograms || (!existsSync(PHOTOGRAPHS) && `there are no pictures in ${PHOTOGRAPHS}`)

const solved = async (board: FoundBoard, square: SquareSize = { width_mm: SQUARE_MM, height_mm: SQUARE_MM }) => {
  const task = calibrationTask(board, square)
  assert.ok(typeof task !== 'string', String(task))
  const solution = await Effect.runPromise(linuxCalibration().solve(task.text))
  assert.ok(!('detail' in solution), JSON.stringify(solution))
  return { task, solution, judgement: judge(solution, task.pictures) }
}

interface Expected {
  readonly set: SimulatedSet
  readonly verdicts: readonly Verdict[]
  /** The first reason; none: there is none. */
  readonly first?: readonly ReasonCode[]
}

/** What the sets of each kind are to be called. */
const KINDS: Readonly<Record<string, Expected>> = {
  good: { set: {}, verdicts: ['good'] },
  'frontal, one distance': {
    set: { tilt: [0, 0.5], size: [0.5, 0.5] },
    verdicts: ['refused'],
    first: ['frontal'],
  },
  'nearly frontal': { set: { tilt: [3, 8] }, verdicts: ['poor', 'refused'], first: ['frontal'] },
  small: { set: { size: [0.15, 0.22] }, verdicts: ['usable', 'poor', 'refused'], first: ['small'] },
  'the same view': { set: { isRepeated: true }, verdicts: ['poor', 'refused'], first: ['same_view'] },
  'few pictures': {
    set: { pictures: 5 },
    verdicts: ['usable', 'poor', 'refused'],
    first: ['few_pictures', 'one_axis'],
  },
  bowed: { set: { bow_mm: 1.5 }, verdicts: ['good'], first: ['bent'] },
  stretched: { set: { stretch: [1.03, 1] }, verdicts: ['poor', 'refused'], first: ['not_square'] },
  'one picture read wrongly': { set: { hasWrongPicture: true }, verdicts: ['good'], first: ['left_out'] },
  'another board': {
    set: { noise_px: 3 },
    verdicts: ['poor', 'refused'],
    first: ['residuals', 'few_pictures', 'uncertain'],
  },
}

const SEEDS = Array.from({ length: shortOrLong(5, 20) }, (_, n) => 301 + n)

const isRight = ({ verdict, reasons }: Judgement, { verdicts, first }: Expected): boolean =>
  verdicts.includes(verdict) &&
  (first ? first.includes(reasons[0]?.code as ReasonCode) : reasons.every(({ allows }) => allows === 'good'))

test('each kind of set gets its verdict and its first reason; none that is bad is called good', {
  skip: noPrograms,
}, async (t) => {
  const wrong: string[] = []
  let all = 0
  for (const [name, kind] of Object.entries(KINDS))
    for (const seed of SEEDS) {
      const { judgement } = await solved(simulatedBoard(kind.set, seed))
      all += 1
      const said = `${name}, seed ${seed}: ${judgement.verdict} (${judgement.reasons.map(({ code }) => code)})`
      if (!isRight(judgement, kind)) wrong.push(said)
      if (!kind.verdicts.includes('good')) assert.notEqual(judgement.verdict, 'good', said)
    }

  t.diagnostic(`seeds ${SEEDS.join(', ')}: ${all - wrong.length} of ${all} right`)
  for (const each of wrong) t.diagnostic(each)
  assert.ok(wrong.length <= 0.05 * all, wrong.join('\n'))
})

const fxOf = ({ lens }: Solution): number => lens[0] as number

test('a stretched print is right again with both sizes of its squares', { skip: noPrograms }, async () => {
  const board = simulatedBoard({ stretch: [1.03, 1] }, 311)

  const measured = await solved(board, { width_mm: 1.03 * SQUARE_MM, height_mm: SQUARE_MM })

  assert.equal(measured.judgement.verdict, 'good')
  assert.ok(Math.abs(fxOf(measured.solution) - TRUE_LENS[0]) < 3, String(fxOf(measured.solution)))
})

test('real pictures: the board is recognised, and the calibration is good', { skip: noPhotographs }, async (t) => {
  const paths = readdirSync(PHOTOGRAPHS)
    .filter((name) => name.endsWith('.jpg'))
    .map((name) => join(PHOTOGRAPHS, name))

  const board = await Effect.runPromise(linuxCalibration().corners(paths))

  assert.ok('columns' in board, JSON.stringify(board))
  const { family, columns, rows, starts_white, pictures } = board
  assert.deepEqual(
    { family, columns, rows, starts_white },
    {
      family: 'aruco_4x4',
      columns: 8,
      rows: 8,
      starts_white: false,
    },
  )
  assert.equal(
    pictures.reduce((sum, each) => sum + ('markers' in each ? each.markers : 0), 0),
    524,
  )
  const { solution, judgement } = await solved(board, { width_mm: 25.4, height_mm: 25.4 })
  t.diagnostic(`rms ${solution.rms_px}, fx ${fxOf(solution)}, ${JSON.stringify(judgement)}`)
  assert.ok((solution.rms_px ?? 1) <= 0.245)
  assert.ok(Math.abs(fxOf(solution) / 679.5 - 1) < 0.005, String(fxOf(solution)))
  assert.equal(judgement.verdict, 'good')
})

test('what cannot be solved is told in a sentence', { skip: noPrograms }, async () => {
  const board = simulatedBoard({}, 1)
  const square = { width_mm: 25.4, height_mm: 25.4 }
  const [first, ...others] = board.pictures
  assert.ok(first && 'corners' in first)

  assert.match(
    String(calibrationTask({ ...board, pictures: board.pictures.slice(0, 3) }, square)),
    /^the board is to be seen in 3 of 3 pictures, and it takes 4 at least$/,
  )
  assert.match(
    String(calibrationTask({ ...board, pictures: [{ ...first, width_px: 640 }, ...others] }, square)),
    /different sizes \(640x800, 1280x800\)/,
  )
  const some = calibrationTask(
    { ...board, pictures: [{ ...first, corners: first.corners.slice(0, 5) }, { detail: 'torn' }, ...others] },
    square,
  )
  assert.ok(typeof some !== 'string')
  assert.deepEqual(
    some.unused.map(({ picture, detail }) => `${picture}: ${detail.split(' ')[0]}`),
    ['0: 5', '1: torn'],
  )
  const refused = await Effect.runPromise(linuxCalibration().solve('1280 800 1 1 0 1 2'))
  assert.deepEqual(refused, { ok: false, detail: 'the number of pictures must be 4 to 300, not 2' })
  const nothing = await Effect.runPromise(linuxCalibration().corners([join(import.meta.dirname, 'verdict.test.ts')]))
  assert.deepEqual(nothing, {
    ok: false,
    detail: 'neither markers of a board nor a chessboard were found in any of the pictures',
  })
})

test('a damaged task is answered, and what comes of it is judged without a crash', { skip: noPrograms }, async (t) => {
  const task = calibrationTask(simulatedBoard({ pictures: 6 }, 9), { width_mm: SQUARE_MM, height_mm: SQUARE_MM })
  assert.ok(typeof task !== 'string')
  const words = task.text.split(/\s+/)
  const values = ['nan', 'inf', '-1', '0', '1e308', '1e-300', '999999', '-999999', 'x', '']
  let answered = 0

  for (let round = 0; round < 40; round += 1) {
    const damaged = [...words]
    // the head, and places all over it
    damaged[round < 7 ? round : (round * 7919) % words.length] = values[round % values.length] as string
    const text = (round % 5 === 4 ? damaged.slice(0, round * 40) : damaged).join(' ')
    const solution = await Effect.runPromise(linuxCalibration().solve(text))
    if ('detail' in solution) continue
    answered += 1
    const { verdict, reasons } = judge(solution, task.pictures)
    assert.ok(verdict !== 'good', `${round}: ${JSON.stringify(reasons)}`)
  }

  t.diagnostic(`${answered} of 40 were solved all the same`)
})
