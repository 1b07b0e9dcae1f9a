// Long work: how far it is, what came of it, and how to end it.

import { jobChanged } from '../../machines/jobs/events.ts'
import { Job, JobId, jobExample, jobNotFound } from '../../machines/jobs/job.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { areaOf } from '../endpoints/area.ts'
import { command } from '../endpoints/command.ts'
import { area } from '../endpoints/endpoint.ts'
import { list } from '../endpoints/list.ts'
import { read } from '../endpoints/read.ts'
import { jobNeeds } from './answer.ts'

const params = { id: JobId }

export const jobArea = areaOf(jobNeeds, ({ jobs }) =>
  area('jobs', 'Long work: how far it is, and what came of it.', [
    list('GET', '/v1/jobs', {
      name: 'JobList',
      summary: 'All jobs',
      about: oneLine`
        Those that wait, those that run (one at a time), and the fifty that ended last. They survive restarts of the
        service.
      `,
      order: 'The one that was accepted last first.',
      item: Job,
      example: jobExample,
      items: () => jobs.all().toReversed(),
      keyOf: ({ id }) => id,
    }),

    read('GET', '/v1/jobs/:id', {
      params,
      summary: 'One job',
      answer: Job,
      example: jobExample,
      get: ({ params: { id } }) => jobs.get(id) ?? jobNotFound(id),
      faults: ['job.not_found'],
    }),

    command('DELETE', '/v1/jobs/:id', {
      params,
      summary: 'Cancel a job, or forget one that has ended',
      about: oneLine`
        Answers when that is ordered; a job that runs is \`cancelled\` as soon as it has released what it held. What
        it has done by then stays done.
      `,
      to: 'job-keeper',
      publishes: [jobChanged],
      send: ({ params: { id } }) => (jobs.get(id) ? { type: 'job.remove', id } : jobNotFound(id)),
      faults: ['job.not_found'],
    }),
  ]),
)
