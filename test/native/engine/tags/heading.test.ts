// Where a robot is that says which way it looks, against the truth. Frames are far apart, so that the pose by the
// corners remembers none before.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RESULT_FIELDS, RESULT_HEADER, type Result, rowsOf } from '../../../../machines/engine/result.ts'
import { BOTPOSE_HEAD } from '../../../../machines/extcam/botpose.ts'
import { TAG, TAG_STRIDE } from '../../../../machines/extcam/fiducials.ts'
import { wrapDeg } from '../../../../machines/extcam/geometry.ts'
import { Snapshot } from '../../../../machines/extcam/snapshot.ts'
import { demoMap } from '../../../../machines/localization/field-map.ts'
import { eulerDeg, poseAt } from '../../../../machines/localization/pose.ts'
import { oneLine } from '../../../../machines/schema/one-line.ts'
import type { SyntheticSource } from '../../../../machines/stream/sources/synthetic.ts'
import { type PlaceError, placeError } from '../../../support/engine/by-heading.ts'
import { within } from '../../../support/engine/coverage.ts'
import { oneTag, singleTags } from '../../../support/engine/field-maps.ts'
import { type Steps, stepped } from '../../../support/engine/stepped.ts'
import { IS_LONG } from '../../../support/long.ts'

const EVERY = 17
const mount = { x_m: 0.25, y_m: 0, z_m: 0.6, roll_deg: 0, pitch_deg: -10, yaw_deg: 0 }
const ASIDE = (5 * Math.PI) / 180

const small = { backend: 'synthetic', width_px: 640, height_px: 400 } as const

/** Four metres before one tag, of which a poor camera hardly sees how it is tilted. */
const standing: SyntheticSource = {
  ...small,
  motion: 'still',
  noise: 20,
  seed: 1,
  pose: { x_m: 1 + 4 * Math.cos(ASIDE), y_m: 3 + 4 * Math.sin(ASIDE), z_m: 1, roll_deg: 0, pitch_deg: 0, yaw_deg: 185 },
}

const SCENES: Readonly<Record<string, Pick<Steps, 'manifest' | 'map'>>> = {
  'drives, tags in pairs, noise 8': {
    manifest: { source: { backend: 'synthetic', motion: 'patrol', noise: 8, seed: 21 }, pose: mount },
    map: demoMap,
  },
  'circles, one tag, poor camera': {
    manifest: { source: { ...small, motion: 'orbit', noise: 12, seed: 21 }, pose: mount },
    map: singleTags,
  },
  'stands before one tag, poor camera': { manifest: { source: standing }, map: oneTag },
}

/** With the drive of the one and the tags of the other. */
const LONG_SCENES: typeof SCENES = {
  'drives, one tag, noise 8': {
    manifest: { source: { backend: 'synthetic', motion: 'patrol', noise: 8, seed: 21 }, pose: mount },
    map: singleTags,
  },
}

type Shares = ReturnType<typeof within>

const solved = async (steps: Omit<Steps, 'frames'>, frames = 100): Promise<readonly PlaceError[]> =>
  (await stepped({ ...steps, frames, every: EVERY })).map(placeError).filter((each) => each !== undefined)

const worstM = (errors: readonly PlaceError[]): number => Math.max(...errors.map(({ offM }) => offM))

for (const [scene, steps] of Object.entries({ ...SCENES, ...(IS_LONG && LONG_SCENES) }))
  test(`a robot that says its heading is where it says it is, within the deviations: ${scene}`, async (t) => {
    const exact = await solved({ ...steps, headingOffDeg: 0 })
    const off = await solved({ ...steps, headingOffDeg: 0.5 })

    const shares = [exact, off].map((errors) => within(errors.flatMap(({ of }) => of)))
    t.diagnostic(
      oneLine`
        ${exact.length} places, ${worstM(exact).toFixed(3)} m off at most; ${worstM(off).toFixed(3)} m with the heading
        half a degree off
      `,
    )
    assert.ok(exact.length >= 90 && off.length === exact.length, `${exact.length} and ${off.length} places`)
    assert.ok(worstM(exact) < 0.05, `${worstM(exact)} m off`)
    assert.ok(worstM(off) < 0.12, `${worstM(off)} m off`)
    const [[one, , all], [, two, three]] = shares as [Shares, Shares]
    assert.ok(one >= 90 && all === 100, `within 1 and 3 deviations: ${one} and ${all} %`)
    assert.ok(
      two >= 97 && three === 100,
      `within 2 and 3 with half a degree, which is one of them: ${two} and ${three} %`,
    )
    const widestM = Math.max(...exact.map(({ stdM }) => Math.max(...stdM)))
    assert.ok(widestM < 0.1, `a deviation is ${widestM} m`) // which a robot could do nothing with
  })

