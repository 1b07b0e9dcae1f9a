// Whether the service is there, and how its parts are.

import type { Directory } from '../../actors/directory.ts'
import {
  faultyPartExample,
  HealthPart,
  HealthStatus,
  healthPartOf,
  healthStatusOf,
  healthyPartExample,
} from '../../machines/health/part.ts'
import Type from '../../machines/schema/type.ts'
import { type Area, area } from '../endpoints/endpoint.ts'
import { read } from '../endpoints/read.ts'

const strict = { additionalProperties: false } as const

const Health = Type.Object(
  {
    status: HealthStatus,
    version: Type.String({ description: 'Of the service.' }),
    epoch: Type.String({ description: 'Another one at each start of the service; that of its events.' }),
    started_at_ms: Type.Integer({ description: 'Unix time, as the clock says it by now: it may have been set since.' }),
    uptime_ms: Type.Integer({ minimum: 0, description: 'Since it was started, however the clock was set meanwhile.' }),
    parts: Type.Array(HealthPart),
  },
  { ...strict, title: 'Health', description: 'The service, and how its parts are.' },
)

export const healthArea: Area = area('health', 'Whether the service is there.', [
  read('GET', '/v1/health', {
    summary: 'Health of the service and its parts',
    about: 'Answers as soon as the API listens, whatever the parts are doing.',
    answer: Health,
    example: {
      status: 'degraded',
      version: '0.1.0',
      epoch: 'k3v9x1',
      started_at_ms: 1_767_225_600_000,
      uptime_ms: 60_000,
      parts: [healthyPartExample, faultyPartExample],
    },
    get: ({ directory }) => healthOf(directory),
  }),
])

const US_IN_MS = 1_000

const healthOf = ({ identity, clock, parts }: Directory) => {
  const all = parts().map(healthPartOf)
  return {
    status: healthStatusOf(all),
    version: identity.version,
    epoch: identity.epoch,
    started_at_ms: identity.started_at_ms,
    uptime_ms: Math.floor((clock.monotonicUs() - identity.started_us) / US_IN_MS),
    parts: all,
  }
}
