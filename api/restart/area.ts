// Restarts: of the service, of the whole device, of one stream.
import { RESTARTS } from '../../actors/restart/tokens.ts'
import { STREAM_REGISTRY } from '../../actors/stream/tokens.ts'
import { jobChanged } from '../../machines/jobs/events.ts'
import { RESTART_JOB, RestartOrder, RestartResult } from '../../machines/restart/restart-order.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { quote } from '../../machines/schema/quote.ts'
import { areaOf } from '../endpoints/area.ts'
import { command, Undoable } from '../endpoints/command.ts'
import { area } from '../endpoints/endpoint.ts'
import { jobAnswer, jobNeeds } from '../jobs/answer.ts'
import { fault } from '../problems/problem.ts'

const needs = { ...jobNeeds, restarts: RESTARTS, streams: STREAM_REGISTRY }

export const restartArea = areaOf(needs, ({ jobs, restarts, streams }) =>
  area('restart', 'Restarts of the service, the device, a stream.', [
    command('POST', '/v1/device/restart', {
      summary: 'Restart something',
      about: oneLine`
        A job, which the next run of the service finds again: it says whether the service, or the whole device, has
        started again, or when the stream gives pictures. Refused while the robot is enabled, unless \`force\` is sent
        or it may wait (\`idle\`). Where nothing would start it again the answer says so (\`device.failed\`). There is
        one at a time.
      `,
      access: 'administer',
      to: 'job-keeper',
      publishes: [jobChanged],
      body: { schema: RestartOrder, example: { target: 'service', when: 'idle' } },
      send: async ({ body: { target, stream_id, when = 'now', force = false } }) => {
        const wrong = (message: string) =>
          fault('body.invalid', `stream_id ${message}`, { errors: [{ pointer: '/stream_id', message }] })
        if (target === 'stream' && stream_id === undefined) return wrong('is missing: which stream is to be restarted')
        if (target !== 'stream' && stream_id !== undefined) return wrong(`has no meaning for the ${target}`)
        if (stream_id !== undefined && !streams.get(stream_id)) return wrong(`is ${quote(stream_id)}: there is none`)
        const wanted = { target, when, force, ...(stream_id !== undefined && { stream_id }) }
        const refusal = await restarts.claim(wanted)
        if (refusal) return refusal
        const resource_ref = { target, ...(stream_id !== undefined && { stream_id }) }
        const order = jobs.order({ kind: RESTART_JOB, resource_ref, work: restarts.work(wanted) })
        return new Undoable(order, () => restarts.release())
      },
      answer: jobAnswer({
        jobs,
        kind: RESTART_JOB,
        title: 'RestartJob',
        result: RestartResult,
        resource_ref: { target: 'service' },
      }),
      faults: ['job.too_many', 'restart.robot_enabled', 'device.failed'],
    }),
  ]),
)
