// The work of solving for a lens: how far it says that it is, and what it calls the calibration.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as Effect from 'effect/Effect'
import { solveWork, type WantedSolve } from '../../../actors/calibration/solve-work.ts'
import { type Calibration, calibrationExample, type SolveResult } from '../../../machines/calibration/calibration.ts'
import { FakeCalibration, fakeBoard, fakeSolution } from '../../../native/calibration/fake.ts'
import type { CalibrationPort } from '../../../native/calibration/port.ts'

const PICTURES = 12
const SHARES = [0.2, 0.9]

/** Solves, and returns what was made and how far it was each time, in percent. */
const solved = async (wanted: Partial<WantedSolve>, camera_name = 'HD Cam') => {
  const fake = new FakeCalibration()
  const solve: CalibrationPort['solve'] = (_task, report) =>
    Effect.sync(() => {
      for (const share of SHARES) report?.({ step: 'solve', share })
      return { ...fakeSolution(PICTURES), given_rms_px: 0.24 }
    })
  const percents: number[] = []
  const work = solveWork(
    { calibration: { ...fake, solve }, clock: { nowMs: () => 1_767_225_600_000 } },
    {
      from: { board: fakeBoard(PICTURES) },
      names: Array.from({ length: PICTURES }, (_, at) => ({ name: `picture ${at + 1}`, media_id: null })),
      square: { width_mm: 24, height_mm: 24 },
      coefficients: 0,
      leaveOut: [],
      of: Effect.succeed({ stream_id: null, camera_uid: null, camera_name, pixel_format: null, lens_controls: [] }),
      ...wanted,
    },
  )
  const running = work(
    ({ percent }) => percents.push(percent ?? Number.NaN),
    (effect) => effect,
  )
  const { calibration } = (await Effect.runPromise(Effect.scoped(running))) as SolveResult
  return { calibration, percents }
}

/** Of a mode that is larger and less wide, so that the lens may be scaled or cut in three ways. */
const otherMode: Calibration = {
  ...calibrationExample,
  intrinsics: { ...calibrationExample.intrinsics, width_px: 1600, height_px: 1400 },
}

test('the work goes on evenly over all lenses that are tried, and never back', async () => {
  const { percents } = await solved({ deriveFrom: { id: 'cal-othermode', value: otherMode } })

  assert.equal(percents.length, 3 * SHARES.length + 1)
  assert.deepEqual(
    percents,
    percents.toSorted((one, other) => one - other),
  )
  assert.equal(new Set(percents).size, percents.length)
})

test('a name that is too long is not cut within a character', async () => {
  const { calibration } = await solved({}, `${'x'.repeat(59)}\u{1f3a5} of the workshop`)

  assert.equal(calibration.name, `${'x'.repeat(59)}, 2026-01-01`)
})
