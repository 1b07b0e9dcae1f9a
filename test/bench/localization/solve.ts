// How far the joint solve is off in simulated worlds, what its deviations are worth, and what it takes of a processor.
// Faults of map, mounts and lenses are new in each world; the map has the tags of 2026, and nothing hides them.
import { factorise } from '../../../machines/localization/arrays.ts'
import type { LocalizationConfig } from '../../../machines/localization/config.ts'
import type { JointSolution } from '../../../machines/localization/joint-solution.ts'
import { JointSolver } from '../../../machines/localization/joint-solve.ts'
import { tagCountOf } from '../../../machines/localization/observation.ts'
import type { RoundFrame, RoundProblem } from '../../../machines/localization/round.ts'
import { chance } from '../../support/localization/chance.ts'
import { DEFAULT_CONFIG, errorOf, solveMap2026, World } from '../../support/localization/worlds.ts'
import type { Measurement } from '../lab/lab.ts'
import { median, quantile, type Row, spread } from '../lab/row.ts'

const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8]
const WORLDS = 50 // of each seed
const POSES = 6 // in each world
const FAR_M = 0.3
const WITHIN = [68.3, 95.4, 99.7] as const
const AXES = ['x', 'y', 'yaw'] as const

/** Errors of one seed: metres and radians, and each of x, y, yaw by its deviation. */
interface Found {
  readonly distances: readonly number[]
  readonly yaws: readonly number[]
  readonly ratios: readonly (readonly [number, number, number])[]
  /** Rounds in which tags were seen. */
  readonly rounds: number
}

export const localizationSolve: Measurement = async (lab) => {
  const solve = (how: Omit<How, 'seed'>) => SEEDS.map((seed) => solveAll({ seed, ...how }))
  const four = solve({ cameras: 4, heading: true })
  const fourAlone = solve({ cameras: 4, heading: false, chosen: best, config: CORNERS_ALONE })
  const fourOne = solve({ cameras: 4, heading: true, chosen: best })
  lab.say('four cameras are solved')
  const two = solve({ cameras: 2, heading: false })
  const twoAlone = solve({ cameras: 2, heading: false, chosen: best, config: CORNERS_ALONE })
  lab.say('two cameras are solved')
  return [
    ...distances('four cameras, heading given', four, [2.5, 10, 0.3]),
    {
      ...over('four cameras against the one of them with most tags, by its corners alone: p50', four, (found, n) => {
        return quantile(found.distances, 0.5) / quantile((fourAlone[n] as Found).distances, 0.5)
      }),
      unit: '',
      figure: { atMost: 0.5 },
    },
    ...distances('the one of four with most tags, by its corners alone', fourAlone),
    ...distances('the same by the joint solve, heading given', fourOne),
    ...distances('two cameras, no heading', two, [5]),
    {
      ...over('two cameras against the one of them with most tags, by its corners alone: p50', two, (found, n) => {
        return quantile(found.distances, 0.5) / quantile((twoAlone[n] as Found).distances, 0.5)
      }),
      unit: '',
      figure: { atMost: 1 },
    },
    ...coverage('four cameras, heading given', four),
    ...coverage('two cameras, no heading', two),
    ...coverage('one camera, no heading', solve({ cameras: 1, heading: false })),
    ...[0.05, 0.15, 0.4].flatMap(displaced),
    ...processorTime(),
  ]
}

/** Of the cameras, the one that sees most. */
const best = (frames: readonly RoundFrame[]): readonly RoundFrame[] =>
  [...frames].sort((a, b) => tagCountOf(b.observation) - tagCountOf(a.observation)).slice(0, 1)

/** As a camera's own table has its pose: only the corners' noise counts, and the robot may be anywhere. */
const CORNERS_ALONE: LocalizationConfig = {
  ...DEFAULT_CONFIG,
  priors: { z_std_m: 10, tilt_std_deg: 45 },
  errors: { map_m: 1e-4, map_deg: 1e-3, mount_m: 1e-4, mount_deg: 1e-3, lens_share: 1e-5 },
  gate: { ...DEFAULT_CONFIG.gate, tag_chi2: Number.MAX_VALUE },
}

interface How {
  readonly seed: number
  readonly cameras: number
  readonly heading: boolean
  readonly chosen?: (frames: readonly RoundFrame[]) => readonly RoundFrame[]
  readonly config?: LocalizationConfig
}

