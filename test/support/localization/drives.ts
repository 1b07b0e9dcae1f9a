// Simulated drives: a robot on a field of a simulated world, its wheels, its gyro, and its cameras that run free. The
// same for the same seed.
import type { LocalizationConfig } from '../../../machines/localization/config.ts'
import {
  OBSERVATION_HEAD,
  OBSERVATION_TAG,
  type Observation,
  tagAt,
} from '../../../machines/localization/observation.ts'
import type { OdometrySample } from '../../../machines/localization/odometry.ts'
import {
  composePlanar,
  type Planar,
  planarBetween,
  poseOfPlanar,
  wrapAngle,
} from '../../../machines/localization/planar.ts'
import type { Pose } from '../../../machines/localization/pose.ts'
import type { RoundFrame } from '../../../machines/localization/round.ts'
import { Rounds } from '../../../machines/localization/rounds.ts'
import type { Solved } from '../../../machines/localization/solution.ts'
import { LocalizationSolver } from '../../../machines/localization/solve-rounds.ts'
import { type Chance, chance } from './chance.ts'
import { DEFAULT_CONFIG, type Faults, World } from './worlds.ts'

/** Between good and usual. */
export const DRIVE_FAULTS: Faults = { map_m: 0.006, map_deg: 0.35, mount_m: 0.0035, mount_deg: 0.2, lens_share: 0.002 }

export interface DriveOptions {
  readonly seed: number
  readonly seconds: number
  readonly cameras?: number
  readonly fps?: number
  readonly faults?: Faults
  /** The fastest, of the way and of the turn. */
  readonly speed_m_s?: number
  readonly turn_deg_s?: number
  /** The share of tags that something stands before, for a second each. */
  readonly hidden?: number
  /** Something pushes the robot by so much, each 14 s, and its wheels do not notice; metres. */
  readonly shove_m?: number
}

const START_US = 10_000_000
const SHOVE_EACH_S = 14
const SHOVE_TAKES_S = 0.2
const ODOMETRY_EACH_US = 20_000
const ODOMETRY_TAKES_US = 10_000
const INTEGRATED_EACH_US = 2_000
const ODOMETRY_SCALE = 1.02
const GYRO_DRIFT_DEG_A_MINUTE = 0.5
const LATENCIES_US = [20_000, 30_000, 40_000, 50_000]
const JITTER_US = 4_000
const RAD = Math.PI / 180

/** What comes at a moment. */
interface Arrival {
  readonly cameUs: number
  readonly frame?: RoundFrame
  readonly odometry?: OdometrySample
}

export class Drive {
  readonly world: World
  readonly startUs = START_US
  readonly endUs: number
  /** As they come. */
  readonly arrivals: readonly Arrival[]
  readonly #way: (seconds: number) => Planar
  readonly #shoves: readonly { readonly atS: number; readonly x: number; readonly y: number }[]

  constructor(options: DriveOptions) {
    const { seed, seconds, cameras = 4, fps = 30, faults = DRIVE_FAULTS, hidden = 0.35, shove_m = 0.2 } = options
    const some = chance(1_000 + seed)
    this.world = new World({ seed, cameras, faults })
    this.endUs = START_US + seconds * 1e6
    this.#way = wayOf(some, this.world.map, options)
    this.#shoves = Array.from({ length: Math.floor(seconds / SHOVE_EACH_S) }, (_, n) => {
      const direction = 2 * Math.PI * some.even()
      return { atS: (n + 0.8) * SHOVE_EACH_S, x: shove_m * Math.cos(direction), y: shove_m * Math.sin(direction) }
    })
    this.arrivals = [...this.#odometry(some), ...this.#frames(some, fps, hidden)].sort(
      (one, other) => one.cameUs - other.cameUs,
    )
  }

  truthAt(atUs: number): Planar {
    const seconds = (atUs - START_US) / 1e6
    const way = this.#way(seconds)
    const pushed = this.#shoves.map(({ atS, x, y }) => {
      const share = Math.max(0, Math.min(1, (seconds - atS) / SHOVE_TAKES_S))
      return { x: share * x, y: share * y }
    })
    const sum = (axis: 'x' | 'y') => pushed.reduce((all, each) => all + each[axis], way[axis])
    return { x: sum('x'), y: sum('y'), yaw: way.yaw }
  }

  /** Of any origin, and a gyro that began anywhere. */
  #odometry({ even }: Chance): readonly Arrival[] {
    const arrivals: Arrival[] = []
    let place: Planar = { x: 10 * even(), y: 10 * even(), yaw: 6 * even() }
    for (let atUs = START_US; atUs <= this.endUs; atUs += INTEGRATED_EACH_US) {
      if ((atUs - START_US) % ODOMETRY_EACH_US === 0)
        arrivals.push({ cameUs: atUs + ODOMETRY_TAKES_US, odometry: { atUs, ...place } })
      const step = planarBetween(this.#wayAt(atUs), this.#wayAt(atUs + INTEGRATED_EACH_US))
      const drift = (GYRO_DRIFT_DEG_A_MINUTE * RAD * INTEGRATED_EACH_US) / 60e6
      const driven = { x: ODOMETRY_SCALE * step.x, y: ODOMETRY_SCALE * step.y, yaw: step.yaw + drift }
      place = composePlanar(place, driven)
    }
    return arrivals
  }

  #wayAt(atUs: number): Planar {
    return this.#way((atUs - START_US) / 1e6)
  }

  #frames({ even }: Chance, fps: number, hidden: number): readonly Arrival[] {
    const frameUs = 1e6 / fps
    return this.world.cameras.flatMap((camera, n) => {
      const phaseUs = frameUs * even()
      const latencyUs = LATENCIES_US[n % LATENCIES_US.length] ?? 0
      return Array.from({ length: Math.floor((this.endUs - START_US) / frameUs) }, (_, k): Arrival => {
        const capturedUs = Math.round(START_US + phaseUs + k * frameUs)
        const second = Math.floor((capturedUs - START_US) / 1e6)
        const frame = this.world.frame(camera, poseOfPlanar(this.truthAt(capturedUs)), capturedUs)
        const isHidden = (id: number) => chance(7_919 * id + second + 104_729 * n).even() < hidden
        const observation = without(frame.observation, isHidden)
        return { cameUs: capturedUs + latencyUs + JITTER_US * even(), frame: { ...frame, observation } }
      })
    })
  }
}

