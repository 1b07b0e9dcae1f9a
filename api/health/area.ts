// Whether the service is there, and how its parts are.

import type { Directory } from '../../actors/directory.ts'
import { FaultDocument } from '../../machines/errors/fault-document.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import Type from '../../machines/schema/type.ts'
import { type Area, area } from '../endpoints/endpoint.ts'
import { read } from '../endpoints/read.ts'

const strict = { additionalProperties: false } as const

const Health = Type.Object(
  {
    status: Type.Enum(['ok', 'degraded'], { description: 'ok: no part has a fault. degraded: some part has one.' }),
    version: Type.String({ description: 'Of the service.' }),
    epoch: Type.String({ description: 'Another one at each start of the service; that of its events.' }),
    started_at_ms: Type.Integer({ description: 'Unix time, as the clock says it by now: it may have been set since.' }),
    uptime_ms: Type.Integer({ minimum: 0, description: 'Since it was started, however the clock was set meanwhile.' }),
    parts: Type.Array(
      Type.Object(
        {
          name: Type.String({ description: 'As `streams/front`.' }),
          state: Type.String({
            description: oneLine`
              starting, restarting after a crash, failed (crashed too often, and tried again every 15 s), or the state
              in which it runs.
            `,
          }),
          since_ms: Type.Integer({ description: 'When this state began, Unix time.' }),
          restarts: Type.Integer({ minimum: 0, description: 'Starts after a crash.' }),
          fault: Type.Union([FaultDocument, Type.Null()], {
            description: 'What is wrong with it now, and what can be done; null: nothing.',
          }),
        },
        { ...strict, title: 'HealthPart', description: 'A part of the service.' },
      ),
    ),
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
      parts: [
        { name: 'streams/front', state: 'live', since_ms: 1_767_225_601_000, restarts: 0, fault: null },
        {
          name: 'https',
          state: 'failed',
          since_ms: 1_767_225_603_000,
          restarts: 4,
          fault: {
            code: 'child.failed',
            detail: oneLine`
              The part https failed 5 times in a row: 10.12.34.11:443 is taken by another program; stop it, or listen
              elsewhere. It is tried again every 15 s. If it goes on, restart the service, and report it with the file
              of GET /v1/errors/export.
            `,
          },
        },
      ],
    },
    get: ({ directory }) => healthOf(directory),
  }),
])

const US_IN_MS = 1_000

const healthOf = ({ identity, clock, parts }: Directory) => {
  const all = parts().map(({ name, state, since_ms, restarts, fault }) => ({
    name,
    state,
    since_ms,
    restarts,
    fault: fault && { code: fault.code, detail: fault.detail },
  }))
  return {
    status: all.some((part) => part.fault) ? 'degraded' : 'ok',
    version: identity.version,
    epoch: identity.epoch,
    started_at_ms: identity.started_at_ms,
    uptime_ms: Math.floor((clock.monotonicUs() - identity.started_us) / US_IN_MS),
    parts: all,
  }
}
