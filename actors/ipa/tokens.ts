// The tokens of the tuning files.
import { token } from '../../machines/token.ts'
import type { SolveChart } from './solve-chart.ts'
import type { TuningFiles } from './tuning-files.ts'

/** The tuning files, for readers and for whoever changes one. */
export const TUNING_FILES = token<TuningFiles>('tuning-files')

/** Makes a matrix of a picture. */
export const SOLVE_CHART = token<SolveChart>('solve-chart')
