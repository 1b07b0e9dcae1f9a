// The program that finds colour charts, as a process of its own which ends when nobody waits for it any more.
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import type { ChartLook, FoundBy, PixelPoint } from '../../machines/ipa/chart-look.ts'
import { withPassingFile } from '../files/passing-file.ts'
import { projectPath } from '../files/project-root.ts'
import { complaintOf, type ProgramsPort, programFault } from '../programs/port.ts'
import { jsonLines } from '../programs/run.ts'
import type { ChartFinder } from './port.ts'
import { receivePicture } from './receive.ts'

/** Where the program is. */
export const CHART_PROGRAM = projectPath('native/addon/build/colour-chart')

const LIMIT_MS = 30_000

interface Seen {
  readonly ok: true
  readonly width_px: number
  readonly height_px: number
  readonly found_by: FoundBy
  readonly corners: readonly (readonly [number, number])[]
  readonly patches: readonly (readonly [number, number, number, number, number])[]
}

/** is_picture: whether it could be looked at. */
interface Unseen {
  readonly ok: false
  readonly is_picture: boolean
  readonly detail: string
}

/** Finds charts by the program. */
export const chartProgram = (programs: ProgramsPort, program: string = CHART_PROGRAM): ChartFinder => ({
  receive: receivePicture,
  find: (picture, corners) =>
    withPassingFile(picture, (path) => look(programs, program, [path, ...(corners ?? []).map(argumentOf)])),
})

const argumentOf = ({ x, y }: PixelPoint): string => `${x},${y}`

const look = (programs: ProgramsPort, program: string, args: readonly string[]): Effect.Effect<ChartLook, Fault> =>
  programs.run({ program, args, limitMs: LIMIT_MS }).pipe(
    Effect.mapError(programFault('the picture cannot be looked at')),
    Effect.flatMap((end) =>
      end.exitCode === 0
        ? jsonLines<Seen | Unseen>(program, end.stdout)
        : Effect.fail<Fault>({ code: 'device.failed', detail: complaintOf(program, end) }),
    ),
    Effect.flatMap(([line]) => {
      if (line?.ok) return Effect.succeed(chartLook(line))
      const code = line?.is_picture ? 'chart.not_found' : 'media.invalid'
      return Effect.fail<Fault>({ code, detail: line?.detail ?? `${program} printed nothing` })
    }),
  )

const chartLook = ({ ok: _, corners, patches, ...rest }: Seen): ChartLook => ({
  ...rest,
  corners: corners.map(([x, y]) => ({ x, y })),
  patches: patches.map(([red, green, blue, clipped, pixels]) => ({ rgb: [red, green, blue], clipped, pixels })),
})
