// The tokens of formats.
import { token } from '../../machines/token.ts'
import type { Work } from '../jobs/jobs.ts'
import type { BenchRequest } from './format-bench.ts'

/** Makes the work of a job that measures the modes of a camera. */
export const FORMAT_BENCH = token<(request: BenchRequest) => Work>('format bench')