const solveAll = ({ seed, cameras, heading, chosen = (all) => all, config = DEFAULT_CONFIG }: How): Found => {
  const solver = new JointSolver({ map: solveMap2026, config })
  const solved = Array.from({ length: WORLDS }, (_, n) => new World({ seed: 10_000 * seed + n, cameras })).flatMap(
    (world) =>
      Array.from({ length: POSES }, () => {
        const truth = world.anyPose()
        const frames = chosen(world.frames(truth))
        return { truth, solution: solver.solve(world.problem(truth, { heading, frames })) }
      }),
  )
  const seen = solved.filter(({ solution: { tags } }) => tags.length > 0)
  const errors = seen.flatMap(({ truth, solution }) => {
    if (!solution.solved) return []
    const { x, y, yaw, distance } = errorOf(solution.solved.pose, truth)
    const [byX, byY, , , , byYaw] = solution.solved.stdDevs
    return [{ distance, yaw: Math.abs(yaw), ratios: [x / byX, y / byY, yaw / byYaw] as const }]
  })
  return {
    distances: errors.map(({ distance }) => distance),
    yaws: errors.map(({ yaw }) => yaw),
    ratios: errors.map(({ ratios }) => ratios),
    rounds: seen.length,
  }
}

const newSolver = () => new JointSolver({ map: solveMap2026, config: DEFAULT_CONFIG })

/** The median of the seeds, and their spread. */
const over = (what: string, all: readonly Found[], of: (found: Found, n: number) => number): Row => ({
  what,
  unit: 'cm',
  ...spread(all.map(of)),
  from: `${all.reduce((sum, { rounds }) => sum + rounds, 0)} rounds, ${all.length} seeds`,
})

const distances = (what: string, all: readonly Found[], figures: readonly number[] = []): readonly Row[] => {
  const figure = (n: number) => (figures[n] === undefined ? {} : { figure: { atMost: figures[n] as number } })
  const share = (found: Found, of: number) => (100 * of) / found.rounds
  const far = ({ distances: each }: Found) => each.filter((distance) => distance > FAR_M).length
  const total = (of: (found: Found) => number) => all.reduce((sum, found) => sum + of(found), 0)
  const shareOfAll = (of: (found: Found) => number) => (100 * total(of)) / total(({ rounds }) => rounds)
  const none = ({ rounds, distances: each }: Found) => rounds - each.length
  return [
    { ...over(`${what}: distance, p50`, all, (found) => 100 * quantile(found.distances, 0.5)), ...figure(0) },
    { ...over(`${what}: distance, p95`, all, (found) => 100 * quantile(found.distances, 0.95)), ...figure(1) },
    {
      ...over(`${what}: more than 30 cm off`, all, (found) => share(found, far(found))),
      unit: '%',
      measured: shareOfAll(far),
      ...figure(2),
    },
    {
      ...over(`${what}: rounds without a pose`, all, (found) => share(found, none(found))),
      unit: '%',
      measured: shareOfAll(none),
    },
    { ...over(`${what}: yaw, p50`, all, (found) => degrees(quantile(found.yaws, 0.5))), unit: 'degrees' },
  ]
}

const degrees = (radians: number): number => (180 * radians) / Math.PI

/** How far the share within one, two and three deviations is from what it should be. */
const coverage = (what: string, all: readonly Found[]): readonly Row[] =>
  AXES.flatMap((axis, k) =>
    WITHIN.map((wanted, n) => {
      const share = (ratios: Found['ratios']) =>
        (100 * ratios.filter((ratio) => Math.abs(ratio[k] as number) <= n + 1).length) / ratios.length
      const whole = share(all.flatMap(({ ratios }) => ratios))
      const each = all.map(({ ratios }) => share(ratios))
      return {
        what: `${what}: share of ${axis} within ${n + 1} deviation${n === 0 ? '' : 's'}, from ${wanted}`,
        unit: 'points',
        figure: { atMost: 3 },
        measured: Math.abs(whole - wanted),
        low: Math.min(...each) - wanted,
        high: Math.max(...each) - wanted,
        from: `${all.reduce((sum, { ratios }) => sum + ratios.length, 0)} poses: ${whole.toFixed(1)} %`,
      }
    }),
  )

