// What is published about streams.
import { FaultDocument } from '../errors/fault-document.ts'
import { documentEvent, eventKind } from '../events/kind.ts'
import { RecordingStatus, recordingExample } from '../recording/status.ts'
import { oneLine } from '../schema/one-line.ts'
import { StreamId } from '../schema/stream-id.ts'
import Type from '../schema/type.ts'
import { LiveFigures, liveFiguresExample } from './live-figures.ts'
import { StreamState } from './status.ts'

/** A stream was created, changed or deleted. */
export const streamChanged = documentEvent({
  kind: 'stream_changed',
  about: 'A stream was created, changed or deleted.',
  resource: 'GET /v1/streams/{id}',
  of: { field: 'stream_id', id: StreamId, example: 'front' },
})

const Name = Type.String({ maxLength: 64 })

/** A stream that there was computes something else. */
export const pipelineChanged = eventKind({
  kind: 'pipeline_changed',
  about: oneLine`
    The pipeline of a stream was changed, or another one runs from now on. What comes and goes with a stream is told
    by \`stream_changed\` alone.`,
  reference: {
    stream_id: StreamId,
    pipeline_id: {
      ...Name,
      description: 'The stored pipeline that runs; `stream-` and the id of the stream: one of its own.',
    },
  },
  data: null,
  revised: true,
  example: { resource_ref: { stream_id: 'front', pipeline_id: 'tags-near' }, revision: 4 },
})

/** A camera sits elsewhere. */
export const poseChanged = eventKind({
  kind: 'pose_changed',
  about: oneLine`
    Somebody has said where the camera of a stream sits on the robot, or that it is not known any more. The revision
    is that of the stream.`,
  reference: { stream_id: StreamId, camera_uid: { ...Name, description: 'As the camera layout names it.' } },
  data: null,
  revised: true,
  example: { resource_ref: { stream_id: 'front', camera_uid: 'cam-k3f7q2ma' }, revision: 5 },
})

/** A control of a camera has another value. */
export const controlChanged = eventKind({
  kind: 'control_changed',
  about: oneLine`
    A control of the camera of a stream was set: its exposure, its gain. What else that changes (an automatic mode
    that is off now) is seen where all controls are read.`,
  reference: {
    stream_id: StreamId,
    camera_uid: { ...Name, description: 'As the camera layout names it.' },
    control_id: Type.Integer({ minimum: 0, description: "V4L2's number of the control." }),
  },
  data: Type.Object(
    {
      value: Type.Integer({
        description: 'As it was read back, which may be another than the one that was asked for.',
      }),
    },
    { additionalProperties: false, title: 'ControlChange', description: 'The value of a control.' },
  ),
  revised: false,
  example: {
    resource_ref: { stream_id: 'front', camera_uid: 'cam-k3f7q2ma', control_id: 10_094_850 },
    data: { value: 4_000 },
  },
})

/** A stream says of another place, or no more. */
export const localizationSourceChanged = eventKind({
  kind: 'localization_source_changed',
  about: oneLine`
    A stream has got or lost an output that says where a tag or the robot is, or it says something else from now on.
    The revision is that of the stream.`,
  reference: { stream_id: StreamId, output_id: { ...Name, description: 'The name of the output.' } },
  data: null,
  revised: true,
  example: { resource_ref: { stream_id: 'front', output_id: 'pose' }, revision: 4 },
})

/** A stream is in another state, or its pipeline does not run any more, or does again. */
export const streamState = eventKind({
  kind: 'stream_state',
  about: oneLine`
    A stream went over into another state, or another pipeline runs than the one that is wanted, or that one again. A
    stream that stalls and recovers within a moment tells of both.`,
  reference: { stream_id: StreamId },
  data: Type.Object(
    {
      state: StreamState,
      fault: Type.Union([FaultDocument, Type.Null()], { description: 'null: nothing is wrong.' }),
      pipeline_fault: Type.Union([FaultDocument, Type.Null()], {
        description: 'Why the pipeline that is wanted does not run (`status.pipeline.fault`). null: it does.',
      }),
    },
    {
      additionalProperties: false,
      title: 'StreamStateChange',
      description: 'The new state, and what is wrong with the stream, if anything.',
    },
  ),
  revised: false,
  example: { resource_ref: { stream_id: 'front' }, data: { state: 'live', fault: null, pipeline_fault: null } },
})

/** A recording has begun, goes on in another file, was broken off, or is over. */
export const recordingChanged = eventKind({
  kind: 'recording_changed',
  about: oneLine`
    The recording of a stream went over into another state, goes on in another file, or something else is wrong with
    it. How far it is, \`stream_figures\` tells.`,
  reference: { stream_id: StreamId },
  data: Type.Object(
    {
      recording: Type.Union([RecordingStatus, Type.Null()], {
        description: 'As the status of the stream has it. null: nothing is being recorded any more.',
      }),
      fault: Type.Union([FaultDocument, Type.Null()], {
        description: 'What was wrong last, also when it is over; null: nothing.',
      }),
    },
    { additionalProperties: false, title: 'RecordingChange', description: 'What became of a recording.' },
  ),
  revised: false,
  example: { resource_ref: { stream_id: 'front' }, data: { recording: recordingExample, fault: null } },
})

/** What changes all the time of all streams. */
export const streamFigures = eventKind({
  kind: 'stream_figures',
  about: oneLine`
    The figures of all streams, once a second while any of them is another, and within a second after somebody begins
    to listen. It is told to those who listen and not kept: what was missed of it is not told later.`,
  reference: {},
  data: Type.Object(
    { streams: Type.Array(LiveFigures, { description: 'In the order of their creation.' }) },
    { additionalProperties: false, title: 'StreamFigures', description: 'The figures of all streams now.' },
  ),
  revised: false,
  isEphemeral: true,
  example: { resource_ref: {}, data: { streams: [liveFiguresExample] } },
})
