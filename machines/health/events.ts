// What is published about the health of the service.
import { eventKind } from '../events/kind.ts'
import { oneLine } from '../schema/one-line.ts'
import Type from '../schema/type.ts'
import { faultyPartExample, HealthPart, HealthStatus } from './part.ts'

/** A part has failed, has another fault, or has recovered. */
export const healthChanged = eventKind({
  kind: 'health_changed',
  about: oneLine`
    A part of the service has a fault that it had not, has another one, has failed for good, has recovered, or is gone
    with its fault. Of a part that does so on and on it is told once a second at most. States without a fault are not
    told of.`,
  reference: { part_name: Type.String({ description: 'As `GET /v1/health` names it: `streams/front`.' }) },
  data: Type.Object(
    {
      status: HealthStatus,
      part: Type.Union([HealthPart, Type.Null()], {
        description: 'As `GET /v1/health` has it now; null: it is gone.',
      }),
    },
    { additionalProperties: false, title: 'HealthChange', description: 'How a part is, and with that the whole.' },
  ),
  revised: false,
  example: {
    resource_ref: { part_name: faultyPartExample.name },
    data: { status: 'degraded', part: faultyPartExample },
  },
})
