// What solves rounds, as the actor sees it.
import type { Round } from './round.ts'
import type { Solved } from './solution.ts'
import type { LocalizationSolver } from './solve-rounds.ts'

/** A round, and what is known by it. */
export interface SolvedRound {
  readonly round: Round
  readonly solved: Solved
}

/** Solves rounds, one after the other, with what the robot has said until then. */
export type RoundSolver = Pick<
  LocalizationSolver,
  'heading' | 'inertial' | 'odometry' | 'measured' | 'solve' | 'headingWarningAt'
>
