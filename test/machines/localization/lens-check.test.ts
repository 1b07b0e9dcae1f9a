// Whether a lens fits, from driving about: a right one is left alone, and a wrong one is found, each by what is wrong.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CheckedLens, LensCheck } from '../../../machines/localization/lens-check.ts'
import { LensChecks } from '../../../machines/localization/lens-checks.ts'
import { lensVerdict, partsOff } from '../../../machines/localization/lens-verdict.ts'
import { OBSERVATION_TAG, type Observation, tagAt, tagCountOf } from '../../../machines/localization/observation.ts'
import { compose, identityPose } from '../../../machines/localization/pose.ts'
import type { Round, RoundFrame } from '../../../machines/localization/round.ts'
import { Rounds } from '../../../machines/localization/rounds.ts'
import { tagKey } from '../../../machines/localization/solve-map.ts'
import { LocalizationSolver } from '../../../machines/localization/solve-rounds.ts'
import { Drive } from '../../support/localization/drives.ts'
import { DEFAULT_CONFIG, solveMap2026, USUAL_FAULTS, World } from '../../support/localization/worlds.ts'

const CORNERS = OBSERVATION_TAG.indexOf('x0')
const RADIUS = 0.5

/** How a lens is off: shares. */
interface Bent {
  readonly focal?: number
  readonly aspect?: number
  readonly radial?: number
}

/** What a camera sees whose lens is another one than is believed. */
const seenThrough = (observation: Observation, { focal = 0, aspect = 0, radial = 0 }: Bent): Observation => {
  const to = observation.slice()
  for (let row = 0; row < tagCountOf(to); row++)
    for (let corner = 0; corner < 4; corner++) {
      const place = tagAt(row) + CORNERS + 2 * corner
      const [x, y] = [to[place] as number, to[place + 1] as number]
      const further = focal + (radial * (x * x + y * y)) / RADIUS ** 2
      to[place] = x * (1 + further + aspect / 2)
      to[place + 1] = y * (1 + further - aspect / 2)
    }
  return to
}

const BENT = 'camera-0'
const FAITHFUL = 'camera-1'

/** A drive of forty seconds with two cameras, of which the first has another lens than it is believed to have. */
const driveWith = (bent: Bent, seed: number) => {
  const faults = { map_m: 0.006, map_deg: 0.35, mount_m: 0.0035, mount_deg: 0.2, lens_share: 0.0005 }
  const drive = new Drive({ seed, seconds: 40, cameras: 2, fps: 8, faults })
  const { map } = drive.world
  const rounds = new Rounds({ waitUs: 40_000 })
  rounds.setStreams([BENT, FAITHFUL])
  const solver = new LocalizationSolver({ map, hash: 'x', config: DEFAULT_CONFIG, revision: 1 })
  const checks = new LensChecks()
  const take = (round: Round | undefined) => {
    if (!round) return
    checks.take({ round, solved: solver.solve(round) }, () => ({
      map,
      errors: DEFAULT_CONFIG.errors,
      lensOf: () => 'lens',
    }))
  }
  const through = (frame: RoundFrame): RoundFrame =>
    frame.streamId === BENT ? { ...frame, observation: seenThrough(frame.observation, bent) } : frame
  for (const { cameUs, frame, odometry } of drive.arrivals) {
    for (let due = rounds.nextDueUs(); due !== undefined && due <= cameUs; due = rounds.nextDueUs())
      take(rounds.due(due))
    if (odometry) solver.odometry(odometry)
    if (frame) take(rounds.add(through(frame), cameUs))
  }
  return checks
}

const offIn = (checked: CheckedLens | undefined) => (checked?.deviation ? partsOff(checked.deviation) : [])

