// The programs that calibrate: one finds a board's corners in pictures, one solves for the lens. Each runs in a process
// of its own, with limits, which ends when nobody waits for it any more.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as Effect from 'effect/Effect'
import type { Solution } from '../../machines/calibration/solution.ts'
import type { FoundBoard } from '../../machines/calibration/task.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import { projectPath } from '../files/project-root.ts'
import { linuxPrograms } from '../programs/linux.ts'
import { complaintOf, programFault } from '../programs/port.ts'
import { jsonLines } from '../programs/run.ts'

/** Where the programs are. */
export const CALIBRATION_PROGRAMS = {
  corners: projectPath('native/addon/build/board-corners'),
  solve: projectPath('native/addon/build/calibrate'),
} as const

const CORNERS_LIMIT_MS = 10_000 // a picture
const SOLVE_LIMIT_MS = 120_000
const MAX_OUTPUT_BYTES = 16_777_216 // 100,000 corners take 3 MB

/** What a program found, or in a sentence why it found nothing. */
export type Told<Found> = Found | { readonly ok: false; readonly detail: string }

/** The board in pictures, and its corners: paths of files. `device.failed` where the program does not do. */
export const findCorners = (paths: readonly string[]): Effect.Effect<Told<FoundBoard>, Fault> =>
  lastLine<FoundBoard>(CALIBRATION_PROGRAMS.corners, paths, CORNERS_LIMIT_MS * paths.length)

/** The lens for a task of machines/calibration/task.ts. `device.failed` where the program does not do. */
export const solveCalibration = (task: string): Effect.Effect<Told<Solution>, Fault> =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      const folder = mkdtempSync(join(tmpdir(), 'vedette-calibration-'))
      writeFileSync(join(folder, 'task'), task)
      return folder
    }),
    (folder) => lastLine<Solution>(CALIBRATION_PROGRAMS.solve, [join(folder, 'task')], SOLVE_LIMIT_MS),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true })),
  )

/** Lines before the last one tell how far it is. */
const lastLine = <Found>(
  program: string,
  args: readonly string[],
  limitMs: number,
): Effect.Effect<Told<Found>, Fault> =>
  linuxPrograms()
    .run({ program, args, limitMs, maxOutputBytes: MAX_OUTPUT_BYTES })
    .pipe(
      Effect.mapError(programFault('the calibration cannot be computed')),
      Effect.flatMap((end) =>
        end.exitCode === 0
          ? jsonLines<Told<Found>>(program, end.stdout)
          : Effect.fail<Fault>({ code: 'device.failed', detail: complaintOf(program, end) }),
      ),
      Effect.flatMap((lines) => {
        const last = lines.at(-1)
        return last === undefined
          ? Effect.fail<Fault>({ code: 'device.failed', detail: `${program} printed nothing` })
          : Effect.succeed(last)
      }),
    )
