// From rounds, and what the robot says, to what is published.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LocalizationConfig } from '../../../machines/localization/config.ts'
import type { ExternalMeasurement } from '../../../machines/localization/external/output-slot.ts'
import { Measurements } from '../../../machines/localization/measurements.ts'
import { poseOfPlanar, wrapAngle } from '../../../machines/localization/planar.ts'
import { identityPose, type Pose } from '../../../machines/localization/pose.ts'
import { Rounds } from '../../../machines/localization/rounds.ts'
import type { Solved } from '../../../machines/localization/solution.ts'
import { LocalizationSolver } from '../../../machines/localization/solve-rounds.ts'
import { chance } from '../../support/localization/chance.ts'
import { Drive, offOfRounds, runDrive } from '../../support/localization/drives.ts'
import { DEFAULT_CONFIG, USUAL_FAULTS, World } from '../../support/localization/worlds.ts'

const MS = 1_000
const DEG = Math.PI / 180

const solverOf = (world: World, config: LocalizationConfig = DEFAULT_CONFIG): LocalizationSolver =>
  new LocalizationSolver({ map: world.map, hash: 'f00d', config, revision: 7 })

/** Looks 30 times a second at a robot that stands, from 1 s on; `before`: each time, before it is solved. */
const lookAt = (
  { world, solver, robot }: { readonly world: World; readonly solver: LocalizationSolver; readonly robot: Pose },
  seconds: number,
  before: (atUs: number) => void = () => {},
): readonly Solved[] =>
  Array.from({ length: Math.round(30 * seconds) }, (_, n) => {
    const atUs = 1_000_000 + Math.round((n * 1e6) / 30)
    before(atUs)
    return solver.solve({ frames: world.frames(robot, atUs), capturedUs: atUs })
  })

const robot = poseOfPlanar({ x: 6, y: 3, yaw: 20 * DEG })

test('each round is numbered and says by which map and config it was solved', () => {
  const world = new World({ seed: 1 })

  const [first, second] = lookAt({ world, solver: solverOf(world), robot }, 0.1)

  assert.deepEqual([first?.round, second?.round, second?.capturedUs], [1, 2, 1_033_333])
  assert.deepEqual([first?.map, first?.revision], [{ id: world.map.id, hash: 'f00d' }, 7])
  assert.ok(first?.isSure && first.solved)
  assert.deepEqual([first.heading.said, first.heading.offset, first.heading.used], [Number.NaN, Number.NaN, false])
  assert.equal(first.fused, undefined)
})