test('where one tag shows two poses or leaves them open, the heading still tells the place', async (t) => {
  const errors = await solved({ manifest: { source: standing }, map: oneTag, headingOffDeg: 0 })
  const open = errors.filter(({ freeOffM }) => freeOffM === undefined)
  const mirrored = errors.filter(({ freeOffM = 0 }) => freeOffM > 0.5)

  t.diagnostic(
    `of ${errors.length} frames ${open.length} were left open and ${mirrored.length} mirrored by the corners alone`,
  )
  assert.ok(open.length >= 10 && mirrored.length >= 1, `${open.length} open, ${mirrored.length} mirrored`)
  assert.ok([...open, ...mirrored].every(({ tags, distanceM }) => tags === 1 && distanceM > 3 && distanceM < 5))
  assert.ok(worstM([...open, ...mirrored]) < 0.05)
})

/** A result without how long it took, and without what the heading adds. */
const withoutHeading = (result: Result): readonly (readonly number[])[] => {
  const added = RESULT_FIELDS.field_pose.indexOf('has_heading')
  return result.layout.outputs.map(({ port, kind }) => {
    const { offset, count, stride } = rowsOf(result, port) ?? { offset: 0, count: 0, stride: 0 }
    const rows = Array.from({ length: count }, (_, n) => [
      ...result.data.slice(offset + n * stride, offset + (n + 1) * stride),
    ])
    return rows.flatMap((row) => (kind === 'field_pose' ? row.slice(0, added) : row))
  })
}

test('the pose by the corners is the same with and without a heading, which adds values and nothing else', async () => {
  const steps = { manifest: { source: standing }, map: oneTag, frames: 60, every: EVERY }
  const [without, having] = [await stepped(steps), await stepped({ ...steps, headingOffDeg: 0 })]
  const pose = without[0]?.layout.outputs.findIndex(({ port }) => port === 'pose') ?? -1
  const added = RESULT_FIELDS.field_pose.indexOf('has_heading')

  for (const [n, result] of without.entries()) {
    const rows = rowsOf(result, 'pose')
    if (rows?.count) {
      const tail = result.data.slice(rows.offset + added, rows.offset + rows.stride)
      assert.ok(tail.every((each) => each === 0))
      assert.deepEqual(withoutHeading(having[n] as Result), withoutHeading(result))
    } else {
      const row = withoutHeading(having[n] as Result)[pose] ?? []
      assert.deepEqual(row.slice(0, 2), [1, 0], 'one tag was used')
      assert.ok(
        row.slice(3).every((each) => each === 0),
        'where the corners leave it open is nothing but zeros',
      )
    }
  }
  assert.ok(without.some((result) => rowsOf(result, 'pose')?.count === 0))
  assert.equal(having[0]?.data.length, RESULT_HEADER.length + lengthOf(having[0] as Result))
})

const lengthOf = (result: Result): number =>
  result.layout.outputs.reduce((sum, { port }) => {
    const rows = rowsOf(result, port)
    return sum + 1 + (rows?.count ?? 0) * (rows?.stride ?? 0)
  }, result.layout.stages.length)

test('a heading that no place on the field explains gives none', async () => {
  const { manifest, map = demoMap } = SCENES['drives, tags in pairs, noise 8'] ?? { manifest: { source: standing } }

  assert.equal((await solved({ manifest, map, headingOffDeg: 180 }, 40)).length, 0)
})

test('the place of the robot by the heading is true in all frames, and by each tag alone', async () => {
  const { manifest } = SCENES['drives, tags in pairs, noise 8'] ?? { manifest: { source: standing } }
  const results = await stepped({ manifest, frames: 40, every: EVERY, headingOffDeg: 0 })
  const snapshot = new Snapshot()
  const { length_m, width_m } = demoMap
  let alone = 0

  for (const result of results) {
    snapshot.read(result, { map: demoMap, intrinsics: null, mount })
    if (snapshot.botpose_orb_wpiblue.length === BOTPOSE_HEAD) continue
    const truth = rowsOf(result, 'truth')
    const is = poseAt(result.data, truth?.offset ?? 0)
    const yawDeg = eulerDeg(is)[2]
    const near = (pose: ArrayLike<number>, x: number, y: number, yaw: number, withinM: number) => {
      assert.ok(
        Math.hypot((pose[0] as number) - x, (pose[1] as number) - y, (pose[2] as number) - is.z) < withinM,
        `${[...Array.from(pose)].slice(0, 3)} instead of ${[x, y, is.z]}`,
      )
      assert.ok(Math.abs(wrapDeg((pose[5] as number) - yaw)) < 1e-3, `${pose[5]} instead of ${yaw} degrees`)
      assert.deepEqual(
        [pose[3], pose[4]].map((angle) => Math.abs(angle as number) < 1e-9),
        [true, true],
      )
    }
    near(snapshot.botpose_orb_wpiblue, is.x, is.y, yawDeg, 0.05)
    near(snapshot.botpose_orb, is.x - length_m / 2, is.y - width_m / 2, yawDeg, 0.05)
    near(snapshot.botpose_orb_wpired, length_m - is.x, width_m - is.y, yawDeg - 180, 0.05)
    const { count, rows } = snapshot.fiducials
    for (let n = 0; n < count; n++) {
      near(rows.subarray(n * TAG_STRIDE + TAG.t6r_fs_orb), is.x - length_m / 2, is.y - width_m / 2, yawDeg, 0.15)
      alone++
    }
  }
  assert.ok(alone >= 40, `${alone} tags`)
})
