// A camera on the wire.

import type { Static } from 'typebox'
import { ModeRates } from '../../machines/cameras/camera-info.ts'
import { CameraMode, CameraUid } from '../../machines/cameras/mode.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { orNull } from '../../machines/schema/or-null.ts'
import { StreamId } from '../../machines/schema/stream-id.ts'
import Type from '../../machines/schema/type.ts'

const strict = { additionalProperties: false } as const
const CameraUsb = Type.Object(
  {
    vendor_id: Type.String({ description: 'Four hexadecimal digits.' }),
    product_id: Type.String({ description: 'Four hexadecimal digits.' }),
    manufacturer: orNull(Type.String(), 'As it says; null: it says nothing.'),
    product: orNull(Type.String(), 'As it says; null: it says nothing.'),
    serial: orNull(Type.String(), 'As it says, be it of use or not; null: it says nothing.'),
    controller: Type.String({ description: 'Where the controller sits in this machine.' }),
    port: Type.String({ description: 'Along the hubs, as `1.3`.' }),
    bus: Type.Integer({
      description: 'Cameras on one bus share what it carries. Another number after the next start.',
    }),
    speed_mbit_s: orNull(Type.Number(), 'At which it is connected: 480 is USB 2, 5000 USB 3; null: not known.'),
  },
  { ...strict, title: 'CameraUsb', description: 'How a camera is plugged in.' },
)

const Candidate = Type.Object(
  {
    camera_uid: CameraUid,
    name: Type.String(),
    stream_id: orNull(StreamId, 'The stream that has it; null: none.'),
  },
  { ...strict, title: 'CameraCandidate', description: 'A camera that is away, and that this one may be.' },
)

/** A camera that is plugged in, or was. */
export const Camera = Type.Object(
  {
    camera_uid: CameraUid,
    name: Type.String({ description: 'What its maker calls it.' }),
    present: Type.Boolean({ description: 'Whether it is plugged in.' }),
    device: orNull(Type.String(), 'Its device file; null: it is not plugged in.'),
    driver: orNull(Type.String(), 'Of the kernel; null: it is not plugged in, or does not answer.'),
    known_by: orNull(
      Type.Enum(['serial', 'port'], {
        title: 'CameraKnownBy',
        description: oneLine`
          serial: it is known in every port. port: nothing tells it from another of its model; who swaps two of these
          swaps their names.
        `,
      }),
      'By what it is known again; null: it is not plugged in.',
    ),
    usb: orNull(CameraUsb, 'How it is plugged in; null: not by USB, or not at all.'),
    modes: Type.Array(ModeRates, { description: 'In which it gives pictures that are understood here.' }),
    other_formats: Type.Array(Type.String(), { description: 'Which it has too, and nobody here understands.' }),
    best_mode: orNull(
      CameraMode,
      'The mode that a stream gets which says none: for tags, on this machine; null: it has none.',
    ),
    stream_id: orNull(StreamId, 'The stream that has it; null: none.'),
    trouble: orNull(Type.String(), 'What is wrong with it, and what can be done; null: nothing.'),
    candidates: Type.Array(Candidate, {
      description:
        'Cameras that are away, and that this one may be, in another port. `assign` of their stream says so.',
    }),
  },
  { ...strict, title: 'Camera', description: 'A camera that is plugged in, or was.' },
)

export type Camera = Static<typeof Camera>

export const cameraExample = {
  camera_uid: 'cam-k3f7q2ma',
  name: 'Acme HD Cam',
  present: true,
  device: '/dev/video0',
  driver: 'uvcvideo',
  known_by: 'port',
  usb: {
    vendor_id: '1d6c',
    product_id: '0103',
    manufacturer: 'Acme',
    product: 'HD Cam',
    serial: 'SN0001',
    controller: 'platform/scb/fd500000.pcie',
    port: '1.3',
    bus: 1,
    speed_mbit_s: 480,
  },
  modes: [
    { pixel_format: 'mjpeg', width_px: 1280, height_px: 720, fps: [30, 15] },
    { pixel_format: 'yuyv', width_px: 640, height_px: 480, fps: [30] },
  ],
  other_formats: ['H264'],
  best_mode: { pixel_format: 'mjpeg', width_px: 1280, height_px: 720, fps: 30 },
  stream_id: 'front',
  trouble: null,
  candidates: [],
}
