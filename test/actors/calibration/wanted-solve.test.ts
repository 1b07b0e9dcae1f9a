// A capture that is to be solved: its corners are not looked for again, and whose it is is noted.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as Effect from 'effect/Effect'
import { captureNotFound } from '../../../actors/calibration/captures.ts'
import { wantedSolve } from '../../../actors/calibration/wanted-solve.ts'
import type { SolveResult } from '../../../machines/calibration/calibration.ts'
import { FakeCalibration, fakeBoard, fakeSolution } from '../../../native/calibration/fake.ts'

const noCaptures = { picturesOf: (id: string) => Effect.fail(captureNotFound(id)) }

const nothing = {
  streams: { get: () => undefined },
  cameras: { units: [] },
  directory: { settings: undefined as never }, // asked for the calibration that is to be derived from alone
  store: {
    get: async () => assert.fail('no media are asked for'),
    pathOf: async () => assert.fail('no media are asked for'),
  },
  clock: { nowMs: () => 1_767_225_600_000 },
}

const solved = (calibration: FakeCalibration, pictures: number) =>
  Effect.runPromise(
    Effect.scoped(
      Effect.flatMap(
        wantedSolve(
          {
            ...nothing,
            calibration,
            captures: {
              picturesOf: () =>
                Effect.succeed({
                  stream_id: 'gone',
                  board: fakeBoard(pictures),
                  names: Array.from({ length: pictures }, (_, at) => ({ name: `picture ${at + 1}`, media_id: null })),
                }),
            },
          },
          { capture_id: 'c', square_width_mm: 24 },
        ),
        ({ work }) =>
          work(
            () => {},
            (effect) => effect,
          ) as Effect.Effect<SolveResult, never, never>,
      ),
    ),
  )

test('a capture is solved as it is; its stream may be gone', async () => {
  const calibration = new FakeCalibration()

  const { calibration: made } = await solved(calibration, 12)

  assert.deepEqual(
    [made.name, made.stream_id, made.verdict, made.board?.columns, made.pictures[11]?.name],
    ['Pictures, 2026-01-01', null, 'good', 11, 'picture 12'],
  )
  assert.equal(calibration.tasks.length, 1)
})

test('a capture that is not there is said to be not there', async () => {
  const wanted = wantedSolve(
    { ...nothing, calibration: new FakeCalibration(), captures: noCaptures },
    { capture_id: 'c', square_width_mm: 24 },
  )

  assert.equal((await Effect.runPromise(Effect.flip(wanted))).code, 'calibration.capture_not_found')
})

test('pictures without which the lens is known better are named, where the solver says so', async () => {
  const [blurred, usual] = [fakeSolution(12), fakeSolution(12)]
  const views = blurred.views.map((view, at) => (at === 3 || at === 7 ? { ...view, rms_px: 0.4 } : view))
  const asked = async (without: number) => {
    const calibration = new FakeCalibration()
    const answers = [
      { ...blurred, views },
      { ...usual, mean_px: without },
    ]
    Object.defineProperty(calibration, 'solution', { get: () => answers[calibration.tasks.length - 1] })
    const { calibration: made } = await solved(calibration, 12)
    return { made, tasks: calibration.tasks }
  }

  const better = await asked(0.3)
  const worse = await asked(0.5)

  assert.deepEqual(better.made.leave_out, [3, 7])
  assert.match(better.made.pictures[3]?.detail ?? '', /known better/)
  assert.match(better.tasks[1] ?? '', / 10\n/)
  assert.deepEqual(worse.made.leave_out, [])
})
