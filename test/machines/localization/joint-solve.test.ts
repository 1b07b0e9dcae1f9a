import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JointSolution } from '../../../machines/localization/joint-solution.ts'
import { JointSolver } from '../../../machines/localization/joint-solve.ts'
import { map2026Welded } from '../../../machines/localization/maps/season-2026.ts'
import { OBSERVATION_TAG, tagAt, tagCountOf } from '../../../machines/localization/observation.ts'
import type { PlanarStd } from '../../../machines/localization/own-speed.ts'
import { compose, type Pose, poseFromDocument } from '../../../machines/localization/pose.ts'
import type { RoundFrame, RoundProblem } from '../../../machines/localization/round.ts'
import { quantile } from '../../bench/lab/row.ts'
import { chance } from '../../support/localization/chance.ts'
import {
  DEFAULT_CONFIG,
  errorOf,
  NO_FAULTS,
  observationOf,
  type SeenInPixels,
  solveMap2026,
  turnOf,
  World,
} from '../../support/localization/worlds.ts'

const solver = (config: Partial<typeof DEFAULT_CONFIG> = {}) =>
  new JointSolver({ map: solveMap2026, config: { ...DEFAULT_CONFIG, ...config } })

/** Beside the blue hub: five tags of it are before one camera, two to the left and three behind before the others. */
const AT_HUB = poseFromDocument({ x_m: 2, y_m: 2, z_m: 0, roll_deg: 0, pitch_deg: 0, yaw_deg: 0 })

const poseOf = ({ solved }: JointSolution): Pose => {
  assert.ok(solved)
  return solved.pose
}

const reasonsOf = ({ tags }: JointSolution, id: number) =>
  tags.filter((tag) => tag.id === id).map(({ used, reason }) => ({ used, reason }))

test('without noise and faults the pose is the true one, from no start at all', () => {
  const world = new World({ seed: 1, faults: NO_FAULTS, noisePx: 1e-6, tiltDeg: 0 })

  const errors = Array.from({ length: 20 }, () => {
    const truth = world.anyPose()
    const frames = world.frames(truth)
    const sharp = frames.map((frame) => ({ ...frame, observation: withSigma(frame, 0.25) }))
    return errorOf(poseOf(solver().solve(world.problem(truth, { heading: false, frames: sharp }))), truth)
  })

  for (const { distance, yaw } of errors) assert.ok(distance < 0.002 && Math.abs(yaw) < 0.001, `${distance} m, ${yaw}`)
})

test('with usual faults four cameras are off by 2.5 cm in the middle, and 10 cm at most in 95 of 100', () => {
  const joint = solver()

  const off = errorsOver(joint, 40, 4).map(({ distance }) => distance)

  assert.ok(quantile(off, 0.5) <= 0.025, `${quantile(off, 0.5)} m`)
  assert.ok(quantile(off, 0.95) <= 0.1, `${quantile(off, 0.95)} m`)
})

test('frames in another order give the same answer, bit for bit', () => {
  const world = new World({ seed: 3 })
  const truth = world.anyPose()
  const problem = world.problem(truth)
  const turned = { ...problem, round: { ...problem.round, frames: [...problem.round.frames].reverse() } }

  assert.deepEqual(solver().solve(turned), solver().solve(problem))
})

test('a solver that has solved other rounds answers as a new one', () => {
  const used = solver()
  errorsOver(used, 5, 4)
  const world = new World({ seed: 4, cameras: 2 })
  const problem = world.problem(world.anyPose())

  assert.deepEqual(used.solve(problem), solver().solve(problem))
})