/** Over most of the field, round and round, and looking about. */
const wayOf = (
  { even }: Chance,
  field: { readonly length_m: number; readonly width_m: number },
  { speed_m_s = 3.5, turn_deg_s = 120 }: DriveOptions,
): ((seconds: number) => Planar) => {
  const [alongX, alongY] = [0.4 * field.length_m, 0.35 * field.width_m]
  const [rateX, rateY] = [(0.8 * speed_m_s) / alongX, (0.6 * speed_m_s) / alongY]
  const [phaseX, phaseY, phaseYaw] = [6 * even(), 6 * even(), 6 * even()]
  const swing = 1.5
  const rateYaw = (turn_deg_s * RAD) / swing
  return (seconds) => ({
    x: field.length_m / 2 + alongX * Math.sin(rateX * seconds + phaseX),
    y: field.width_m / 2 + alongY * Math.sin(rateY * seconds + phaseY),
    yaw: phaseYaw + swing * Math.sin(rateYaw * seconds),
  })
}

/** The same frame, without some of its tags. */
const without = (observation: Observation, isHidden: (id: number) => boolean): Observation => {
  const size = OBSERVATION_TAG.length
  const id = OBSERVATION_TAG.indexOf('id')
  const rows = Array.from({ length: (observation.length - OBSERVATION_HEAD.length) / size }, (_, n) =>
    observation.subarray(tagAt(n), tagAt(n) + size),
  ).filter((row) => !isHidden(row[id] as number))
  const head = observation.slice(0, OBSERVATION_HEAD.length)
  head[OBSERVATION_HEAD.indexOf('tag_count')] = rows.length
  return Float64Array.from([...head, ...rows.flatMap((row) => [...row])])
}

export interface RunOptions {
  readonly config?: LocalizationConfig
  /** Whether the robot says its odometry. */
  readonly odometry?: boolean
  /** What is given in its place; undefined: nothing. */
  readonly changed?: (sample: OdometrySample) => OdometrySample | undefined
}

/** What was known at a moment. */
export interface Known {
  readonly atUs: number
  readonly truth: Planar
  readonly fused: Solved['fused']
}

export interface Run {
  readonly rounds: readonly Solved[]
  /** Each 20 ms, by what had come until then. */
  readonly known: readonly Known[]
  readonly solver: LocalizationSolver
}

const KNOWN_EACH_US = 20_000

/** So far apart that the one says nothing of the next. */
const STILL_EACH_US = 600_000

