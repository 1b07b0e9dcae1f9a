// What one device may read of a stream or camera of another before it changes something there.
import type { Static } from 'typebox'
import { Control } from '../engine/controls.ts'
import { PoseDocument } from '../localization/pose.ts'
import { CanonicalGraph } from '../pipeline/graph.ts'
import Type from '../schema/type.ts'

const strict = { additionalProperties: false } as const

const RemoteControl = Type.Object(
  {
    ...Control.properties,
    label: Type.Optional(
      Type.String({ maxLength: 120, description: 'Its name as people read it. Older devices leave it out.' }),
    ),
    unit_label: Type.Optional(
      Type.Union([Type.String({ maxLength: 40 }), Type.Null()], {
        description: 'The unit as people read it; null: it has none. Older devices leave it out.',
      }),
    ),
  },
  {
    ...strict,
    title: 'CameraControl',
    description: 'A control of a camera. Exposure is in microseconds, whatever the camera counts in.',
  },
)

/** The controls of the camera of a stream, as they are now. */
export const RemoteControls = Type.Object(
  {
    revision: Type.Integer({ minimum: 0, description: 'Of the stream: what `set_control` may expect.' }),
    camera_uid: Type.String({ maxLength: 64, description: 'The camera, as the rig entries name it.' }),
    controls: Type.Array(RemoteControl, {
      description: 'In the order of their numbers; none of what is no camera.',
    }),
  },
  { ...strict, title: 'RemoteControls', description: 'The controls of the camera of a stream, read anew.' },
)
export type RemoteControls = Static<typeof RemoteControls>

/** The pipeline of a stream, as it runs or is to run. */
export const RemoteGraph = Type.Object(
  {
    revision: Type.Integer({ minimum: 0, description: 'What a patch expects (`expected_pipeline_revision`).' }),
    pipeline_id: Type.String({
      maxLength: 64,
      description: 'The stored pipeline of the active slot; `stream-` and the id of the stream: one of its own.',
    }),
    is_stored: Type.Boolean({
      description: 'Whether it is a stored pipeline: that is changed where it is stored, and a patch is refused.',
    }),
    graph: CanonicalGraph,
  },
  { ...strict, title: 'RemoteGraph', description: 'The pipeline of a stream, with every parameter filled in.' },
)
export type RemoteGraph = Static<typeof RemoteGraph>

/** Where a camera sits, as its device knows it. */
export const RemotePoseOf = Type.Object(
  {
    revision: Type.Integer({
      minimum: 0,
      description: 'Of the stream that has the camera: what a change may expect. 0: there is none.',
    }),
    camera_uid: Type.String({ maxLength: 64, description: 'The camera.' }),
    stream_id: Type.Union([Type.String({ maxLength: 64 }), Type.Null()], {
      description: 'The stream that has it; null: none, and nothing can be said of where it sits.',
    }),
    pose: Type.Union([PoseDocument, Type.Null()], {
      description: 'The camera body in the robot frame; null: nobody has said.',
    }),
  },
  { ...strict, title: 'RemoteCameraPose', description: 'Where a camera sits on the robot.' },
)
export type RemotePoseOf = Static<typeof RemotePoseOf>
