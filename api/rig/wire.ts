// The rig on the wire.

import type { Static } from 'typebox'
import { PoseDocument } from '../../machines/localization/pose.ts'
import { Quaternion } from '../../machines/localization/pose-body.ts'
import { LayoutUid } from '../../machines/rig/layout.ts'
import { RobotDimensions } from '../../machines/rig/robot.ts'
import { orNull } from '../../machines/schema/or-null.ts'
import { StreamId } from '../../machines/schema/stream-id.ts'
import Type from '../../machines/schema/type.ts'

const strict = { additionalProperties: false } as const
const LaidOutCamera = Type.Object(
  {
    camera_uid: LayoutUid,
    name: Type.String(),
    present: Type.Boolean({ description: 'Whether it is there: plugged in, or no camera of the device.' }),
    stream_id: orNull(StreamId, 'The stream that has it; null: none.'),
    revision: orNull(
      Type.Integer({ minimum: 1 }),
      'Of that stream, which its pose is a part of: what a change of the pose may expect; null: it has none.',
    ),
    pose: orNull(
      PoseDocument,
      'Of the camera body in the robot frame; null: nobody has said, it is taken to be the origin.',
    ),
    quaternion: orNull(Quaternion, 'The rotation of the pose once more; null: there is no pose.'),
  },
  { ...strict, title: 'LaidOutCamera', description: 'A camera, and where it sits on the robot.' },
)

const { length_m, width_m, height_m } = RobotDimensions.properties

const Robot = Type.Object(
  {
    length_m: orNull(length_m, 'Along x, from the back to the front; null: nobody has said.'),
    width_m: orNull(width_m, 'Along y, from the right to the left; null: nobody has said.'),
    height_m: orNull(height_m, 'Along z, from the floor to the top; null: nobody has said.'),
  },
  { ...strict, title: 'RobotDimensions', description: 'How large the robot is, bumpers and all, in its own frame.' },
)

/** What may be changed about the robot. */
export const RobotChange = Type.Object(
  {
    length_m: Type.Optional(orNull(length_m, 'Along x; null: forget it.')),
    width_m: Type.Optional(orNull(width_m, 'Along y; null: forget it.')),
    height_m: Type.Optional(orNull(height_m, 'Along z; null: forget it.')),
  },
  { ...strict, minProperties: 1, title: 'RobotChange', description: 'What is left out stays as it is.' },
)

/** The layout as a whole. */
export const CameraLayout = Type.Object(
  {
    revision: Type.Integer({
      minimum: 0,
      description: 'Of the layout: it rises with each change of a stream, a camera or the robot.',
    }),
    robot: Robot,
    cameras: Type.Array(LaidOutCamera, { description: 'Those of streams first, in the order of the streams.' }),
  },
  { ...strict, title: 'CameraLayout', description: 'Where the cameras sit on the robot, and how large that is.' },
)
export type CameraLayout = Static<typeof CameraLayout>

export const layoutExample = {
  revision: 12,
  robot: { length_m: 0.82, width_m: 0.76, height_m: null },
  cameras: [
    {
      camera_uid: 'cam-k3f7q2ma',
      name: 'Acme HD Cam',
      present: true,
      stream_id: 'front',
      revision: 3,
      pose: { x_m: 0.25, y_m: 0, z_m: 0.5, roll_deg: 0, pitch_deg: 0, yaw_deg: 180 },
      quaternion: { w: 0, x: 0, y: 0, z: 1 },
    },
  ],
}
