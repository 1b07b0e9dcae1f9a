// What is published about cameras, besides the changes of what is stored about them.
import { eventKind } from '../events/kind.ts'
import Type from '../schema/type.ts'
import { CameraUid } from './mode.ts'

/** A camera was plugged in or pulled out. */
export const cameraPresence = eventKind({
  kind: 'camera_presence',
  about: 'A camera was plugged in, pulled out, or is found under another device file.',
  reference: { camera_uid: CameraUid },
  data: Type.Object(
    {
      present: Type.Boolean({ description: 'Whether it is plugged in.' }),
      device: Type.Union([Type.String(), Type.Null()], { description: 'Its device file; null: it is not plugged in.' }),
    },
    { additionalProperties: false, title: 'CameraPresence', description: 'Whether a camera is there, and where.' },
  ),
  revised: false,
  example: { resource_ref: { camera_uid: 'cam-k3f7q2ma' }, data: { present: true, device: '/dev/video0' } },
})
