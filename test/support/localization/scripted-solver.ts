// Solves nothing: a test says what each round gives.

import type { ExternalMeasurement } from '../../../machines/localization/external/output-slot.ts'
import type { OdometrySample } from '../../../machines/localization/odometry.ts'
import { identityPose, type Pose } from '../../../machines/localization/pose.ts'
import type { Round } from '../../../machines/localization/round.ts'
import type { RoundSolver } from '../../../machines/localization/round-solver.ts'
import type { Solved } from '../../../machines/localization/solution.ts'
import type { SolvedBy } from '../../../machines/localization/solve-rounds.ts'

/** What was asked of solvers, over all of them. */
export interface SolverRecord {
  /** By what each was made, in order. */
  readonly made: SolvedBy[]
  readonly rounds: Round[]
  readonly headings: (readonly [yaw: number, atUs: number])[]
  readonly odometry: OdometrySample[]
  readonly measured: ExternalMeasurement[]
  /** What they say of the robot's heading. */
  warning: string | undefined
}

/** Where a robot is in a round; undefined: nobody knows. */
export type Answer = (round: Round) => Pick<Solved, 'solved'> & Partial<Solved>

/** A pose that is sure. */
export const sure = (pose: Pose = identityPose): Pick<Solved, 'solved' | 'isSure'> => ({
  isSure: true,
  solved: {
    pose,
    covariance: new Float64Array(36),
    pixelCovariance: new Float64Array(36),
    stdDevs: [0.01, 0.02, 0.03, 0.001, 0.002, Math.PI / 180],
    stdXyM: 0.015,
  },
})

const unknown: Solved['heading'] = { said: Number.NaN, seen: Number.NaN, offset: Number.NaN, used: false }

/** What an answer is when it is whole. */
export const solvedOf = (round: Round, by: SolvedBy, number: number, answer: Answer): Solved => ({
  round: number,
  capturedUs: round.capturedUs,
  isSure: false,
  tags: [],
  cameras: round.frames.map(({ streamId, capturedUs }) => ({
    streamId,
    capturedUs,
    used: 1,
    residualPx: 0.1,
    offset: [0, 0, 0],
  })),
  heading: unknown,
  fused: undefined,
  map: { id: by.map.id, hash: by.hash },
  revision: by.revision,
  cpuUs: 0,
  ...answer(round),
})

/** Makes solvers that answer as a test says, and remember what they were asked. */
export const scriptedSolvers = (answer: Answer = () => sure()) => {
  const record: SolverRecord = { made: [], rounds: [], headings: [], odometry: [], measured: [], warning: undefined }
  const makeSolver = (by: SolvedBy): RoundSolver => {
    record.made.push(by)
    return {
      heading: (yaw, atUs) => void record.headings.push([yaw, atUs]),
      odometry: (sample) => void record.odometry.push(sample),
      measured: (measurement) => void record.measured.push(measurement),
      inertial: () => {},
      headingWarningAt: () => record.warning,
      solve: (round) => {
        record.rounds.push(round)
        return solvedOf(round, by, record.rounds.length, answer)
      },
    }
  }
  return { record, makeSolver }
}
