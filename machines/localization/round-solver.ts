// What solves rounds, as the actor sees it.
import type { LocalizationConfig } from './config.ts'
import type { FieldMap } from './field-map.ts'
import type { OdometrySample } from './odometry.ts'
import type { MeasuredPose, Round } from './round.ts'
import type { Solved } from './solution.ts'

/** By what is solved. */
export interface SolvedBy {
  readonly map: FieldMap
  /** Of the content of the map. */
  readonly hash: string
  readonly config: LocalizationConfig
  /** Of the config. */
  readonly revision: number
}

/** Solves rounds, one after the other, with what the robot has said until then. */
export interface RoundSolver {
  /** radians, counter-clockwise, unwrapped, as of then. */
  readonly heading: (yaw: number, atUs: number) => void
  readonly odometry: (sample: OdometrySample) => void
  /** Rounds come in the order of their exposure. measured: of absolute external sources, as of the round. */
  readonly solve: (round: Round, measured?: readonly MeasuredPose[]) => Solved
}
