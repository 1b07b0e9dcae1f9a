// What a device has that others may see and change: its inventory, as `GET /v1/interdevice/resources` gives it.

import type { Static } from 'typebox'
import { Crop, PictureSize } from '../cameras/crop.ts'
import { PoseDocument } from '../localization/pose.ts'
import { oneLine } from '../schema/one-line.ts'
import Type from '../schema/type.ts'

const strict = { additionalProperties: false } as const
const Revision = Type.Integer({ minimum: 0, description: 'Rises with each change.' })
const StreamRevision = Type.Integer({
  minimum: 0,
  description: 'Of its stream, which it is a part of: what a change of it may expect. 0: there is no stream.',
})
const StreamRef = Type.String({ maxLength: 64, description: 'The id of the stream on its device.' })

/**
 * Whose word counts. source: that of the device that has the resource. local: this device was explicitly told to decide
 * for itself.
 */
export const Authority = Type.Enum(['source', 'local'], {
  description:
    'Whose word counts. source: that of the device that has the camera. local: that of this one, where it was told to.',
})
export type Authority = Static<typeof Authority>

const MAX_FAULT_LENGTH = 2_000 // of a sentence for people; longer ones are cut

/** A device of another version may have faults that this one does not know. */
const RemoteFault = Type.Object(
  {
    code: Type.String({ maxLength: 64, description: 'The stable key of the fault.' }),
    detail: Type.String({ maxLength: MAX_FAULT_LENGTH, description: 'A sentence for people: what happened.' }),
  },
  { ...strict, title: 'RemoteFault', description: 'What is wrong with a stream, as its device says.' },
)
type RemoteFault = Static<typeof RemoteFault>

/** A fault as others are told of it. */
export const remoteFault = (fault: RemoteFault | null): RemoteFault | null =>
  fault && { code: fault.code, detail: fault.detail.slice(0, MAX_FAULT_LENGTH) }

const orLeftOut = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema, description: string) =>
  Type.Optional(Type.Union([schema, Type.Null()], { description: `${description} Older devices leave it out.` }))

const RemoteStream = Type.Object(
  {
    id: StreamRef,
    alias: Type.String({ maxLength: 120, description: 'The name for people.' }),
    status: Type.String({ maxLength: 40, description: 'Its state, as `GET /v1/streams/{id}` has it.' }),
    revision: Revision,
    camera_uid: Type.Union([Type.String({ maxLength: 64 }), Type.Null()], {
      description: 'The camera that it shows, as the rig entries name it.',
    }),
    formats: Type.Array(Type.Enum(['mjpeg', 'h264', 'jpeg']), {
      maxItems: 8,
      description: 'What its pictures can be had as: mjpeg and h264 of its preview, jpeg of a frame.',
    }),
    width_px: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      description: 'Of its pictures; null until they come.',
    }),
    height_px: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      description: 'Of its pictures; null until they come.',
    }),
    fps: Type.Union([Type.Number({ minimum: 0 }), Type.Null()], {
      description: oneLine`
        Frames a second that its camera was opened with; null until it was. How many come at present is in its
        metrics.
      `,
    }),
    crop: orLeftOut(Crop, 'What of the whole picture it is to have; null: all.'),
    picture: orLeftOut(PictureSize, 'The whole picture, of which a crop is a part; null until pictures come.'),
    fault: orLeftOut(RemoteFault, 'Why it is not live; null: nothing is wrong.'),
    pipeline_fault: orLeftOut(RemoteFault, 'Why the pipeline that is wanted does not run; null: it does.'),
    commands: Type.Array(Type.String({ maxLength: 64 }), {
      maxItems: 64,
      description: 'The commands that the stream takes (`POST /v1/interdevice/streams/{id}/commands`).',
    }),
    authority: Authority,
  },
  { ...strict, title: 'RemoteStream', description: 'A stream, as other devices see it.' },
)
export type RemoteStream = Static<typeof RemoteStream>

const RemotePipeline = Type.Object(
  {
    stream_id: StreamRef,
    id: Type.String({
      maxLength: 64,
      description: 'The stored pipeline of the active slot; `stream-` and the id of the stream: one of its own.',
    }),
    revision: StreamRevision,
    outputs: Type.Array(
      Type.Object({ id: Type.String({ maxLength: 64 }), type: Type.String({ maxLength: 64 }) }, strict),
      {
        maxItems: 256,
        description: 'What can be asked for of it.',
      },
    ),
  },
  { ...strict, title: 'RemotePipeline', description: 'The pipeline of a stream.' },
)

const RemoteOutput = Type.Object(
  {
    stream_id: StreamRef,
    output_key: Type.String({ maxLength: 64, description: 'Which of the outputs of the stream.' }),
    data_type: Type.String({ maxLength: 64, description: 'What its samples are.' }),
  },
  { ...strict, title: 'RemoteLocalizationOutput', description: 'An output that says where something is.' },
)

const RemoteCamera = Type.Object(
  {
    camera_uid: Type.String({ maxLength: 64, description: 'The camera, as `GET /v1/device/camera-layout` names it.' }),
    stream_id: Type.Union([StreamRef, Type.Null()], { description: 'The stream that has it.' }),
    pose_revision: StreamRevision,
    has_pose: Type.Boolean({ description: 'Whether it is known where the camera sits.' }),
    pose: Type.Optional(
      Type.Union([PoseDocument, Type.Null()], {
        description:
          'Where it sits: the camera body in the robot frame; null: nobody has said. Older devices leave it out.',
      }),
    ),
  },
  { ...strict, title: 'RemoteRigEntry', description: 'A camera on the robot.' },
)

/** Streams, pipelines, outputs and cameras of one device, all of one moment. */
export const Inventory = Type.Object(
  {
    device_id: Type.String({ maxLength: 64, description: 'Whose they are.' }),
    epoch: Type.String({ maxLength: 64, description: 'Of the events; another one at each start of the device.' }),
    seq: Type.Integer({ minimum: 0, description: 'The newest event that is contained; those that follow are news.' }),
    streams: Type.Array(RemoteStream, { maxItems: 256 }),
    pipelines: Type.Array(RemotePipeline, { maxItems: 256 }),
    localization_outputs: Type.Array(RemoteOutput, { maxItems: 2_048 }),
    rig: Type.Array(RemoteCamera, { maxItems: 256 }),
  },
  { ...strict, title: 'InterdeviceResources', description: 'What a device has that others may see and change.' },
)
export type Inventory = Static<typeof Inventory>
