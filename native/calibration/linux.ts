// The programs that calibrate: one finds a board's corners in pictures, one solves for the lens. Each runs in a process
// of its own, with limits, which ends when nobody waits for it any more.
import * as Effect from 'effect/Effect'
import type { Solution } from '../../machines/calibration/solution.ts'
import type { FoundBoard } from '../../machines/calibration/task.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import { jsonIn } from '../../machines/schema/json.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { withPassingFile } from '../files/passing-file.ts'
import { projectPath } from '../files/project-root.ts'
import { linuxPrograms } from '../programs/linux.ts'
import { complaintOf, type ProgramFailure } from '../programs/port.ts'
import { jsonLines } from '../programs/run.ts'
import { linuxGuide } from './guide.ts'
import type { CalibrationPort, CalibrationProgress, ReportCalibration, Told } from './port.ts'
import { receiveCalibration } from './receive.ts'

/** Where the programs are. */
export const CALIBRATION_PROGRAMS = {
  corners: projectPath('native/addon/build/board-corners'),
  solve: projectPath('native/addon/build/calibrate'),
  guide: projectPath('native/addon/build/capture-guide'),
} as const

const PICTURE_LIMIT_MS = 10_000
const LIMIT_MS = 120_000 // of either program
const MAX_OUTPUT_BYTES = 16_777_216 // 100,000 corners take 3 MB

/** What can be other than usual, in tests. */
interface LinuxCalibrationParts {
  readonly programs?: Readonly<Partial<Record<keyof typeof CALIBRATION_PROGRAMS, string>>>
  readonly limitMs?: number
}

/** The programs of this device. */
export const linuxCalibration = ({
  programs: others = {},
  limitMs = LIMIT_MS,
}: LinuxCalibrationParts = {}): CalibrationPort => {
  const programs = { ...CALIBRATION_PROGRAMS, ...others }
  return {
    receive: receiveCalibration,
    corners: (paths, report) =>
      lastLine<FoundBoard>({
        program: programs.corners,
        args: paths,
        limitMs: Math.min(limitMs, PICTURE_LIMIT_MS * Math.max(1, paths.length)),
        report,
      }),
    solve: (task, report) =>
      withPassingFile(task, (path) => lastLine<Solution>({ program: programs.solve, args: [path], limitMs, report })),
    guide: (square) => linuxGuide({ program: programs.guide, limitMs: Math.min(limitMs, PICTURE_LIMIT_MS) }, square),
  }
}

interface Run {
  readonly program: string
  readonly args: readonly string[]
  readonly limitMs: number
  readonly report: ReportCalibration | undefined
}

/** Lines before the last one tell how far it is. */
const lastLine = <Found>({ program, args, limitMs, report }: Run): Effect.Effect<Told<Found>, Fault> =>
  Effect.suspend(() => {
    let last = ''
    const told = (line: string) => {
      const progress = progressIn(line)
      if (progress) report?.(progress)
      else last = line
    }
    return linuxPrograms()
      .listen({ program, args, limitMs, maxOutputBytes: MAX_OUTPUT_BYTES }, told)
      .pipe(
        Effect.mapError(faultOfEnd),
        Effect.flatMap((end) => (end.exitCode === 0 ? Effect.void : Effect.fail(died(complaintOf(program, end))))),
        Effect.flatMap(() => Effect.mapError(jsonLines<Told<Found>>(program, last), ({ detail }) => died(detail))),
        Effect.flatMap(([found]) => (found ? Effect.succeed(found) : Effect.fail(died(`${program} printed nothing`)))),
      )
  })

const MAX_PROGRESS_LENGTH = 200

const progressIn = (line: string): CalibrationProgress | undefined => {
  if (line.length > MAX_PROGRESS_LENGTH || !line.startsWith('{"step":')) return undefined
  const { step, share } = (jsonIn(line) ?? {}) as Readonly<Record<string, unknown>>
  return typeof step === 'string' && typeof share === 'number' ? { step, share } : undefined
}

const died = (why: string): Fault => ({
  code: 'calibration.child_died',
  detail: `the calibration was not computed, since what computes it ended: ${why}; try again with fewer pictures`,
})

const faultOfEnd = ({ kind, text }: ProgramFailure): Fault => {
  if (kind === 'late')
    return {
      code: 'calibration.too_slow',
      detail: `the calibration took too long, ${text}; try again with fewer or smaller pictures`,
    }
  return kind === 'stopped'
    ? died(text)
    : {
        code: 'calibration.child_died',
        detail: oneLine`
          the calibration cannot be computed, since ${text}; the packages and bundles of a release have it, and in a
          checkout it is built by: sh native/setup.sh
        `,
      }
}
