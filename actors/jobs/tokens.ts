// The tokens of jobs.
import { token } from '../../machines/token.ts'
import type { Jobs } from './jobs.ts'

/** All jobs, and the way to start one. */
export const JOBS = token<Jobs>('jobs')
