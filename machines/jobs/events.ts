// What is published about jobs.

import { eventKind } from '../events/kind.ts'
import { oneLine } from '../schema/one-line.ts'
import Type from '../schema/type.ts'
import { Job, JobId, jobExample } from './job.ts'

/** A job is in another state, or further than before. */
export const jobChanged = eventKind({
  kind: 'job_changed',
  about: oneLine`
    A job was accepted, is in another state, has made progress (told twice a second at most) or was forgotten. Its
    result is to be read.
  `,
  reference: { job_id: JobId },
  resource: 'GET /v1/jobs/{id}',
  data: Type.Object(
    {
      kind: Job.properties.kind,
      state: Job.properties.state,
      progress: Job.properties.progress,
      deleted: Type.Boolean({ description: 'Whether it was forgotten.' }),
    },
    { additionalProperties: false, title: 'JobStateChange', description: 'Where a job is now.' },
  ),
  revised: false,
  example: {
    resource_ref: { job_id: jobExample.id },
    data: {
      kind: jobExample.kind,
      state: 'running',
      progress: { percent: 40, stage: 'solving', message: '5 of 12 pictures' },
      deleted: false,
    },
  },
})
