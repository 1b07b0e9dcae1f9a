// The rig: where the cameras sit on the robot, and how large that is.

import { quaternionOf } from '../../machines/localization/pose-body.ts'
import { rigChanged } from '../../machines/rig/events.ts'
import { cameraLayout } from '../../machines/rig/layout.ts'
import { ROBOT, rigCollection } from '../../machines/rig/robot.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { mergeOrder } from '../../machines/settings/commit.ts'
import { documentOf, revisionOfWhole } from '../../machines/settings/store.ts'
import { areaOf } from '../endpoints/area.ts'
import { command } from '../endpoints/command.ts'
import { area } from '../endpoints/endpoint.ts'
import { read } from '../endpoints/read.ts'
import { laidOut, poseRows, type RigParts, rigNeeds } from './pose.ts'
import { CameraLayout, layoutExample, RobotChange } from './wire.ts'

export const rigArea = areaOf(rigNeeds, (parts) =>
  area('rig', 'Where the cameras sit on the robot.', [
    read('GET', '/v1/device/camera-layout', {
      summary: 'All cameras on the robot',
      about: oneLine`
        A pose is that of the camera body in the robot frame: x forward, y left, z up. It is a part of the stream that
        has the camera: what is changed here is changed there, and the other way round.
      `,
      answer: CameraLayout,
      example: layoutExample,
      get: () => layoutDocument(parts),
    }),

    ...poseRows(parts, '/v1/device/cameras'),

    command('PATCH', '/v1/device/robot-dimensions', {
      summary: 'Say how large the robot is',
      about: 'Answers with the layout. The revision that may be expected is that of the layout.',
      conditional: true,
      publishes: [rigChanged],
      to: 'settings',
      body: { schema: RobotChange, example: { length_m: 0.82, width_m: 0.76 } },
      send: ({ body, expected }) => mergeOrder(rigCollection, ROBOT, body, { ...expected, whole: cameraLayout }),
      answer: { schema: CameraLayout, example: layoutExample, of: () => layoutDocument(parts) },
    }),
  ]),
)

const layoutDocument = (parts: RigParts): CameraLayout => {
  const robot = documentOf(parts.directory.settings, rigCollection, ROBOT)?.value
  return {
    revision: revisionOf(parts),
    robot: { length_m: null, width_m: null, height_m: null, ...robot },
    cameras: laidOut(parts).map(({ stream, pose, ...camera }) => ({
      ...camera,
      stream_id: stream?.value.id ?? null,
      revision: stream?.revision ?? null,
      pose,
      quaternion: pose && quaternionOf(pose),
    })),
  }
}

const revisionOf = ({ directory: { settings } }: RigParts): number =>
  revisionOfWhole(settings.getSnapshot().context, cameraLayout)
