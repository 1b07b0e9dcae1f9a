// Calibrations without pictures: a board that is seen in each of them, and a lens that is known well.
import * as Effect from 'effect/Effect'
import type * as Scope from 'effect/Scope'
import type { GuideAnswer, GuideKnown, GuideLook } from '../../machines/calibration/capture/look.ts'
import type { Solution } from '../../machines/calibration/solution.ts'
import type { FoundBoard, FoundCorner, FoundPicture, SquareSize } from '../../machines/calibration/task.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import type { CalibrationPort, CaptureGuide, ReportCalibration, Told } from './port.ts'
import { receiveCalibration } from './receive.ts'

const COLUMNS = 11
const ROWS = 7
const WIDTH_PX = 1280
const HEIGHT_PX = 720
const SQUARE_PX = 80
/** fx, fy, cx, cy, then the distortion. */
const LENS = [905, 904, 640, 360, 0.08, -0.12, 0.001, -0.0005, 0.03]
const MAP = { columns: 12, rows: 8, error_px: 0.4 } as const

const cornersAt = (picture: number): readonly FoundCorner[] =>
  Array.from({ length: (COLUMNS - 1) * (ROWS - 1) }, (_, at): FoundCorner => {
    const [column, row] = [(at % (COLUMNS - 1)) + 1, Math.floor(at / (COLUMNS - 1)) + 1]
    return [column, row, 100 + picture + column * SQUARE_PX, 60 + row * SQUARE_PX]
  })

/** A picture in which the whole board is seen. */
export const fakePicture = (at: number): FoundPicture => ({
  width_px: WIDTH_PX,
  height_px: HEIGHT_PX,
  markers: 38,
  corners: cornersAt(at),
})

/** A board that is seen in so many pictures. */
export const fakeBoard = (pictures: number): FoundBoard => ({
  family: 'aruco_4x4',
  columns: COLUMNS,
  rows: ROWS,
  starts_white: false,
  marker_share: 0.75,
  fitting_share: 1,
  pictures: Array.from({ length: pictures }, (_, at) => fakePicture(at)),
})

/** A picture without a board, or with one that is moved by so many pixels. */
export const fakeLook = (right?: number): GuideLook => {
  const hasBoard = right !== undefined
  return {
    width_px: WIDTH_PX,
    height_px: HEIGHT_PX,
    markers: hasBoard ? 38 : 0,
    corners: hasBoard ? cornersAt(right) : [],
    edge_px: hasBoard ? 2 : 0,
    lowers: hasBoard ? 0.3 : 0,
  }
}

/** A lens that is known the better the more pictures there are, and well from ten on. */
export const fakeKnown = (pictures: number): GuideKnown => ({
  pictures,
  width_px: WIDTH_PX,
  height_px: HEIGHT_PX,
  mean_px: (0.01 * WIDTH_PX) / Math.max(1, pictures),
  focal_share: 0.001,
  condition: 300,
  board: { family: 'aruco_4x4', columns: COLUMNS, rows: ROWS, starts_white: false, marker_share: 0.75 },
  proposed: {
    outline: [
      [60, 40],
      [660, 40],
      [660, 440],
      [60, 440],
    ],
    nearer: 'left',
    lowers: 0.4,
  },
})

