// A whole guided capture by a simulated hand: what looks, the rules and the solver are the real ones.
import * as Effect from 'effect/Effect'
import type { GuideAnswer, GuideKnown, TimedLook } from '../../../machines/calibration/capture/look.ts'
import { isEnough, judgeLook, type RefusalCode } from '../../../machines/calibration/capture/rules.ts'
import { calibrationTask, type FoundBoard, type FoundCorner } from '../../../machines/calibration/task.ts'
import { type Judgement, judge } from '../../../machines/calibration/verdict.ts'
import { linuxCalibration } from '../../../native/calibration/linux.ts'
import { type Hand, HELD_BOARD, type SimulatedCamera, SimulatedHand } from './simulated-hand.ts'

/** How a capture went. */
export interface GuidedRun {
  readonly pictures: number
  /** How often the board was held somewhere. */
  readonly tries: number
  readonly refusals: Readonly<Partial<Record<RefusalCode, number>>>
  readonly known: GuideKnown
  readonly judgement: Judgement
  /** fx, as it was solved. */
  readonly fx_px: number
}

const { columns, rows, square_mm } = HELD_BOARD
const BOARD = { family: 'aruco_4x4', columns, rows, starts_white: false, marker_share: 0.75 } as const
const SQUARE = { width_mm: square_mm, height_mm: square_mm } as const
const MAX_TRIES = 200
const EDGE_PX = 2
const LOOK_MS = 200
const TRY_MS = 3_000 // what a person takes to hold the board somewhere else

/** From the first picture until it is enough, and solved. */
export const guidedRun = (camera: SimulatedCamera, seed: number, hand?: Hand): Promise<GuidedRun> => {
  const calibration = linuxCalibration()
  const person = new SimulatedHand(camera, seed, hand)
  const capture = Effect.gen(function* () {
    const guide = yield* calibration.guide(SQUARE)
    let known = knownIn(yield* guide.setBoard(BOARD, camera))
    const taken: { readonly corners: readonly FoundCorner[]; readonly edge_px: number }[] = []
    const refusals: Partial<Record<RefusalCode, number>> = {}
    let tries = 0
    let since_ms = 0
    while (!isEnough(known) && tries < MAX_TRIES) {
      tries += 1
      const held = person.hold(known.proposed.outline)
      const looks: TimedLook[] = []
      for (const corners of held) {
        const answer = yield* guide.lookAt(camera, corners)
        looks.push({
          ...(answer as TimedLook),
          corners,
          edge_px: EDGE_PX,
          at_ms: tries * TRY_MS + looks.length * LOOK_MS,
        })
      }
      const [before, now] = looks as [TimedLook, TimedLook]
      const { kind, refusal } = judgeLook(now, { taken, known, before, since_ms })
      if (refusal) refusals[refusal.code] = (refusals[refusal.code] ?? 0) + 1
      if (kind !== 'fits') continue
      taken.push({ corners: now.corners, edge_px: EDGE_PX })
      since_ms = now.at_ms
      known = knownIn(yield* guide.take(camera, now.corners))
    }
    return { known, taken, tries, refusals }
  })
  return Effect.runPromise(
    Effect.gen(function* () {
      const { known, taken, tries, refusals } = yield* Effect.scoped(capture)
      const board: FoundBoard = {
        ...BOARD,
        fitting_share: 1,
        pictures: taken.map(({ corners }) => ({ ...camera, markers: 0, corners })),
      }
      const task = calibrationTask(board, SQUARE)
      if (typeof task === 'string') throw new Error(task)
      const solution = yield* calibration.solve(task.text)
      if ('detail' in solution) throw new Error(solution.detail)
      const judgement = judge(solution, task.pictures)
      return { pictures: taken.length, tries, refusals, known, judgement, fx_px: solution.lens[0] ?? Number.NaN }
    }),
  )
}

const knownIn = ({ known }: GuideAnswer): GuideKnown => {
  if (!known) throw new Error('nothing is known')
  return known
}