test('a heading that is 30 degrees off is learnt, used from then on, and told', () => {
  const world = new World({ seed: 2 })
  const solver = solverOf(world)
  const say = (atUs: number) => solver.heading(-10 * DEG, atUs - 20 * MS)

  const rounds = lookAt({ world, solver, robot }, 3, say)

  assert.ok(rounds.slice(0, 1).every(({ heading }) => !heading.used))
  const last = rounds.at(-1)
  assert.ok(last?.heading.used)
  assert.ok(Math.abs(wrapAngle(last.heading.offset - 30 * DEG)) < 0.6 * DEG, `${last.heading.offset / DEG}`)
  assert.ok(rounds.every(({ solved }) => solved && Math.hypot(solved.pose.x - 6, solved.pose.y - 3) < 0.1))
  assert.match(solver.headingWarningAt(last.capturedUs) ?? '', /^the robot's heading is (29|30)\.\d degrees off/)
})

test('the yaw of odometry is a heading where none is said, and another one where one is', () => {
  const world = new World({ seed: 3 })
  const solver = solverOf(world)
  const drive = (atUs: number) => solver.odometry({ atUs: atUs - 5 * MS, x: 0, y: 0, yaw: 1 })
  const both = (atUs: number) => {
    drive(atUs)
    solver.heading(2, atUs)
  }

  const driven = lookAt({ world, solver, robot }, 1, drive).at(-1)
  const said = lookAt({ world, solver, robot }, 1.5, (atUs) => both(atUs + 1_000_000)).at(-1)

  assert.equal(driven?.heading.said, 1)
  assert.ok(driven?.heading.used)
  assert.equal(said?.heading.said, 2)
})

test('with odometry the place is fused; where the config wants none, it is not', () => {
  const world = new World({ seed: 4 })
  const fused = (config: LocalizationConfig) => {
    const solver = solverOf(world, config)
    const say = (atUs: number) => solver.odometry({ atUs: atUs - 5 * MS, x: 3, y: 3, yaw: 0 })
    return { last: lookAt({ world, solver, robot }, 1, say).at(-1), solver }
  }

  const { last, solver } = fused(DEFAULT_CONFIG)
  assert.ok(last?.fused && Math.hypot(last.fused.pose.x - 6, last.fused.pose.y - 3) < 0.1)
  assert.ok(last.fused.stdDevs[0] >= 0.005 && last.fused.stdDevs[2] >= 0.1 * DEG)
  assert.ok(solver.fusedAt(last.capturedUs + 150 * MS))
  assert.equal(solver.fusedAt(last.capturedUs + 250 * MS), undefined)
  assert.equal(fused({ ...DEFAULT_CONFIG, odometry: { source: 'none' } }).last?.fused, undefined)
})

test('a robot that is carried elsewhere is not believed for three rounds, and then it is there', () => {
  const world = new World({ seed: 5 })
  const solver = solverOf(world)
  const say = (atUs: number) => solver.odometry({ atUs: atUs - 5 * MS, x: 3, y: 3, yaw: 0 })
  lookAt({ world, solver, robot }, 1, say)
  const elsewhere = poseOfPlanar({ x: 10, y: 5, yaw: 100 * DEG })

  const rounds = Array.from({ length: 5 }, (_, n) => {
    const atUs = 2_000_000 + n * 33 * MS
    say(atUs)
    return solver.solve({ frames: world.frames(elsewhere, atUs), capturedUs: atUs })
  })

  assert.deepEqual(
    rounds.map(({ isSure }) => isSure),
    [false, false, false, true, true],
  )
  assert.ok(rounds[0]?.tags.every(({ used }) => !used))
  assert.ok(rounds[0]?.tags.some(({ reason }) => reason === 'against_prediction'))
  const fused = rounds.at(-1)?.fused
  assert.ok(fused && Math.hypot(fused.pose.x - 10, fused.pose.y - 5) < 0.2)
})

test('a round without any tag has no pose, and what is known goes on', () => {
  const world = new World({ seed: 6 })
  const solver = solverOf(world)
  const say = (atUs: number) => solver.odometry({ atUs: atUs - 5 * MS, x: 3, y: 3, yaw: 0 })
  lookAt({ world, solver, robot }, 1, say)
  const away = poseOfPlanar({ x: -40, y: -40, yaw: Math.PI })

  const empty = solver.solve({ frames: world.frames(away, 2_000_000), capturedUs: 2_000_000 })

  assert.deepEqual([empty.solved, empty.isSure, empty.tags], [undefined, false, []])
  assert.ok(empty.fused && Math.hypot(empty.fused.pose.x - 6, empty.fused.pose.y - 3) < 0.1)
})

test('deviations are true while the robot drives fast, by its own speed and by odometry', () => {
  for (const odometry of [false, true]) {
    const offs = Array.from({ length: 60 }, (_, n) => {
      const fast = { faults: USUAL_FAULTS, speed_m_s: 3, turn_deg_s: 180, hidden: 0, shove_m: 0 }
      const drive = new Drive({ seed: 1 + n, seconds: 1.2, ...fast })
      return offOfRounds(drive, runDrive(drive, { odometry }))
    }).flat()

    for (const axis of [0, 1, 2]) {
      const share = (within: number) =>
        offs.filter(({ sigmas }) => (sigmas[axis] as number) < within).length / offs.length
      const say = `axis ${axis}, odometry ${odometry}: ${[1, 2, 3].map(share)}`
      // rounds of one drive are off alike: each counts as one
      assert.ok(share(1) > 0.62, say)
      assert.ok(share(2) > 0.93, say)
      assert.ok(share(3) > 0.985, say)
    }
  }
})

test('shuffled, delayed by up to 80 ms, and with a camera that dies: in order, none twice, no NaN', () => {
  for (const seed of [1, 2, 3]) {
    const { even } = chance(seed)
    const drive = new Drive({ seed, seconds: 8, faults: USUAL_FAULTS })
    const dies = drive.startUs + 4_000_000
    const frames = drive.arrivals
      .flatMap(({ frame, cameUs }) => (frame ? [{ frame, cameUs: cameUs + 80 * MS * even() }] : []))
      .filter(({ frame: { streamId, capturedUs } }) => streamId !== 'camera-1' || capturedUs < dies)
      .sort((one, other) => one.cameUs - other.cameUs)
    const rounds = new Rounds({ waitUs: 40 * MS })
    rounds.setStreams(drive.world.cameras.map(({ streamId }) => streamId))
    const solver = solverOf(drive.world)

    const solved = frames.flatMap(({ frame, cameUs }) => {
      const due = rounds.due(cameUs)
      const ended = rounds.add(frame, cameUs)
      return [due, ended].flatMap((round) => (round ? [solver.solve(round)] : []))
    })

    const sure = solved.filter(({ isSure }) => isSure)
    assert.ok(sure.length > 150, `${sure.length} poses`)
    assert.ok(solved.every(({ capturedUs }, n) => n === 0 || capturedUs > (solved[n - 1]?.capturedUs ?? 0)))
    for (const { solved: pose } of sure) {
      assert.ok(pose && Object.values(pose.pose).every(Number.isFinite))
      assert.ok(pose.stdDevs.every((each) => each > 0 && Number.isFinite(each)))
    }
    const off = sure.map(({ solved: pose, capturedUs }) => {
      const truth = drive.truthAt(capturedUs)
      return Math.hypot((pose?.pose.x ?? 99) - truth.x, (pose?.pose.y ?? 99) - truth.y)
    })
    const median = off.sort((one, other) => one - other)[Math.floor(off.length / 2)] ?? 99
    assert.ok(median < 0.04, `${median} m`)
  }
})

test('what comes of a drive is the same each time', () => {
  const drive = new Drive({ seed: 9, seconds: 3 })

  const [one, other] = [runDrive(drive), runDrive(drive)]

  assert.deepEqual(one.rounds, other.rounds)
})

const placeAt = (
  capturedUs: number,
  { kind = 'absolute', pose = robot, resetCounter = 0 }: Partial<ExternalMeasurement> = {},
): ExternalMeasurement => ({
  sourceId: 'quest',
  outputKey: 'pose',
  kind,
  capturedUs,
  pose,
  std: [0.005, 0.005, 0.005, 0.01, 0.01, 0.01],
  resetCounter,
})

test('a place that another program has measured counts once, in the round that comes after it', () => {
  const world = new World({ seed: 6, faults: USUAL_FAULTS })
  const beside = { ...robot, x: robot.x + 0.03 }
  const solver = solverOf(world)
  const sayOnce = (atUs: number) => {
    if (atUs === 1_100_000) solver.measured(placeAt(atUs - 5 * MS, { pose: beside }))
    if (atUs === 1_200_000) solver.measured(placeAt(atUs + 5 * MS, { pose: beside }))
  }

  const alone = lookAt({ world: new World({ seed: 6, faults: USUAL_FAULTS }), solver: solverOf(world), robot }, 0.4)
  const joined = lookAt({ world, solver, robot }, 0.4, sayOnce)

  const moved = joined.map(({ solved }, n) => (solved?.pose.x ?? 0) - (alone[n]?.solved?.pose.x ?? 0) > 0.001)
  assert.deepEqual(
    moved.flatMap((isMoved, n) => (isMoved ? [n] : [])),
    [3, 7],
  )
})

test('a place from long before a round, or that cannot be moved to its time, is left out', () => {
  const measurements = new Measurements()

  measurements.add(placeAt(1_000_000))

  assert.deepEqual(
    measurements.takeFor(1_400_000, () => identityPose),
    [],
  )
  measurements.add(placeAt(1_300_000))
  assert.deepEqual(
    measurements.takeFor(1_400_000, () => undefined),
    [],
  )
  measurements.add(placeAt(1_390_000))
  const [moved] = measurements.takeFor(1_400_000, () => ({ ...identityPose, x: 1 }))
  assert.ok(moved && Math.hypot(moved.pose.x - 6 - Math.cos(20 * DEG), moved.pose.y - 3 - Math.sin(20 * DEG)) < 1e-9)
})

test('a relative source stands for odometry while the robot says none, and jumps with its resets', () => {
  const world = new World({ seed: 7 })
  const solver = solverOf(world)
  const say = (atUs: number) =>
    solver.measured(placeAt(atUs - 5 * MS, { kind: 'relative', pose: poseOfPlanar({ x: 100, y: 50, yaw: 1 }) }))
  const jump = (atUs: number) =>
    solver.measured(
      placeAt(atUs - 5 * MS, { kind: 'relative', pose: poseOfPlanar({ x: 100.4, y: 50, yaw: 1 }), resetCounter: 1 }),
    )

  const before = lookAt({ world, solver, robot }, 0.5, say).at(-1)
  const rounds = Array.from({ length: 15 }, (_, n) => {
    const atUs = 1_500_000 + Math.round((n * 1e6) / 30)
    jump(atUs)
    return solver.solve({ frames: world.frames(robot, atUs), capturedUs: atUs })
  })

  assert.ok(before?.fused, 'its motion is followed')
  assert.ok(rounds.every(({ isSure }) => isSure))
  const fused = rounds.at(-1)?.fused
  assert.ok(fused && Math.hypot(fused.pose.x - 6, fused.pose.y - 3) < 0.1, JSON.stringify(fused))
})