/** A lens that is known well, of so many pictures. */
export const fakeSolution = (pictures: number): Solution => ({
  coefficients: 5,
  lens: LENS,
  deviations: LENS.map((value) => Math.abs(value) * 0.001),
  covariance: LENS.flatMap((value, at) => LENS.map((_, other) => (at === other ? (value * 0.001) ** 2 : 0))),
  has_bend: true,
  bend_m: [0.00004, -0.00002],
  bend_deviations_m: [0.00001, 0.00001],
  rms_px: 0.23,
  sigma_px: 0.24,
  condition: 300,
  map_columns: MAP.columns,
  map_rows: MAP.rows,
  map_px: Array.from({ length: MAP.columns * MAP.rows }, () => MAP.error_px),
  mean_px: MAP.error_px,
  max_px: MAP.error_px,
  halves_px: null,
  is_one_to_one: true,
  tried: [{ coefficients: 5, rms_px: 0.23, held_out_px: 0.24 }],
  views: Array.from({ length: pictures }, (_, at) => ({
    is_used: true,
    rms_px: 0.23,
    worst_px: 0.6,
    adds: 0.05,
    tilt_x_deg: 30 * Math.cos(at),
    tilt_y_deg: 30 * Math.sin(at),
    width_share: 0.6,
    height_share: 0.6,
    pose: [0.2 * Math.cos(at), 0.1 * Math.sin(at), 0.5 + 0.02 * at, 1, 0, 0, 0],
  })),
})

/** Words of a task before its pictures; the last of them is how many there are. */
const HEAD = 7

export class FakeCalibration implements CalibrationPort {
  /** What is found, while it is set. */
  board: Told<FoundBoard> | undefined
  /** What is solved, while it is set. */
  solution: Told<Solution> | undefined
  /** Why nothing is computed, while it is set. */
  fault: Fault | undefined
  /** It goes on until nobody waits any more. */
  isEndless = false
  /** How many computations go on. */
  running = 0
  /** What was to be solved. */
  readonly tasks: string[] = []
  /** What guides a capture sees in the next pictures, one after the other; then in each what it saw in the last. */
  looks: GuideLook[] = []
  /** What they see instead, while it is set, when so many pictures were taken. */
  see: ((pictures: number) => GuideLook) | undefined
  /** Pictures that the guides of this run were told of. */
  taken = 0
  /** How many captures are guided. */
  guides = 0

  readonly receive = receiveCalibration

  readonly corners = (paths: readonly string[], report?: ReportCalibration) =>
    this.#compute('corners', () => this.board ?? fakeBoard(paths.length), report)

  readonly solve = (task: string, report?: ReportCalibration) =>
    this.#compute(
      'solve',
      () => {
        this.tasks.push(task)
        return this.solution ?? fakeSolution(Number(task.split(/\s+/, HEAD).at(-1)))
      },
      report,
    )

  readonly guide = (_square: SquareSize): Effect.Effect<CaptureGuide, Fault, Scope.Scope> =>
    Effect.gen({ self: this }, function* () {
      if (this.fault) return yield* Effect.fail(this.fault)
      yield* Effect.acquireRelease(
        Effect.sync(() => {
          this.guides += 1
        }),
        () =>
          Effect.sync(() => {
            this.guides -= 1
          }),
      )
      let pictures = 0
      const answer = (look: GuideLook | Record<never, never>) =>
        Effect.suspend(() =>
          this.fault
            ? Effect.fail(this.fault)
            : Effect.succeed({ ...look, known: fakeKnown(pictures) } as unknown as GuideAnswer),
        )
      return {
        look: () =>
          Effect.suspend(() => {
            if (this.see) return answer(this.see(pictures))
            const look = this.looks.length > 1 ? this.looks.shift() : this.looks[0]
            return answer(look ?? fakeLook())
          }),
        lookAt: (_size, corners) => answer({ ...fakeLook(0), corners }),
        take: () =>
          Effect.suspend(() => {
            pictures += 1
            this.taken += 1
            return answer({})
          }),
        setBoard: () => answer({}),
      }
    })

  #compute<Found>(
    step: string,
    find: () => Told<Found>,
    report: ReportCalibration = () => {},
  ): Effect.Effect<Told<Found>, Fault> {
    return Effect.acquireUseRelease(
      Effect.sync(() => {
        this.running += 1
      }),
      () =>
        Effect.suspend(() => {
          report({ step, share: 0.5 })
          if (this.isEndless) return Effect.never
          return this.fault ? Effect.fail(this.fault) : Effect.sync(find)
        }),
      () =>
        Effect.sync(() => {
          this.running -= 1
        }),
    )
  }
}