test('each tag that cannot be used says why', () => {
  const world = new World({ seed: 5 })
  const frames = world.frames(AT_HUB)
  const [frame] = frames as [RoundFrame]
  const square = [-40, 40, 40, 40, 40, -40, -40, -40]
  const strange: SeenInPixels[] = [
    { id: 500, corners: square },
    { id: 7, family: 1, corners: square },
    { id: 1, corners: square },
    { id: 1, corners: square.map((pixels) => pixels + 100) },
    { id: 2, corners: square },
    { id: 3, corners: square, noPose: 2 },
    { id: 4, corners: [...square].reverse() },
    { id: 6, corners: square.map(() => Number.NaN) },
  ]
  const withStrange = { ...frame, observation: observationOf(world.cameras[0]?.nominal, strange) }

  const solution = solver({ ignored: [{ tag_id: 2, why: 'hangs loose' }] }).solve(
    world.problem(AT_HUB, { frames: [withStrange, ...frames.slice(1)] }),
  )

  const only = (reason: string) => [{ used: false, reason }]
  const of = (id: number) => reasonsOf({ ...solution, tags: solution.tags.slice(0, strange.length) }, id)
  assert.deepEqual(of(500), only('unknown_tag'))
  assert.deepEqual(of(7), only('other_family'))
  assert.deepEqual(of(1), [...only('twice'), ...only('twice')])
  assert.deepEqual(of(2), only('ignored'))
  assert.deepEqual(of(3), only('no_lens'))
  assert.deepEqual(of(4), only('inconsistent'))
  assert.deepEqual(of(6), only('inconsistent'))
})

test('a camera of which nobody knows when it took its pictures is left out while the robot moves', () => {
  const world = new World({ seed: 6 })
  const frames = world
    .frames(AT_HUB)
    .map((frame, n) => (n === 0 ? { ...frame, timestampSource: 'arrival' as const } : frame))
  const still = world.problem(AT_HUB, { frames })

  const reasons = (moves: boolean) =>
    new Set(
      solver()
        .solve({ ...still, moves })
        .tags.filter(({ streamId }) => streamId === 'camera-0')
        .map(({ reason }) => reason),
    )

  assert.deepEqual(reasons(true), new Set(['clock_unknown']))
  assert.ok(!reasons(false).has('clock_unknown'))
})

test('a tag that hangs 40 cm from where the map says is left out, and the others give the pose', () => {
  const hidden = new World({ seed: 7, displaced: { 26: [0, 0.4, 0] } })

  const solution = solver().solve(hidden.problem(AT_HUB))

  assert.deepEqual(new Set(reasonsOf(solution, 26).map(({ reason }) => reason)), new Set(['inconsistent']))
  assert.ok(solution.tags.filter(({ used }) => used).length >= 3)
  assert.ok(errorOf(poseOf(solution), AT_HUB).distance < 0.05)
})

test('whatever is seen, no number of a pose is none', () => {
  const { even, normal } = chance(8)
  const joint = solver()
  const strange = [Number.NaN, 0, -1, 1e300, Number.POSITIVE_INFINITY, 1e-300]
  const someNumber = (usual: number) =>
    even() < 0.03 ? (strange[Math.floor(even() * strange.length)] as number) : usual
  const somePose = (): Pose => ({
    x: someNumber(normal() * 5),
    y: someNumber(normal() * 5),
    z: someNumber(normal()),
    qw: someNumber(normal()),
    qx: someNumber(normal()),
    qy: someNumber(normal()),
    qz: someNumber(normal()),
  })
  const world = new World({ seed: 8 })
  let count = 0
  for (let n = 0; n < 600; n++) {
    const sane = world.problem(world.anyPose())
    const frames = sane.round.frames.slice(0, 1 + Math.floor(even() * 4)).map((frame) => ({
      ...frame,
      observation: frame.observation.map((value) => (even() < 0.3 ? someNumber(value) : value)),
      starts: [somePose()],
    }))
    const problem: RoundProblem = {
      ...sane,
      round: { ...sane.round, frames },
      motions: frames.map((_, k) => (even() < 0.1 ? somePose() : (sane.motions[k] as Pose))),
      predicted: even() < 0.5 ? somePose() : undefined,
      heading: even() < 0.5 ? { yaw: someNumber(normal()), std: someNumber(0.01) } : undefined,
      measured: even() < 0.2 ? [{ pose: somePose(), std: [0.1, 0.1, 0.1, 0.1, 0.1, someNumber(0.1)] }] : [],
    }

    const { solved, alternative, tags, freeYaw } = joint.solve(problem)

    if (solved) count++
    const numbers = [
      ...(solved ? [...Object.values(solved.pose), ...solved.covariance, ...solved.pixelCovariance] : []),
      ...(solved ? [...solved.stdDevs, solved.stdXyM] : []),
      ...(alternative ? Object.values(alternative) : []),
      ...(freeYaw ? [freeYaw.yaw, freeYaw.std] : []),
      ...tags.filter(({ used }) => used).flatMap((tag) => [tag.residualPx, tag.chi2, tag.weight]),
    ]
    assert.ok(numbers.every(Number.isFinite), JSON.stringify(numbers))
  }
  assert.ok(count > 100, `${count}`)
})

