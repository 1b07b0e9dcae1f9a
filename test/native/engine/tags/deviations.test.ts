// Frames are so far apart that each is a pose of its own, and that none remembers the one before.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { demoMap } from '../../../../machines/localization/field-map.ts'
import { AXES, deviationOf, WITHIN_BOUNDS, within } from '../../../support/engine/coverage.ts'
import { singleTags } from '../../../support/engine/field-maps.ts'
import { stepped } from '../../../support/engine/stepped.ts'
import { IS_LONG } from '../../../support/long.ts'

/** On patrol a second tag is often in view, and those frames count elsewhere. */
const FRAMES = { one: { patrol: 400, orbit: 200 }, many: { patrol: 200, orbit: 200 } } as const
const EVERY = 17 // of 30 in a second

const check = async (t: TestContext, motion: 'patrol' | 'orbit', noise: number, tags: 'one' | 'many') => {
  const source = { backend: 'synthetic', motion, noise, seed: 21 } as const
  const manifest = { source, pose: { x_m: 0.25, y_m: 0, z_m: 0.6, roll_deg: 0, pitch_deg: -10, yaw_deg: 0 } }
  const map = tags === 'one' ? singleTags : demoMap
  const results = await stepped({ manifest, map, frames: FRAMES[tags][motion], every: EVERY })
  const wanted = results
    .map(deviationOf)
    .filter((each) => each !== undefined && (tags === 'one' ? each.tagCount === 1 : each.tagCount > 1))
    .filter((each) => each !== undefined)

  const shares = within(wanted.flatMap(({ of }) => AXES.map((axis) => of[axis])))

  const text = shares.map((share) => share.toFixed(1)).join(', ')
  t.diagnostic(`${wanted.length} poses: within 1, 2, 3 standard deviations ${text} %`)
  assert.ok(wanted.length >= 150, `${wanted.length} poses`)
  for (const [n, [from, to]] of WITHIN_BOUNDS.entries())
    assert.ok((shares[n] ?? 0) >= from && (shares[n] ?? 0) <= to, `within ${n + 1}: ${text} %`)
}

/**
 * Both motions, and one tag as well as many; with those of the long test each value beside each other one once. All
 * eight take twice as long, and are measured by `npm run bench -- deviations`.
 */
const SCENES = [
  ['patrol', 8, 'many'],
  ['orbit', 8, 'one'],
] as const
const LONG_SCENES = [
  ['patrol', 2, 'one'],
  ['orbit', 2, 'many'],
] as const

for (const [motion, noise, tags] of IS_LONG ? [...SCENES, ...LONG_SCENES] : SCENES)
  test(`standard deviations are what the errors are: ${motion}, noise ${noise}, ${tags} in view`, (t) =>
    check(t, motion, noise, tags))
