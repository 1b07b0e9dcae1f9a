// A round as it is shown.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LocalizationSolve, type Solving, solveDocument } from '../../../machines/localization/solve-document.ts'
import { validatorOf } from '../../../machines/schema/errors.ts'
import { solvedRound, unsolvedRound } from '../../support/localization/solved.ts'

const errorsIn = validatorOf(LocalizationSolve)
const map = { id: 'demo', hash: 'abc' }
const now = { revision: 5, nowUs: 1_040_000, nowMs: 1_700_000_000_040 }

const solving = (solved: Solving['solved']['value'], more: Partial<Solving> = {}): Solving => ({
  state: () => 'tracking',
  map: () => map,
  streams: () => [
    { streamId: 'front', used: true, reason: null },
    { streamId: 'side', used: false, reason: 'no_pose' },
  ],
  solved: { value: solved },
  rejected: () => ({}),
  ...more,
})

/** As a client reads it. */
const shown = (parts: Solving): LocalizationSolve => {
  const document = JSON.parse(JSON.stringify(solveDocument(parts, now)))
  assert.deepEqual(errorsIn(document), [])
  return document
}

test('angles are shown in degrees, times as ages, families by name', () => {
  const document = shown(solving(solvedRound()))

  assert.deepEqual(
    [document.round, document.captured_us, document.captured_at_ms, document.age_ms],
    [7, 1_000_000, 1_700_000_000_000, 40],
  )
  assert.ok(Math.abs((document.pose?.yaw_deg ?? 0) - 90) < 1e-9)
  assert.ok(Math.abs((document.std_devs?.yaw_deg ?? 0) - 3) < 1e-9)
  assert.ok(Math.abs((document.heading.offset_deg ?? 0) - 2) < 1e-9)
  assert.equal(document.tags[0]?.family, 'tag36h11')
  assert.deepEqual(document.quaternion, { w: Math.SQRT1_2, x: 0, y: 0, z: Math.SQRT1_2 })
})

test('all streams stand among the cameras, also those that had no frame in the round, with why', () => {
  const { cameras } = shown(solving(solvedRound()))

  assert.deepEqual(
    cameras.map(({ stream_id, reason, age_ms, tags_used }) => [stream_id, reason, age_ms, tags_used]),
    [
      ['front', null, 50, 1],
      ['side', 'no_pose', null, 0],
    ],
  )
})

test('a camera whose stream has gone since is still shown', () => {
  const { cameras } = shown(solving(solvedRound(), { streams: () => [] }))

  assert.deepEqual(
    cameras.map(({ stream_id, used }) => [stream_id, used]),
    [['front', true]],
  )
})

test('before the first round, and where nothing is known, there is null and never a number', () => {
  const none = shown(solving(undefined))
  const unsolved = shown(solving(unsolvedRound()))

  assert.deepEqual([none.round, none.pose, none.age_ms, none.revision, none.map], [null, null, null, 5, map])
  assert.deepEqual(none.heading, { said_deg: null, from: null, seen_deg: null, offset_deg: null, used: false })
  assert.deepEqual([unsolved.pose, unsolved.std_devs, unsolved.is_sure, unsolved.revision], [null, null, false, 4])
  assert.deepEqual([unsolved.tags[0]?.reason, unsolved.tags[0]?.chi2, unsolved.tags[0]?.weight], ['mirror', null, 0])
  assert.deepEqual(unsolved.cameras[0]?.offset, null)
})

test('a fused pose is shown with its own deviations', () => {
  const { pose } = solvedRound().solved ?? assert.fail()
  const { fused } = shown(solving(solvedRound({ fused: { pose, stdDevs: [0.01, 0.02, Math.PI / 180] } })))

  assert.deepEqual([fused?.pose.x_m, fused?.std_devs], [4, { x_m: 0.01, y_m: 0.02, yaw_deg: 1 }])
})