test('a heading that is five degrees off changes nothing: it is seen, and not used', () => {
  const world = new World({ seed: 9 })
  const given = world.problem(AT_HUB)
  const withHeading = (yaw: number) => solver().solve({ ...given, heading: { yaw, std: 0.0087 } })

  const wrong = withHeading(0.087)
  const right = withHeading(0)

  assert.equal(wrong.headingUsed, false)
  assert.equal(right.headingUsed, true)
  assert.deepEqual(wrong.freeYaw, right.freeYaw)
  assert.ok(errorOf(poseOf(wrong), AT_HUB).distance < 0.05)
  assert.ok(deviationOf(right) < deviationOf(wrong))
})

test('one tag that contradicts the heading gives no pose: nobody knows which of them is wrong', () => {
  const world = new World({
    seed: 10,
    map: { ...map2026Welded, tags: map2026Welded.tags.filter(({ id }) => id === 26) },
  })
  const given = world.problem(AT_HUB)

  const wrong = solver().solve({ ...given, heading: { yaw: 1, std: 0.0087 } })
  const right = solver().solve({ ...given, heading: { yaw: 0, std: 0.0087 } })

  assert.equal(wrong.solved, undefined)
  assert.deepEqual(reasonsOf(wrong, 26), [{ used: false, reason: 'heading_contradicts' }])
  assert.ok(errorOf(poseOf(right), AT_HUB).distance < 0.3)
})

test('of two mirrored poses of one tag, the prediction decides which it is; without it the deviations say so', () => {
  const far = poseFromDocument({ x_m: 0.8, y_m: 2.2, z_m: 0, roll_deg: 0, pitch_deg: 0, yaw_deg: -15 })
  const single = { ...map2026Welded, tags: map2026Welded.tags.filter(({ id }) => id === 26) }
  const rounds = Array.from({ length: 100 }, (_, n) => {
    const world = new World({ seed: 200 + n, cameras: 1, map: single, noisePx: 1.5 })
    return world.problem(far, { heading: false })
  })
  const wrongOf = (predicted: boolean) =>
    rounds.filter((problem) => {
      const { solved } = solver().solve(
        predicted ? { ...problem, predicted: far, predictedStd: [0.1, 0.1, 0.05] } : problem,
      )
      return solved && errorOf(solved.pose, far).distance > 1.5
    }).length
  const honest = rounds.filter((problem) => {
    const { solved } = solver().solve(problem)
    return !solved || errorOf(solved.pose, far).distance < 3 * Math.sqrt(2) * solved.stdXyM
  }).length

  assert.ok(wrongOf(false) >= 2, 'the scene is one in which it matters')
  assert.equal(wrongOf(true), 0)
  assert.ok(honest >= 96, `${honest}`)
})

test('deviations are true: 68, 95 and 99.7 of 100 of x, y and yaw are within one, two and three of them', () => {
  const joint = solver()
  const ratios = [1, 2, 4].flatMap((cameras) => deviationsOver(joint, 40, cameras))

  for (const axis of [0, 1, 2]) {
    const share = (within: number) =>
      ratios.filter((each) => Math.abs(each[axis] as number) < within).length / ratios.length
    // 600 poses: two standard deviations of the count itself
    assert.ok(Math.abs(share(1) - 0.683) < 0.05, `axis ${axis}: ${share(1)}`)
    assert.ok(Math.abs(share(2) - 0.954) < 0.03, `axis ${axis}: ${share(2)}`)
    assert.ok(share(3) > 0.985, `axis ${axis}: ${share(3)}`)
  }
})

test('the part of the pixels is the scatter of poses in one world, whose map, mounts and lenses stay', () => {
  const world = new World({ seed: 11 })
  const joint = solver()
  const poses = Array.from({ length: 300 }, () => joint.solve(world.problem(AT_HUB, { heading: false })).solved)
  const claimed = (k: number) =>
    quantile(
      poses.map((solved) => solved?.pixelCovariance[7 * k] as number),
      0.5,
    )
  const scatter = (of: (pose: Pose) => number) => {
    const values = poses.map((solved) => of((solved as NonNullable<typeof solved>).pose))
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length
    return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length
  }

  for (const [k, of] of [({ x }: Pose) => x, ({ y }: Pose) => y, ({ z }: Pose) => z].entries()) {
    const ratio = scatter(of) / claimed(k)
    assert.ok(ratio > 0.7 && ratio < 1.4, `axis ${k}: ${ratio}`)
  }
})

