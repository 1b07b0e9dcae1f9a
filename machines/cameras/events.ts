// What is published about cameras.
import { documentEvent, eventKind } from '../events/kind.ts'
import Type from '../schema/type.ts'
import { CameraUid } from './mode.ts'

/** A unit was met for the first time, or what is known of it has changed. */
export const cameraChanged = documentEvent({
  kind: 'camera_changed',
  about: 'A camera was met for the first time, or what is stored about it was changed: its port, its controls.',
  of: { field: 'camera_uid', id: CameraUid, example: 'cam-k3f7q2ma' },
})

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
