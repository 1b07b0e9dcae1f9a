// From a round of frames to what is known by it. Everything that a round is solved by comes together here: motions,
// heading, what was known before, and the filter that says whether the answer is believed.
import { exposureUsOf } from './blur.ts'
import type { LocalizationConfig } from './config.ts'
import type { ExternalMeasurement } from './external/output-slot.ts'
import type { FieldMap } from './field-map.ts'
import { PoseFilter, type Verdict } from './filter.ts'
import { HeadingOffset, MAX_SEEN_STD } from './heading-offset.ts'
import type { JointSolution } from './joint-solution.ts'
import { JointSolver } from './joint-solve.ts'
import { Measurements } from './measurements.ts'
import { Motion } from './motion.ts'
import { MAX_ODOMETRY_AGE_US, type OdometrySample } from './odometry.ts'
import { planarOf, poseOfPlanar } from './planar.ts'
import { addCovariance, deviationsOf, planarPart } from './planar-covariance.ts'
import { identityPose, type Pose } from './pose.ts'
import { type LastPose, predict } from './prediction.ts'
import type { Round } from './round.ts'
import type { HeadingFrom, Solved, SolvedHeading, SolvedPose, SolvedTag } from './solution.ts'
import { solveMapOf } from './solve-map.ts'

/** By what is solved; with another of these the past says nothing. */
export interface SolvedBy {
  readonly map: FieldMap
  /** Of the map's content. */
  readonly hash: string
  readonly config: LocalizationConfig
  /** Of the config. */
  readonly revision: number
}

/** A robot that says its heading by itself is believed before its odometry for so long. */
const HEADING_KEPT_US = 1_000_000

/** The kernel stamps an IMU's samples, and the engine the middle of an exposure. */
const INERTIAL_TIME_STD_S = 0.001

/** The next round may see other tags: so much of what maps and mounts are off, in variance, is noise to the speed. */
const CHANGING_SHARE = 0.2

/** As of what is solved: maps and mounts are no better. */
const MIN_STD_M = 0.005
const MIN_STD_RAD = (0.1 * Math.PI) / 180

/** Solves rounds, one after the other, with what the robot has said until then. */
export class LocalizationSolver {
  readonly #by: SolvedBy
  readonly #solver: JointSolver
  readonly #motion = new Motion()
  readonly #offset: HeadingOffset
  readonly #filter: PoseFilter
  readonly #measurements = new Measurements()
  #headingUs = Number.NEGATIVE_INFINITY
  /** When the robot last said a yaw in any way. */
  #saidUs = Number.NEGATIVE_INFINITY
  /** Whose heading it is. */
  #headingFrom: HeadingFrom | undefined
  /** When the robot last said its odometry. */
  #drivenUs = Number.NEGATIVE_INFINITY
  /** The relative source whose motion is followed, and since which of its resets; undefined: the robot's. */
  #followed: string | undefined
  #last: LastPose | undefined
  #round = 0

  constructor(by: SolvedBy) {
    const { map, config } = by
    this.#by = by
    this.#solver = new JointSolver({ map: solveMapOf(map), config })
    this.#offset = new HeadingOffset(config.heading)
    this.#filter = new PoseFilter({ log: this.#motion.log, maxChi2: config.gate.fused_chi2 })
  }