test('a motion that may be off makes the pose less sure, and one that is exact changes no bit of it', () => {
  const world = new World({ seed: 13 })
  const problem = world.problem(AT_HUB, { heading: false })
  const solved = (std?: PlanarStd) =>
    solver().solve({ ...problem, ...(std && { motionStds: problem.motions.map(() => std) }) }).solved
  const exact = solved()
  const [moved, turned] = [solved({ m: 0.05, rad: 0 }), solved({ m: 0, rad: 0.05 })]
  assert.ok(exact && moved && turned)

  assert.deepEqual(solved({ m: 0, rad: 0 }), exact)
  // four cameras, each off by itself
  assert.ok(moved.stdDevs[0] > 0.02 && moved.stdDevs[0] < 0.05, `${moved.stdDevs}`)
  assert.ok(turned.stdDevs[5] > 1.3 * exact.stdDevs[5], `${turned.stdDevs}, ${exact.stdDevs}`)
  assert.ok(moved.stdDevs[2] < 1.5 * exact.stdDevs[2], 'it stays on the floor')
})

test('a camera that is alone in its round says nothing of its mount', () => {
  const world = new World({ seed: 12 })
  const [camera, ...others] = world.cameras.map((each) => world.frame(each, AT_HUB))
  assert.ok(camera)
  const without = others.map((frame) => ({ ...frame, observation: observationOf(undefined, []) }))
  const offsets = (frames: readonly RoundFrame[]) =>
    solver()
      .solve(world.problem(AT_HUB, { frames, heading: false }))
      .cameras.map(({ offset }) => offset)

  const none = [Number.NaN, Number.NaN, Number.NaN]
  assert.deepEqual(offsets([camera]), [none])
  assert.deepEqual(offsets([camera, ...without])[0], none)
  assert.ok(offsets([camera, ...others]).some((offset) => offset.every(Number.isFinite)))
})

test('the camera whose mount is turned says so', () => {
  const world = new World({ seed: 12, faults: NO_FAULTS })
  const [camera, ...others] = world.cameras
  assert.ok(camera)
  const turned = { ...camera, mount: compose(camera.mount, turnOf(0, 0, (2 * Math.PI) / 180)) }
  const frames = [turned, ...others].map((each) => world.frame(each, AT_HUB))

  const { cameras } = solver().solve(world.problem(AT_HUB, { frames, heading: false }))

  const yawOff = cameras.map(({ offset }) => Math.abs(offset[2]))
  assert.ok((yawOff[0] as number) > 0.02, `${yawOff}`)
  assert.ok(
    yawOff.slice(1).every((off) => !(off > 0.02)),
    `${yawOff}`,
  )
})

/** Of solved poses of many worlds. */
function errorsOver(joint: JointSolver, worlds: number, cameras: number) {
  return Array.from({ length: worlds }, (_, n) => new World({ seed: 100 + n, cameras })).flatMap((world) =>
    Array.from({ length: 5 }, () => world.anyPose()).flatMap((truth) => {
      const { solved } = joint.solve(world.problem(truth))
      return solved ? [errorOf(solved.pose, truth)] : []
    }),
  )
}

function withSigma({ observation }: RoundFrame, sigmaPx: number) {
  const copy = observation.slice()
  for (let row = 0; row < tagCountOf(copy); row++) copy[tagAt(row) + OBSERVATION_TAG.indexOf('sigma_px')] = sigmaPx
  return copy
}

const deviationOf = ({ solved }: JointSolution): number => solved?.stdDevs[5] as number

function deviationsOver(joint: JointSolver, worlds: number, cameras: number) {
  return Array.from({ length: worlds }, (_, n) => new World({ seed: 300 + n, cameras })).flatMap((world) =>
    Array.from({ length: 5 }, () => world.anyPose()).flatMap((truth) => {
      const { solved } = joint.solve(world.problem(truth))
      if (!solved) return []
      const { x, y, yaw } = errorOf(solved.pose, truth)
      const by = (k: number) => Math.sqrt(solved.covariance[7 * k] as number)
      return [[x / by(0), y / by(1), yaw / by(5)]]
    }),
  )
}
