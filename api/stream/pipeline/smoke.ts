// The health of a pipeline at a glance: what runs, where the time of a frame goes, what goes wrong.

import type { Directory } from '../../../actors/directory.ts'
import type { StreamRuntime } from '../../../actors/stream/stream-runtime.ts'
import { header } from '../../../machines/engine/result.ts'
import { FaultDocument } from '../../../machines/errors/fault-document.ts'
import { errorEntryExample, errorsOf } from '../../../machines/errors/history.ts'
import { oneLine } from '../../../machines/schema/one-line.ts'
import { orNull } from '../../../machines/schema/or-null.ts'
import Type from '../../../machines/schema/type.ts'
import { streamCollection } from '../../../machines/stream/collection.ts'
import { SlotNumber } from '../../../machines/stream/slots.ts'
import { StreamState, StreamWarning } from '../../../machines/stream/status.ts'

const strict = { additionalProperties: false } as const
const count = (description: string) => Type.Integer({ minimum: 0, description })
const time = (description: string) => Type.Number({ minimum: 0, description })

const timing = {
  median_us: time('Over the last 200 frames of this plan, or as many as there were.'),
  max_us: time('The longest of those.'),
}

const Processing = Type.Object(timing, {
  ...strict,
  title: 'ProcessingTime',
  description: 'From the start of processing a frame to its end, wall time.',
})

const NodeTiming = Type.Object(
  {
    id: Type.String({ description: 'Of the node.' }),
    ...timing,
    share: Type.Number({ minimum: 0, maximum: 1, description: 'Of the processing of those frames.' }),
  },
  { ...strict, title: 'NodeTiming', description: 'The wall time that one node takes.' },
)

const LastError = Type.Object(
  {
    code: Type.String({ description: 'The stable key, for programs.' }),
    detail: Type.String({ description: 'A sentence about the latest.' }),
    count: Type.Integer({ minimum: 1, description: 'How often it happened.' }),
    at_ms: Type.Integer({ minimum: 0, description: 'When it last happened, Unix time.' }),
  },
  { ...strict, title: 'LastError', description: 'The newest entry of the error history that concerns the stream.' },
)

/**
 * healthy: live, and a frame was processed within the last second or the last three frame times, with those that a
 * robot has left out.
 */
export const StreamSmoke = Type.Object(
  {
    healthy: Type.Boolean({
      description: oneLine`
        Live, and a frame was processed within the last second or the last three frame times, those included that a
        robot has left out.
      `,
    }),
    state: StreamState,
    fault: orNull(FaultDocument, 'Why the stream is not live; null: nothing is wrong.'),
    slot: orNull(SlotNumber, 'The slot that is active; null: none, the stream runs a pipeline of its own.'),
    graph_id: orNull(Type.String(), 'The stored pipeline that the slot refers to.'),
    pipeline_fault: orNull(
      FaultDocument,
      oneLine`
        Why what is wanted (\`pipeline\` of the stream, or that stored pipeline as it is now) does not run: the one of
        before goes on, or pictures alone. null: it does.
      `,
    ),
    plan: orNull(
      Type.Integer({ minimum: 1 }),
      oneLine`
        Which plan gave the newest frame: its engine counts them from 1, and a switch makes another one. null before the
        first frame.
      `,
    ),
    frames: count('Processed since the stream was created.'),
    skipped: count('Captured but never processed, since the camera was opened.'),
    fps: time('Processed frames per second over the last two seconds.'),
    last_frame_age_ms: orNull(
      Type.Number({ minimum: 0 }),
      'Since the newest frame was processed; null before the first.',
    ),
    frame_time_us: orNull(Type.Number({ minimum: 0 }), 'Between two frames of the camera; null while none is open.'),
    processing: orNull(Processing, 'null before the first frame.'),
    nodes: Type.Array(NodeTiming, { description: 'In the order in which they run.' }),
    warnings: Type.Array(StreamWarning, {
      description: 'What goes wrong although the stream works, the latest first.',
    }),
    last_error: orNull(LastError, 'null: the error history has none of this stream.'),
  },
  { ...strict, title: 'PipelineSmoke', description: 'How well a pipeline is.' },
)

const { code, detail, count: times, last_at_ms: at_ms } = errorEntryExample

export const smokeExample = {
  healthy: true,
  state: 'live',
  fault: null,
  slot: 2,
  graph_id: 'tags-near',
  pipeline_fault: null,
  plan: 3,
  frames: 9000,
  skipped: 0,
  fps: 30,
  last_frame_age_ms: 12,
  frame_time_us: 33_333,
  processing: { median_us: 4700, max_us: 6900 },
  nodes: [
    { id: 'source', median_us: 310, max_us: 420, share: 0.066 },
    { id: 'tags', median_us: 4100, max_us: 6200, share: 0.87 },
  ],
  warnings: [],
  last_error: { code, detail, count: times, at_ms },
}

// or three frames of a slow camera, or of one of which a robot wants few: no more than so long passes between two of
// these
const MAX_GAP_MS = 1000

export const smokeOf = ({ clock, errors }: Directory, stream: StreamRuntime) => {
  const nowUs = clock.monotonicUs()
  const { value: newest } = stream.results
  const ageMs = newest ? Math.max(0, (nowUs - header(newest, 'finished_us')) / 1000) : null
  const { frames, skipped, fps } = stream.meter.figures(nowUs)
  const { processing = null, stages = [] } = stream.meter.profile() ?? {}
  const { state, fault, pipeline, warnings } = stream.status()
  const cameraFps = stream.engine.opened.value?.fps
  const cameraMs = 1000 / (cameraFps ?? 1)
  const frameMs = Math.max(cameraMs, Math.min(MAX_GAP_MS, cameraMs * (1 + (stream.robot.live.value?.skip ?? 0))))
  const resource = `${streamCollection.name}/${stream.id}`
  const error = errorsOf(errors).find((each) => each.resource === resource)
  return {
    healthy: state === 'live' && ageMs !== null && ageMs <= Math.max(MAX_GAP_MS, 3 * frameMs),
    state,
    fault,
    slot: pipeline.slot,
    graph_id: pipeline.graph_id,
    pipeline_fault: pipeline.fault,
    plan: newest ? header(newest, 'plan') : null,
    frames,
    skipped,
    fps,
    last_frame_age_ms: ageMs,
    frame_time_us: cameraFps ? Math.round(1e6 / cameraFps) : null,
    processing,
    nodes: [...stages],
    warnings,
    last_error: error ? { code: error.code, detail: error.detail, count: error.count, at_ms: error.last_at_ms } : null,
  }
}
