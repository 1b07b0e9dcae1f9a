// How far poses are off, and what their deviations are worth.
import { eulerDeg, type Pose } from '../../../machines/localization/pose.ts'
import type { SolvedPose } from '../../../machines/localization/solution.ts'
import { quantile, type Row } from '../lab/row.ts'
import { type Alone, FIELD } from './robots.ts'

const RAD = Math.PI / 180
const FAR_M = 0.3

/** On the floor, metres. */
export const distanceOf = (pose: Pose, truth: Pose): number => Math.hypot(pose.x - truth.x, pose.y - truth.y)

/** A pose and the truth. */
export interface PoseOff {
  readonly distance: number
  /** Of x, y and yaw, over their standard deviations. */
  readonly deviations: readonly [number, number, number]
}

export const errorOf = ({ pose, stdDevs }: SolvedPose, truth: Pose): PoseOff => {
  const turned = ((eulerDeg(pose)[2] - eulerDeg(truth)[2] + 540) % 360) - 180
  return {
    distance: distanceOf(pose, truth),
    deviations: [
      Math.abs(pose.x - truth.x) / stdDevs[0],
      Math.abs(pose.y - truth.y) / stdDevs[1],
      (Math.abs(turned) * RAD) / stdDevs[5],
    ],
  }
}

/** As teams reject poses today: one ambiguous tag, in the air or under the floor, off the field. */
export const isUsual = ({ pose, tagCount, ambiguity }: Alone): boolean =>
  (tagCount > 1 || ambiguity <= 0.3) &&
  Math.abs(pose.z) <= 0.75 &&
  pose.x >= 0 &&
  pose.y >= 0 &&
  pose.x <= FIELD.length_m &&
  pose.y <= FIELD.width_m

/** p50, p95, and the share that is more than 30 cm off. */
export interface Limits {
  readonly p50?: number
  readonly p95?: number
  readonly far?: number
}

/** By the seeds, each of which is a round. */
export const distanceRows = (
  what: string,
  seeds: readonly (readonly number[])[],
  rounds: number,
  { p50, p95, far }: Limits = {},
): readonly Row[] => {
  const all = seeds.flat()
  const from = `${all.length} poses of ${rounds} rounds, ${seeds.length} seeds`
  const row = (name: string, unit: string, of: (some: readonly number[]) => number, atMost?: number): Row => {
    const each = seeds.filter(({ length }) => length > 0).map(of)
    const spread = { measured: of(all), low: Math.min(...each), high: Math.max(...each) }
    return { what: `${what}: ${name}`, unit, from, ...spread, ...(atMost !== undefined && { figure: { atMost } }) }
  }
  const share = (some: readonly number[]) => (100 * some.filter((each) => each > FAR_M).length) / some.length
  return [
    row('distance, p50', 'cm', (some) => 100 * quantile(some, 0.5), p50),
    row('distance, p95', 'cm', (some) => 100 * quantile(some, 0.95), p95),
    row('more than 30 cm off', '%', share, far),
  ]
}

const NORMAL = [68.3, 95.4, 99.7] as const
const MAX_APART = 3

/** The share within one, two and three standard deviations, of each of x, y and yaw; how far from a normal error's. */
export const deviationRows = (
  what: string,
  seeds: readonly (readonly PoseOff[])[],
  judged: boolean,
): readonly Row[] => {
  const all = seeds.flat()
  const share = (some: readonly PoseOff[], axis: number, sigmas: number) =>
    (100 * some.filter(({ deviations }) => (deviations[axis] as number) <= sigmas).length) / some.length
  return ['x', 'y', 'yaw'].flatMap((name, axis) =>
    NORMAL.map((wanted, n): Row => {
      const each = seeds.filter(({ length }) => length > 0).map((some) => share(some, axis, n + 1))
      const measured = share(all, axis, n + 1)
      const apart = Math.abs(measured - wanted)
      return {
        what: `${what}: ${name} within ${n + 1} sigma, apart from ${wanted} %`,
        unit: 'points',
        measured: apart,
        low: apart,
        high: apart,
        from: `${measured.toFixed(1)} % of ${all.length} poses; seeds ${spreadOf(each)}`,
        ...(judged && { figure: { atMost: MAX_APART } }),
      }
    }),
  )
}

const spreadOf = (shares: readonly number[]): string =>
  `${Math.min(...shares).toFixed(1)} to ${Math.max(...shares).toFixed(1)}`
