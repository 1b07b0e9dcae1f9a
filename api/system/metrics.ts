// How the device does, on the wire.
import type { Static } from 'typebox'
import Type from '../../machines/schema/type.ts'
import { MAX_WINDOW_S, MetricsHistory, metricsHistoryExample } from '../../machines/system/history.ts'
import { SystemMetrics, systemMetricsExample } from '../../machines/system/metrics.ts'
import { MetricsTrouble } from '../../machines/system/troubles.ts'

/** What GET /v1/device/metrics answers. */
export const DeviceMetrics = Type.Object(
  {
    ...SystemMetrics.properties,
    troubles: Type.Array(MetricsTrouble, { description: 'What is wrong, the worst first. None: all is well.' }),
    history: Type.Optional(MetricsHistory),
  },
  { additionalProperties: false, title: 'DeviceMetrics', description: 'How the device does.' },
)
export type DeviceMetrics = Static<typeof DeviceMetrics>

export const deviceMetricsExample: DeviceMetrics = {
  ...systemMetricsExample,
  troubles: [],
  history: metricsHistoryExample,
}

/** What may be asked of it. */
export const metricsQuery = {
  format: Type.Optional(
    Type.Enum(['json', 'prometheus'], {
      description: 'prometheus: as text for Prometheus and programs like it. Default: json.',
    }),
  ),
  window_s: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_WINDOW_S,
      description: 'Also tells the `history` of so many seconds. Not for prometheus.',
    }),
  ),
}
