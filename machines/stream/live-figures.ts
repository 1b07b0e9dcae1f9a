// The figures of a stream that change all the time, as those who watch the device are told them.
import type { Static } from 'typebox'
import { RecordingStatus } from '../recording/status.ts'
import { StreamId } from '../schema/stream-id.ts'
import Type from '../schema/type.ts'
import { StreamStatus } from './status.ts'

const strict = { additionalProperties: false } as const
const { fps, viewers, restarts, robot } = StreamStatus.properties
const { size_bytes, duration_ms, frames, frames_lost } = RecordingStatus.properties

const SentPictures = Type.Object(
  {
    sent_mbit_s: Type.Number({ minimum: 0, description: 'What its previews take of the network.' }),
    granted_mbit_s: Type.Number({ minimum: 0, description: 'What they may take.' }),
  },
  { ...strict, title: 'StreamBandwidthFigures', description: 'The previews of a stream over the network.' },
)

const RecordedSoFar = Type.Object(
  { size_bytes, duration_ms, frames, frames_lost },
  { ...strict, title: 'RecordingFigures', description: 'What has come of a recording so far.' },
)

/** The figures of one stream now. */
export const LiveFigures = Type.Object(
  {
    id: StreamId,
    fps,
    latency_ms: Type.Union([Type.Number(), Type.Null()], {
      description:
        'From mid-exposure to the end of processing, the median of the last 200 frames; null: it is not live.',
    }),
    viewers,
    restarts,
    bandwidth: Type.Union([SentPictures, Type.Null()], {
      description: 'null: nobody watches it over the network, or nothing limits that.',
    }),
    recording: Type.Union([RecordedSoFar, Type.Null()], { description: 'null: nothing is being recorded.' }),
    robot,
  },
  { ...strict, title: 'LiveFigures', description: 'The figures of a stream now.' },
)
export type LiveFigures = Static<typeof LiveFigures>

/** Of the status of its recording. */
export const recordedSoFar = (status: RecordingStatus | null): LiveFigures['recording'] =>
  status && {
    size_bytes: status.size_bytes,
    duration_ms: status.duration_ms,
    frames: status.frames,
    frames_lost: status.frames_lost,
  }

/** As the references show them. */
export const liveFiguresExample: LiveFigures = {
  id: 'front',
  fps: 30,
  latency_ms: 6.8,
  viewers: 1,
  restarts: 0,
  bandwidth: { sent_mbit_s: 3.3, granted_mbit_s: 3.4 },
  recording: { size_bytes: 12_582_912, duration_ms: 12_400, frames: 372, frames_lost: 0 },
  robot: null,
}