  /** The robot's heading as it says it, radians, of any origin. */
  heading(yaw: number, atUs: number): void {
    if (this.#headingUs < atUs - HEADING_KEPT_US) this.#offset.clear()
    this.#headingUs = Math.max(this.#headingUs, atUs)
    this.#saidUs = Math.max(this.#saidUs, atUs)
    this.#headingFrom = 'robot'
    this.#offset.add({ atUs, yaw, rate: 0 })
  }

  /**
   * What the device's IMU says, radians, of any origin. It counts while the robot says nothing. runaway: how far its
   * bias may be off, radians a second.
   */
  inertial(yaw: number, atUs: number, runaway: number): void {
    if (atUs - this.#saidUs <= HEADING_KEPT_US) return
    if (this.#headingFrom !== 'imu') this.#offset.clear()
    this.#headingFrom = 'imu'
    this.#offset.addInertial({ atUs, yaw, rate: 0, timeStdS: INERTIAL_TIME_STD_S }, runaway)
  }

  /** What it says of its motion. Its yaw is a heading as well, where it says no other. */
  odometry(sample: OdometrySample): void {
    if (this.#by.config.odometry.source === 'none') return
    this.#drivenUs = sample.atUs
    this.#follow(undefined)
    this.#moveBy(sample)
  }

  /**
   * What another program has measured. A place on the field counts in one round; motion of a relative source stands for
   * odometry while the robot says none, of one source at a time.
   */
  measured(measurement: ExternalMeasurement): void {
    if (measurement.kind === 'relative') this.#moveByOther(measurement)
    else this.#measurements.add(measurement)
  }

  #moveByOther({ capturedUs: atUs, pose, sourceId, outputKey, resetCounter }: ExternalMeasurement): void {
    if (this.#by.config.odometry.source === 'none' || atUs - this.#drivenUs <= MAX_ODOMETRY_AGE_US) return
    const followed = `${sourceId} ${outputKey} ${resetCounter}`
    const isOther = this.#followed?.startsWith(`${sourceId} ${outputKey} `) === false
    if (isOther && atUs - (this.#motion.log.newestUs ?? 0) <= MAX_ODOMETRY_AGE_US) return
    this.#follow(followed)
    this.#moveBy({ atUs, ...planarOf(pose) })
  }

  /** Another origin: between the two there is no motion, and what was learnt of the one's yaw says nothing. */
  #follow(source: string | undefined): void {
    if (source === this.#followed) return
    this.#followed = source
    this.#motion.log.clear()
    if (this.#headingUs === Number.NEGATIVE_INFINITY && this.#headingFrom !== 'imu') this.#offset.clear()
  }

  #moveBy(sample: OdometrySample): void {
    this.#motion.odometry(sample)
    if (Math.abs(sample.atUs - this.#headingUs) <= HEADING_KEPT_US) return
    if (this.#headingUs > Number.NEGATIVE_INFINITY || this.#headingFrom === 'imu') this.#offset.clear()
    this.#headingUs = Number.NEGATIVE_INFINITY
    this.#saidUs = Math.max(this.#saidUs, sample.atUs)
    this.#headingFrom = 'odometry'
    this.#offset.add({ atUs: sample.atUs, yaw: sample.yaw, rate: 0 })
  }

  /** Rounds come in the order of their exposure. */
  solve(round: Round): Solved {
    const atUs = round.capturedUs
    const predicted = predict(atUs, { filter: this.#filter, motion: this.#motion, last: this.#last })
    const motions = round.frames.map(({ capturedUs }) => this.#motion.between(atUs, capturedUs) ?? identityPose)
    const motionStds = round.frames.map(({ capturedUs }) => this.#motion.deviations(atUs, capturedUs))
    const solution = this.#solver.solve({
      round,
      motions,
      motionStds,
      exposed: round.frames.map(({ capturedUs, observation }) =>
        this.#motion.during(capturedUs, exposureUsOf(observation)),
      ),
      predicted: predicted?.pose,
      ...(predicted && { predictedStd: predicted.std }),
      heading: this.#offset.priorAt(atUs),
      measured: this.#measurements.takeFor(atUs, (from, to) => this.#stepBetween(from, to)),
      moves: this.#motion.moves(atUs),
    })
    const isSure = solution.solved !== undefined && solution.solved.stdXyM <= this.#by.config.gate.max_std_m
    const verdict = isSure ? this.#take(solution.solved, atUs, seenAt(solution, atUs)) : undefined
    const isBelieved = isSure && verdict !== 'refused'
    if (solution.solved && solution.freeYaw) this.#offset.seen(solution.freeYaw.yaw, solution.freeYaw.std, atUs)
    this.#round += 1
    return {
      round: this.#round,
      capturedUs: atUs,
      solved: solution.solved,
      isSure: isBelieved,
      tags: verdict === 'refused' ? solution.tags.map(contradicted) : solution.tags,
      cameras: solution.cameras,
      heading: this.#headingOf(solution, atUs),
      fused: this.fusedAt(atUs),
      map: { id: this.#by.map.id, hash: this.#by.hash },
      revision: this.#by.revision,
      motions,
      motionStds,
      cpuUs: 0,
    }
  }

  /** Where the robot is then by rounds and odometry, level on the floor; undefined: no odometry comes. */
  fusedAt(atUs: number): Solved['fused'] {
    const estimate = this.#filter.at(atUs)
    if (!estimate) return undefined
    const [x, y, yaw] = deviationsOf(estimate.covariance)
    return {
      pose: poseOfPlanar(estimate.place),
      stdDevs: [Math.max(MIN_STD_M, x), Math.max(MIN_STD_M, y), Math.max(MIN_STD_RAD, yaw)],
    }
  }

  /** A sentence, when the robot's heading has been off what the tags show for a while. */
  headingWarningAt(atUs: number): string | undefined {
    return this.#offset.warningAt(atUs)
  }

  /** Whether the filter believes it; it is one only where odometry comes. */
  #take(solved: SolvedPose, atUs: number, seenUs: number): Verdict | undefined {
    const pixelCovariance = planarPart(solved.pixelCovariance)
    const covariance = planarPart(solved.covariance)
    const verdict = this.#motion.log.at(atUs)
      ? this.#filter.measure({ atUs, place: planarOf(solved.pose), covariance, pixelCovariance })
      : undefined
    if (verdict === 'refused') return verdict
    this.#last = { pose: solved.pose, atUs, std: deviationsOf(covariance) }
    const noise = deviationsOf(addCovariance(pixelCovariance, covariance, CHANGING_SHARE))
    this.#motion.solved(solved.pose, atUs, { seenUs, noise })
    return verdict
  }

  /** As it is known; a robot that is not known to move stands. */
  #stepBetween(fromUs: number, toUs: number): Pose | undefined {
    return this.#motion.between(fromUs, toUs) ?? (this.#motion.moves(toUs) ? undefined : identityPose)
  }

  #headingOf({ freeYaw, headingUsed }: JointSolution, atUs: number): SolvedHeading {
    const said = this.#offset.saidAt(atUs)?.yaw
    return {
      ...(said !== undefined && this.#headingFrom && { from: this.#headingFrom }),
      said: said ?? Number.NaN,
      seen: freeYaw && freeYaw.std <= MAX_SEEN_STD ? freeYaw.yaw : Number.NaN,
      offset: this.#offset.knownAt(atUs)?.offset ?? Number.NaN,
      used: headingUsed,
    }
  }
}

/** When what it rests on was exposed, on average. */
const seenAt = ({ tags, cameras }: JointSolution, atUs: number): number => {
  let sum = 0
  let weights = 0
  for (const { streamId, capturedUs } of cameras)
    for (const tag of tags)
      if (tag.used && tag.streamId === streamId) {
        sum += tag.weight * (capturedUs - atUs)
        weights += tag.weight
      }
  return weights > 0 ? atUs + sum / weights : atUs
}

const contradicted = (tag: SolvedTag): SolvedTag =>
  tag.used ? { ...tag, used: false, reason: 'against_prediction' } : tag