/** The whole way from frames and odometry, as they come, to what is published. */
export const runDrive = (drive: Drive, { config = DEFAULT_CONFIG, odometry = true, changed }: RunOptions = {}): Run => {
  const { world, arrivals, startUs } = drive
  const rounds = new Rounds({ waitUs: config.round_wait_ms * 1_000 })
  rounds.setStreams(world.cameras.map(({ streamId }) => streamId))
  const solver = new LocalizationSolver({ map: world.map, hash: 'x', config, revision: 1 })
  const solved: Solved[] = []
  const known: Known[] = []
  let knownUs = startUs + 1_000_000
  const passUntil = (nowUs: number) => {
    for (let dueUs = rounds.nextDueUs(); dueUs !== undefined && dueUs <= nowUs; dueUs = rounds.nextDueUs()) {
      const round = rounds.due(dueUs)
      if (round) solved.push(solver.solve(round))
    }
    for (; knownUs <= nowUs; knownUs += KNOWN_EACH_US)
      known.push({ atUs: knownUs, truth: drive.truthAt(knownUs), fused: solver.fusedAt(knownUs) })
  }
  for (const { cameUs, frame, odometry: said } of arrivals) {
    passUntil(cameUs)
    const sample = said && (changed ? changed(said) : said)
    if (sample && odometry) solver.odometry(sample)
    const round = frame && rounds.add(frame, cameUs)
    if (round) solved.push(solver.solve(round))
  }
  return { rounds: solved, known, solver }
}

/** How far a pose is off, and how far off it may be: metres and radians. */
export interface Off {
  readonly distance: number
  readonly yaw: number
  /** x, y and yaw, each in its own deviations. */
  readonly sigmas: readonly number[]
}

export const offOf = (pose: Pose, stdDevs: readonly [number, number, number], truth: Planar): Off => {
  const yaw = wrapAngle(2 * Math.atan2(pose.qz, pose.qw) - truth.yaw)
  const [x, y] = [pose.x - truth.x, pose.y - truth.y]
  const sigmas = [x, y, yaw].map((each, n) => Math.abs(each) / (stdDevs[n] as number))
  return { distance: Math.hypot(x, y), yaw: Math.abs(yaw), sigmas }
}

/** Of all moments at which something was fused. */
export const offOfFused = ({ known }: Run): readonly Off[] =>
  known.flatMap(({ fused, truth }) => (fused ? [offOf(fused.pose, fused.stdDevs, truth)] : []))

/** Of all rounds that may be given to the robot, at their own time. */
export const offOfRounds = (drive: Drive, { rounds }: Pick<Run, 'rounds'>): readonly Off[] =>
  rounds.flatMap(({ solved, isSure, capturedUs }) => {
    if (!solved || !isSure) return []
    const { stdDevs, pose } = solved
    return [offOf(pose, [stdDevs[0], stdDevs[1], stdDevs[5]], drive.truthAt(capturedUs))]
  })

/** The same way, but for each picture of the robot everything stands still, and all cameras look at once. */
export const offOfStill = (drive: Drive): readonly Off[] => {
  const { world, startUs, endUs } = drive
  const solver = new LocalizationSolver({ map: world.map, hash: 'x', config: DEFAULT_CONFIG, revision: 1 })
  const rounds: Solved[] = []
  for (let atUs = startUs; atUs < endUs; atUs += STILL_EACH_US)
    rounds.push(solver.solve({ frames: world.frames(poseOfPlanar(drive.truthAt(atUs)), atUs), capturedUs: atUs }))
  return offOfRounds(drive, { rounds })
}

/** The odometry alone, which begins where the robot is. */
export const offOfOdometry = (drive: Drive): readonly Off[] => {
  const samples = drive.arrivals.flatMap(({ odometry }) => (odometry ? [odometry] : []))
  const first = samples[0] as OdometrySample
  const start = drive.truthAt(first.atUs)
  return samples.map((sample) => {
    const place = composePlanar(start, planarBetween(first, sample))
    return offOf(poseOfPlanar(place), [1, 1, 1], drive.truthAt(sample.atUs))
  })
}

/** Centimetres: rms, median, 95 of 100, the largest. Degrees: the yaw's rms. Percent within 1, 2 and 3 deviations. */
export const figuresOf = (offs: readonly Off[]) => {
  const distances = offs.map(({ distance }) => 100 * distance).sort((one, other) => one - other)
  const part = (share: number) => distances[Math.floor((distances.length - 1) * share)] ?? Number.NaN
  const rms = (values: readonly number[]) =>
    Math.sqrt(values.reduce((sum, each) => sum + each * each, 0) / values.length)
  const sigmas = offs.flatMap((off) => off.sigmas)
  const within = (most: number) => (100 * sigmas.filter((each) => each <= most).length) / sigmas.length
  return {
    rms: rms(distances),
    p50: part(0.5),
    p95: part(0.95),
    max: part(1),
    yawRms: rms(offs.map(({ yaw }) => yaw / RAD)),
    within: [within(1), within(2), within(3)] as const,
  }
}
