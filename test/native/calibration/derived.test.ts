// Lenses of other modes: computed of one that is known, and right or wrong as three pictures say.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { type Calibration, calibrationExample } from '../../../machines/calibration/calibration.ts'
import type { FoundBoard, FoundPicture } from '../../../machines/calibration/task.ts'
import { CALIBRATION_PROGRAMS } from '../../../native/calibration/linux.ts'
import { SQUARE_MM, simulatedBoard, TRUE_LENS } from '../../support/calibration/simulated-set.ts'
import { solveBoard } from '../../support/calibration/solve-board.ts'

const skip = !existsSync(CALIBRATION_PROGRAMS.solve) && 'the programs are not built; run: sh native/setup.sh'

const [fx_px, fy_px, cx_px, cy_px, ...distortion] = TRUE_LENS
const known: Calibration = {
  ...calibrationExample,
  intrinsics: { width_px: 1280, height_px: 800, fx_px, fy_px, cx_px, cy_px, distortion },
}
const SQUARE = { width_mm: SQUARE_MM, height_mm: SQUARE_MM }

/** A part of the sensor from a corner on, scaled: as a mode of the camera shows it. */
interface Mode {
  readonly width_px: number
  readonly height_px: number
  readonly scale: number
  readonly x: number
  readonly y: number
}

const inMode = (board: FoundBoard, { width_px, height_px, scale, x, y }: Mode): FoundBoard => ({
  ...board,
  pictures: board.pictures.map((picture): FoundPicture => {
    if (!('corners' in picture)) return picture
    const seen = picture.corners.map(([column, row, u, v]) => {
      const [left, top] = [scale * (u + 0.5 - x) - 0.5, scale * (v + 0.5 - y) - 0.5]
      return [column, row, left, top] as const
    })
    const corners = seen.filter(([, , u, v]) => u > 2 && v > 2 && u < width_px - 3 && v < height_px - 3)
    return { ...picture, width_px, height_px, corners }
  }),
})

/** Three pictures in which the board stays within the middle. */
const three = (mode: Mode): FoundBoard => {
  const board = inMode(simulatedBoard({ pictures: 40, size: [0.3, 0.6], noise_px: 0.3 }, 501), mode)
  const whole = board.pictures.filter((picture) => 'corners' in picture && picture.corners.length >= 30)
  return { ...board, pictures: whole.slice(0, 3) }
}

const derived = (mode: Mode) => solveBoard(three(mode), SQUARE, { id: 'cal-aaaaaaaa', value: known })

test('half the size is half the lens, and three pictures agree', { skip }, async () => {
  const made = await derived({ width_px: 640, height_px: 400, scale: 0.5, x: 0, y: 0 })

  assert.equal(made.verdict, 'good', JSON.stringify(made.reasons))
  assert.deepEqual([made.origin, made.source], ['derived', { calibration_id: 'cal-aaaaaaaa' }])
  assert.deepEqual(
    [made.intrinsics?.fx_px, made.intrinsics?.cx_px, made.intrinsics?.width_px],
    [fx_px / 2, (cx_px + 0.5) / 2 - 0.5, 640],
  )
  assert.deepEqual(made.intrinsics?.distortion, distortion)
  assert.equal(made.reasons[0]?.code, 'derived')
})

test('a mode that cuts the picture is told from one that scales it, by the pictures', { skip }, async () => {
  const beside = await derived({ width_px: 640, height_px: 480, scale: 0.6, x: 320 / 1.5 / 2, y: 0 })
  const around = await derived({ width_px: 640, height_px: 400, scale: 1, x: 320, y: 200 })

  assert.equal(beside.reasons[0]?.code, 'derived', JSON.stringify(beside.reasons))
  assert.match(beside.reasons[0]?.detail ?? '', /cut left and right/)
  assert.match(around.reasons[0]?.detail ?? '', /cut all around/)
})

test('a mode that shows another part of the sensor than its size says is refused', { skip }, async () => {
  const made = await derived({ width_px: 640, height_px: 400, scale: 0.56, x: 60, y: 40 })

  assert.equal(made.verdict, 'refused')
  assert.equal(made.reasons[0]?.code, 'other_mode')
  assert.match(made.reasons[0]?.detail ?? '', /calibrate in this mode/)
})

test('pictures of the same size, and too few of them, are said', { skip }, async () => {
  const same = { width_px: 1280, height_px: 800, scale: 1, x: 0, y: 0 }
  const small = { ...same, width_px: 640, height_px: 400, scale: 0.5 }
  const board = three(small)
  const asked = (each: FoundBoard) =>
    assert.rejects(solveBoard(each, SQUARE, { id: 'cal-aaaaaaaa', value: known }), (fault: { detail?: string }) => {
      assert.match(String(fault.detail), /apply it$|it takes 3 at least$/)
      return true
    })

  await asked(three(same))
  await asked({ ...board, pictures: board.pictures.slice(0, 2) })
})
