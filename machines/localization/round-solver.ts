// What solves rounds, as the actor sees it.
import type { LocalizationSolver } from './solve-rounds.ts'

/** Solves rounds, one after the other, with what the robot has said until then. */
export type RoundSolver = Pick<LocalizationSolver, 'heading' | 'odometry' | 'solve' | 'headingWarningAt'>
