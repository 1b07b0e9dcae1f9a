// `npm run calibrate -- FOLDER --square 24`: calibrates a camera from pictures of a charuco board: which board it is,
// what each picture is worth, a verdict with its reasons, and the intrinsics as a stream takes them.
import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import * as Effect from 'effect/Effect'
import { calibrationTask, MAX_CALIBRATION_PICTURES, type SquareSize } from '../../machines/calibration/task.ts'
import { judge } from '../../machines/calibration/verdict.ts'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { linuxCalibration } from './linux.ts'
import { calibrationReport, intrinsicsOf } from './report.ts'

const USAGE = 'npm run calibrate -- FOLDER --square 24 (millimetres; 24x24.1 where width and height differ)'
const MAX_SQUARE_MM = 1000
const PICTURE = /\.(jpe?g|png)$/i

/** What a person can mend; its message says how. */
class CannotCalibrate extends Error {}

const squareOf = (text: string | undefined): SquareSize => {
  const sizes = (text ?? '').split('x').map((each) => (/^\d+(\.\d+)?$/.test(each) ? Number(each) : Number.NaN))
  const [width_mm = Number.NaN, height_mm = width_mm] = sizes
  const areSizes = [width_mm, height_mm].every((each) => each > 0 && each <= MAX_SQUARE_MM)
  if (sizes.length > 2 || !areSizes)
    throw new CannotCalibrate(
      oneLine`
        say how large a square of the board is, measured over ten of them: ${USAGE}
      `,
    )
  return { width_mm, height_mm }
}

const read = () => {
  try {
    const { values, positionals } = parseArgs({ options: { square: { type: 'string' } }, allowPositionals: true })
    const [folder, ...more] = positionals
    if (folder === undefined || more.length > 0) throw new CannotCalibrate(`name one folder with pictures: ${USAGE}`)
    return { folder, square: squareOf(values.square) }
  } catch (error) {
    throw error instanceof CannotCalibrate ? error : new CannotCalibrate(`${(error as Error).message}\n${USAGE}`)
  }
}

const picturesIn = (folder: string): readonly string[] => {
  try {
    const names = readdirSync(folder).filter((name) => PICTURE.test(name))
    if (names.length > 0 && names.length <= MAX_CALIBRATION_PICTURES) return names.sort()
    throw new CannotCalibrate(
      oneLine`
        ${names.length} pictures are in ${folder} (jpg or png); it takes 4 to ${MAX_CALIBRATION_PICTURES}, and 10 to 15
        are good
      `,
    )
  } catch (error) {
    if (error instanceof CannotCalibrate) throw error
    throw new CannotCalibrate(`${folder} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}

/** What a program says, or the end of it. */
const told = async <Found extends object>(effect: Effect.Effect<Found, Fault>) => {
  const found = await Effect.runPromise(
    Effect.match(effect, { onSuccess: (value) => value, onFailure: (fault) => fault }),
  )
  if (isFault(found) || 'detail' in found) throw new CannotCalibrate(String((found as { detail: unknown }).detail))
  return found as Exclude<Found, { readonly detail: string }>
}

const run = async (): Promise<void> => {
  const { folder: named, square } = read()
  const folder = resolve(process.env.INIT_CWD ?? '.', named) // npm has gone to the checkout
  const names = picturesIn(folder)
  const { corners, solve } = linuxCalibration()
  const board = await told(corners(names.map((name) => join(folder, name))))
  const task = calibrationTask(board, square)
  if (typeof task === 'string') throw new CannotCalibrate(task)
  const solution = await told(solve(task.text))
  const judgement = judge(solution, task.pictures)
  console.log(calibrationReport({ names, board, task, solution, judgement }))
  if (judgement.verdict === 'refused') process.exitCode = 1
  else console.log(`\n${JSON.stringify({ intrinsics: intrinsicsOf(solution, task) })}`)
}

run().catch((error: unknown) => {
  if (!(error instanceof CannotCalibrate)) throw error
  console.error(error.message)
  process.exitCode = 1
})
