// A stream's figures on the wire.

import { DIRECTORY } from '../../../actors/directory.ts'
import type { StreamRuntime } from '../../../actors/stream/stream-runtime.ts'
import { BANDWIDTH_BUDGET } from '../../../machines/bandwidth/budget.ts'
import { StreamBandwidth, unwatched } from '../../../machines/bandwidth/report.ts'
import { oneLine } from '../../../machines/schema/one-line.ts'
import { orNull } from '../../../machines/schema/or-null.ts'
import { StreamId } from '../../../machines/schema/stream-id.ts'
import Type from '../../../machines/schema/type.ts'
import { StreamState } from '../../../machines/stream/status.ts'
import type { Given } from '../../../machines/token.ts'

/** The needs of the figures of a pipeline. */
export const metricNeeds = {
  directory: DIRECTORY,
  budget: BANDWIDTH_BUDGET,
}
type MetricParts = Given<typeof metricNeeds>

const strict = { additionalProperties: false } as const
const count = (description: string) => Type.Integer({ minimum: 0, description })
const Fps = Type.Number({ minimum: 0, description: 'Processed frames per second over the last two seconds.' })
const Quantiles = { p50: Type.Number(), p90: Type.Number(), p99: Type.Number() }
const Spread = Type.Object(Quantiles, {
  ...strict,
  title: 'Quantiles',
  description: 'Quantiles over the last 200 frames, in microseconds.',
})
const Stages = Type.Array(
  Type.Object(
    { id: Type.String({ description: 'Of the node.' }), ...Quantiles },
    {
      ...strict,
      title: 'StageQuantiles',
      description: 'Wall time of one node over the last 200 frames, in microseconds.',
    },
  ),
  {
    description: oneLine`
      Wall time of each node, in the order in which they run. Nodes that only pictures need run while somebody watches
      these; a frame for which they did not counts as 0.
    `,
  },
)

/** Figures since the stream was created. Latency: from mid-exposure to the end of processing. */
export const StreamMetrics = Type.Object(
  {
    state: StreamState,
    engine_pid: orNull(Type.Integer({ minimum: 1 }), 'Its process; null while there is none.'),
    restarts: count('Engine restarts after crashes, since the stream was created or last enabled.'),
    viewers: count('Who watch its pictures now.'),
    viewers_of_engine: count('Of these, those to whom its engine sends the pictures itself.'),
    picture_kinds: count('Outputs, sizes, qualities and overlays that are watched now.'),
    bandwidth: orNull(StreamBandwidth, 'Of its previews over the network; null: nothing limits that.'),
    frames: count('Processed since the stream was created.'),
    skipped: count('Captured but never processed.'),
    fps: Fps,
    latency_us: orNull(Spread, 'From mid-exposure to the end of processing; null before the first frame.'),
    processing_us: orNull(Spread, 'From the start of processing to its end; null before the first frame.'),
    cpu_us: orNull(Spread, 'Processor time of a frame; null before the first.'),
    stages_us: Stages,
  },
  { ...strict, title: 'StreamMetrics', description: 'Figures of a stream, since it was created.' },
)

/** The same of all streams. */
export const AllStreamMetrics = Type.Object(
  {
    streams: Type.Array(
      Type.Object(
        { id: StreamId, ...StreamMetrics.properties },
        { ...strict, title: 'NamedStreamMetrics', description: 'Figures of one of the streams.' },
      ),
      { description: 'In the order of their creation.' },
    ),
  },
  { ...strict, title: 'AllStreamMetrics', description: 'Figures of all streams.' },
)

const stages = [
  { id: 'tags', p50: 4100, p90: 4600, p99: 6200 },
  { id: 'field_pose', p50: 90, p90: 120, p99: 180 },
]

export const metricsExample = {
  state: 'live',
  engine_pid: 4242,
  restarts: 0,
  viewers: 1,
  viewers_of_engine: 1,
  picture_kinds: 1,
  bandwidth: {
    budget_mbit_s: 4,
    priority: 5,
    demand_mbit_s: 20.35,
    granted_mbit_s: 3.39,
    sent_mbit_s: 3.3,
    device_demand_mbit_s: 20.35,
    device_granted_mbit_s: 3.39,
    previews: [
      {
        output: '',
        max_width_px: 0,
        quality: 0,
        overlay: false,
        viewers: 1,
        fps: 30,
        granted_fps: 10,
        width_px: 1280,
        granted_width_px: 904,
      },
    ],
    video_viewers: 0,
    result_listeners: 0,
  },
  frames: 9000,
  skipped: 0,
  fps: 30,
  latency_us: { p50: 6800, p90: 7400, p99: 9100 },
  processing_us: { p50: 4700, p90: 5300, p99: 6900 },
  cpu_us: { p50: 4600, p90: 5200, p99: 6700 },
  stages_us: stages,
}

export const metricsOf = ({ directory: { clock }, budget: { mbit_s } }: MetricParts, stream: StreamRuntime) => {
  const { state, restarts, viewers } = stream.status()
  return {
    state,
    engine_pid: stream.engine.pid ?? null,
    restarts,
    viewers,
    viewers_of_engine: stream.viewers.pictures.served,
    picture_kinds: stream.viewers.pictures.wanted().length,
    bandwidth: mbit_s === null ? null : (stream.viewers.bandwidth.value ?? unwatched(mbit_s, stream.manifest.priority)),
    ...stream.meter.figures(clock.monotonicUs()),
  }
}