/** One of at least three tags in view hangs elsewhere: how often it is found, and what it does to the pose. */
const displaced = (metres: number): readonly Row[] => {
  const solver = newSolver()
  const rounds = Array.from({ length: 1200 }, (_, n) => {
    const seed = 200_000 + n
    const { even, normal } = chance(seed)
    const intact = new World({ seed })
    const ids = idsOf(intact.problem(intact.anyPose()))
    if (ids.length < 3) return undefined
    const id = ids[Math.floor(even() * ids.length)] as number
    const way = [normal(), normal(), normal()] as const
    const scale = metres / Math.hypot(...way)
    const world = new World({ seed, displaced: { [id]: [way[0] * scale, way[1] * scale, way[2] * scale] } })
    const truth = world.anyPose()
    return { id, truth, solution: solver.solve(world.problem(truth)) }
  }).filter((round) => round !== undefined)
  const isOut = ({ tags }: JointSolution, id: number) =>
    tags.some((tag) => tag.id === id && tag.reason === 'inconsistent')
  const found = rounds.filter(({ id, solution }) => isOut(solution, id)).length
  const wrong = rounds.filter(({ id, solution: { tags } }) =>
    tags.some((tag) => tag.id !== id && tag.reason === 'inconsistent'),
  ).length
  const off = rounds.flatMap(({ truth, solution: { solved } }) =>
    solved ? [100 * errorOf(solved.pose, truth).distance] : [],
  )
  const what = `four cameras, a tag hangs ${100 * metres} cm elsewhere`
  const row = (name: string, unit: string, measured: number): Row => ({
    what: `${what}: ${name}`,
    unit,
    ...spread([measured]),
    from: `${rounds.length} rounds`,
  })
  return [
    row('distance, p50', 'cm', quantile(off, 0.5)),
    row('distance, p95', 'cm', quantile(off, 0.95)),
    row('it is left out', '%', (100 * found) / rounds.length),
    row('another is', '%', (100 * wrong) / rounds.length),
  ]
}

const idsOf = ({ round: { frames } }: RoundProblem): readonly number[] => {
  const empty = newSolver().solve({ round: { frames, capturedUs: 0 }, motions: [], predicted: undefined, ...UNKNOWN })
  return [...new Set(empty.tags.map(({ id }) => id))]
}

const UNKNOWN = { heading: undefined, moves: false } as const

const TURNS = 15
const SIZE = 100 // a matrix of that size takes about as long to factorise

const processorTime = (): readonly Row[] => {
  const solver = newSolver()
  const problems = eightTags()
  const matrix = Float64Array.from({ length: SIZE * SIZE }, (_, n) => (n % (SIZE + 1) === 0 ? SIZE : 1 / (1 + (n % 7))))
  const copy = matrix.slice()
  const yardstick = () => {
    copy.set(matrix)
    factorise(copy, SIZE)
  }
  const turns = Array.from({ length: TURNS + 2 }, () => ({
    solve: cpuUs(problems.length, (n) => solver.solve(problems[n] as RoundProblem)),
    bare: cpuUs(problems.length, yardstick),
  })).slice(2)
  const from = `${TURNS} turns of ${problems.length} rounds of 4 cameras and 8 tags, predicted to 1 cm`
  const rounds = turns.map(({ solve }) => solve)
  return [
    { what: 'CPU of a solve', unit: 'us', figure: { atMost: 500 }, ...spread(rounds), from },
    {
      what: 'the same, 60 rounds a second',
      unit: '% of a core',
      figure: { atMost: 3 },
      ...spread(rounds.map(share60)),
      from,
    },
    {
      what: `CPU of a solve against a Cholesky factor of ${SIZE} x ${SIZE} numbers in JavaScript`,
      unit: '',
      ...spread(turns.map(({ solve, bare }) => solve / bare)),
      from: `${from}; the factor ${median(turns.map(({ bare }) => bare)).toFixed(0)} us`,
    },
  ]
}

const share60 = (us: number): number => (60 * us) / 1e4

const cpuUs = (count: number, work: (n: number) => void): number => {
  const before = process.cpuUsage()
  for (let n = 0; n < count; n++) work(n)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / count
}

/** Rounds in which each of four cameras sees something, eight tags in all. */
const eightTags = (): readonly RoundProblem[] => {
  const problems: RoundProblem[] = []
  for (let seed = 300_000; problems.length < 400; seed++) {
    const world = new World({ seed })
    for (let n = 0; n < POSES; n++) {
      const truth = world.anyPose()
      const frames = world.frames(truth)
      const counts = frames.map(({ observation }) => tagCountOf(observation))
      if (counts.includes(0) || counts.reduce((sum, count) => sum + count, 0) !== 8) continue
      const predicted = { ...truth, x: truth.x + 0.01, y: truth.y - 0.01 }
      problems.push({ ...world.problem(truth, { frames }), predicted, predictedStd: [0.05, 0.05, 0.02] })
    }
  }
  return problems
}
