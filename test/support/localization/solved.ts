// Rounds that were solved, as tests need them.
import { identityPose } from '../../../machines/localization/pose.ts'
import type { Solved, SolvedTag } from '../../../machines/localization/solution.ts'

const RAD = Math.PI / 180

/** A tag that counts. */
export const countedTag: SolvedTag = {
  streamId: 'front',
  family: 0,
  id: 5,
  used: true,
  reason: null,
  residualPx: 0.3,
  chi2: 6,
  sigmaPx: 0.2,
  weight: 1,
}

/** A round of the camera `front` with one tag: the robot 4 m from the blue wall, turned by 90 degrees. */
export const solvedRound = (more: Partial<Solved> = {}): Solved => ({
  round: 7,
  capturedUs: 1_000_000,
  solved: {
    pose: { ...identityPose, x: 4, y: 3, qw: Math.SQRT1_2, qz: Math.SQRT1_2 },
    covariance: new Float64Array(36),
    pixelCovariance: new Float64Array(36),
    stdDevs: [0.01, 0.02, 0.03, 1 * RAD, 2 * RAD, 3 * RAD],
    stdXyM: 0.016,
  },
  isSure: true,
  tags: [countedTag],
  cameras: [{ streamId: 'front', capturedUs: 990_000, used: 1, residualPx: 0.3, offset: [0.01, -0.02, 1 * RAD] }],
  heading: { said: 88 * RAD, seen: 90 * RAD, offset: 2 * RAD, used: true },
  fused: undefined,
  map: { id: 'demo', hash: 'abc' },
  revision: 4,
  cpuUs: 200,
  ...more,
})

/** A round that gave no pose, in which nothing is known. */
export const unsolvedRound = (): Solved =>
  solvedRound({
    solved: undefined,
    isSure: false,
    tags: [
      { ...countedTag, used: false, reason: 'mirror', residualPx: Number.NaN, chi2: Number.NaN, weight: Number.NaN },
    ],
    cameras: [
      {
        streamId: 'front',
        capturedUs: 990_000,
        used: 0,
        residualPx: Number.NaN,
        offset: [Number.NaN, Number.NaN, Number.NaN],
      },
    ],
    heading: { said: Number.NaN, seen: Number.NaN, offset: Number.NaN, used: false },
  })