for (const [what, bent, part] of [
  ['a focal length that is off by 2 %', { focal: 0.02 }, 'focal'],
  ['another distortion', { radial: -0.02 }, 'radial'],
  ['a stretched picture', { aspect: 0.015 }, 'aspect'],
] as const)
  test(`${what} is found while driving about, and the other camera is left alone`, (t) => {
    const checks = driveWith(bent, 3)
    const found = checks.of(BENT, 'lens')

    t.diagnostic(JSON.stringify(found))
    assert.equal(offIn(found)[0], part)
    assert.equal(lensVerdict(found).state, 'off')
    assert.match(lensVerdict(found).detail, /Calibrate this camera again/)
    const value = found?.deviation?.[part] ?? 0
    const [, truth] = Object.entries(bent)[0] as [string, number]
    assert.ok(Math.abs(value - truth) < 0.25 * Math.abs(truth), `${value} for ${truth}`)
    assert.deepEqual(offIn(checks.of(FAITHFUL, 'lens')), [])
    assert.notEqual(lensVerdict(checks.of(FAITHFUL, 'lens')).state, 'off')
  })

test('lenses that are right are said to fit', (t) => {
  const checks = driveWith({}, 1)

  for (const camera of [BENT, FAITHFUL]) {
    const found = checks.of(camera, 'lens')
    t.diagnostic(JSON.stringify(found))
    assert.equal(lensVerdict(found).state, 'fits')
    assert.ok((found?.evidence.correctedPx ?? 9) < 0.4)
  }
  assert.equal(checks.of(BENT, 'another lens'), undefined)
  assert.equal(checks.of('nobody', 'lens'), undefined)
})

const BODY_OPTICAL = { ...identityPose, qw: 0.5, qx: -0.5, qy: 0.5, qz: -0.5 }

test('deviations are honest: over many worlds the error is what is said', (t) => {
  const errors: number[] = []
  for (let seed = 1; seed <= 12; seed++) {
    const world = new World({ seed, cameras: 1, faults: { ...USUAL_FAULTS, lens_share: 0 } })
    const check = new LensCheck(solveMap2026, DEFAULT_CONFIG.errors)
    const [camera] = world.cameras
    assert.ok(camera)
    while (check.frames < 30) {
      const robot = world.anyPose()
      const { observation } = world.frame(camera, robot)
      const used = new Set(
        Array.from({ length: tagCountOf(observation) }, (_, row) =>
          tagKey(observation[tagAt(row)] as number, observation[tagAt(row) + 1] as number),
        ),
      )
      check.add({
        observation: seenThrough(observation, { focal: 0.01 }),
        optical: compose(compose(robot, camera.nominal), BODY_OPTICAL),
        used,
      })
    }
    const { deviation } = check.result
    assert.ok(deviation)
    errors.push((deviation.focal - 0.01) / deviation.focalStd)
  }
  const rms = Math.sqrt(errors.reduce((sum, each) => sum + each * each, 0) / errors.length)
  t.diagnostic(`${rms.toFixed(2)} deviations`)
  assert.ok(rms > 0.5 && rms < 1.6, `${rms}`)
})

test('a camera that stands still says no more than once, and one tag says nothing', () => {
  const world = new World({ seed: 5, cameras: 1 })
  const check = new LensCheck(solveMap2026, DEFAULT_CONFIG.errors)
  const [camera] = world.cameras
  assert.ok(camera)
  let tries = 0
  for (let robot = world.anyPose(); check.frames === 0 && tries < 200; robot = world.anyPose(), tries++) {
    const { observation } = world.frame(camera, robot)
    const keys = Array.from({ length: tagCountOf(observation) }, (_, row) =>
      tagKey(observation[tagAt(row)] as number, observation[tagAt(row) + 1] as number),
    )
    const frame = { observation, optical: compose(compose(robot, camera.nominal), BODY_OPTICAL) }
    assert.ok(!check.add({ ...frame, used: new Set(keys.slice(0, 1)) }))
    if (check.add({ ...frame, used: new Set(keys) })) assert.ok(!check.add({ ...frame, used: new Set(keys) }))
  }
  assert.equal(check.frames, 1)
  assert.equal(lensVerdict(check.result).state, 'gathering')
  assert.match(lensVerdict(undefined).detail, /^0 of 30 places/)
})
