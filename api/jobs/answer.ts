// The answer of a row that starts a job: the job, and its path.
import type { TSchema } from 'typebox'
import { JOBS } from '../../actors/jobs/tokens.ts'
import { type Job, jobExample, jobOf, newJob } from '../../machines/jobs/job.ts'
import type { Given } from '../../machines/token.ts'
import type { Success } from '../problems/faults.ts'

/** The needs of an area whose rows start jobs. */
export const jobNeeds = { jobs: JOBS }

/** What a row says of the job that it starts. */
export interface JobAnswer extends Given<typeof jobNeeds> {
  readonly kind: string
  /** Of the job in the documents. */
  readonly title: string
  /** What comes of it, as a named schema. */
  readonly result: TSchema
  readonly resource_ref: Job['resource_ref']
  /** Of the answer; `ok` if nothing is said. */
  readonly status?: Extract<Success, 'ok' | 'created'>
}

/**
 * The `answer` of a row whose `send` is `jobs.order(...)`, to the keeper of jobs. resource_ref: an example. Such a row
 * can refuse with `job.too_many`.
 */
export const jobAnswer = ({ jobs, kind, title, result, resource_ref, status = 'ok' }: JobAnswer) => ({
  status,
  schema: jobOf(kind, result, title),
  example: newJob({ ...jobExample, kind, resource_ref }),
  canBeGone: true as const,
  of: (_call: unknown, { id }: Pick<Job, 'id'>): Job | undefined => jobs.get(id),
  location: ({ id }: Pick<Job, 'id'>) => `/v1/jobs/${id}`,
})
