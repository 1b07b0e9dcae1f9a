// A robot that is driven about while its map and rig are surveyed: what is wrong is named, and what is accepted is in
// force at once and makes poses better.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { map2026Welded } from '../../machines/localization/maps/season-2026.ts'
import type { LocalizationSolve } from '../../machines/localization/solve-document.ts'
import { quantile } from '../bench/lab/row.ts'
import { ask, errorsOf, SurveyedRobot, survey } from '../support/localization/surveyed-robot.ts'
import { CORNER_MOUNTS, NO_FAULTS } from '../support/localization/worlds.ts'
import { site } from '../support/processes/daemon.ts'

test('a survey finds the camera that is turned, and poses are better with it accepted', async (t) => {
  const daemon = await site(t).start()
  await daemon.send('PUT', '/v1/localization/config', { round_wait_ms: 200 }) // on a busy machine pictures come late
  const robot = new SurveyedRobot({
    seed: 3,
    map: map2026Welded,
    mounts: CORNER_MOUNTS.slice(0, 3),
    faults: NO_FAULTS,
    displaced: { id: 26, m: 0.1 },
    turnedDeg: 6,
    camera: { width_px: 800, height_px: 500, fps: 8 },
  })
  for (const manifest of robot.manifests()) await daemon.addStream(manifest)
  const before = await errorsOf(t, daemon, robot.ids, { count: 15, with: 'camera-0' })

  const { id, spec } = await survey(daemon, { rounds: 40, duration_s: 100 })
  const accepted = await ask<{ spec: typeof spec }>(daemon, 'POST', `/v1/localization/surveys/${id}/accept`, {
    tags: 'all',
    cameras: 'all',
    errors: true,
  })
  await robot.stay(daemon)
  for (const camera of robot.ids) await daemon.stream(camera, 'live')
  const after = await errorsOf(t, daemon, robot.ids, { count: 15, with: 'camera-0' })

  const wrong = spec.proposal.cameras.filter(({ is_wrong }) => is_wrong).map(({ stream_id }) => stream_id)
  assert.deepEqual(wrong, ['camera-0'])
  const solve = await ask<LocalizationSolve>(daemon, 'GET', '/v1/localization/solve')
  assert.equal(solve.map?.id, accepted.spec.accepted?.map_id)
  const [worse, better] = [quantile(before, 0.5), quantile(after, 0.5)]
  t.diagnostic(`${worse} m off before, ${better} m after`)
  assert.ok(better < worse / 2, `${worse} m off before, ${better} m after`)
})
