// What pictures can come from, and what of it is there.

import { CAMERAS } from '../../../actors/cameras/tokens.ts'
import { STREAM_REGISTRY } from '../../../actors/stream/tokens.ts'
import { CameraUid } from '../../../machines/cameras/mode.ts'
import { troubleOf } from '../../../machines/cameras/trouble.ts'
import { formOf } from '../../../machines/schema/form.ts'
import { oneLine } from '../../../machines/schema/one-line.ts'
import { orNull } from '../../../machines/schema/or-null.ts'
import { StreamId } from '../../../machines/schema/stream-id.ts'
import Type from '../../../machines/schema/type.ts'
import { userOf } from '../../../machines/stream/assign.ts'
import { FileSource } from '../../../machines/stream/sources/file.ts'
import { ImagesSource } from '../../../machines/stream/sources/images.ts'
import { SyntheticSource } from '../../../machines/stream/sources/synthetic.ts'
import { UrlSource } from '../../../machines/stream/sources/url.ts'
import { V4l2Source } from '../../../machines/stream/sources/v4l2.ts'
import type { Given } from '../../../machines/token.ts'
import { CODECS } from '../../../native/codecs/port.ts'
import { read } from '../../endpoints/read.ts'
import { FormSchema } from '../../pipeline/node-port.ts'

/** The needs of the rows of sources. */
export const backendNeeds = {
  cameras: CAMERAS,
  streams: STREAM_REGISTRY,
  codecs: CODECS,
}
type BackendParts = Given<typeof backendNeeds>

const strict = { additionalProperties: false } as const

const CaptureDevice = Type.Object(
  {
    camera_uid: CameraUid,
    name: Type.String(),
    device: Type.String({ description: 'Its device file now.' }),
    stream_id: orNull(StreamId, 'The stream that has it; null: none.'),
    busy_by: orNull(
      Type.String(),
      oneLine`
        Who takes pictures from it, in words; null: nobody did when it was asked last: when it was plugged in, and every
        few seconds while another program has it.
      `,
    ),
    trouble: orNull(Type.String(), 'What is wrong with it, and what can be done; null: nothing.'),
  },
  { ...strict, title: 'CaptureDevice', description: 'A device that gives pictures.' },
)

const Backends = Type.Object(
  {
    backends: Type.Array(
      Type.Object(
        {
          backend: Type.String(),
          description: Type.String(),
          available: Type.Boolean({ description: 'Whether streams can have it here.' }),
          missing: orNull(Type.String(), 'What is missing, and why; null: nothing.'),
          devices: Type.Array(CaptureDevice, { description: 'What is plugged in, where that means something.' }),
          source: FormSchema,
        },
        {
          ...strict,
          title: 'CaptureBackend',
          description: 'source: the schema of the manifest field of that name.',
        },
      ),
    ),
  },
  { ...strict, title: 'CaptureBackends', description: 'What pictures can come from.' },
)

const always = { available: true, missing: null, devices: [] }

const fixed = [
  {
    backend: 'synthetic',
    description: 'A camera that is computed, with known truth.',
    ...always,
    source: formOf(SyntheticSource),
  },
  { backend: 'images', description: 'JPEG and PNG files, played at a rate.', ...always, source: formOf(ImagesSource) },
]

const videos = ({ codecs }: BackendParts) => {
  const missing = codecs.whyNoVideos()
  return [
    {
      backend: 'file',
      description: 'A recording of this device, or another video.',
      available: missing === null,
      missing,
      devices: [],
      source: formOf(FileSource),
    },
    {
      backend: 'url',
      description: 'A camera on the network that gives live JPEGs, or a video (RTSP; H.264 and H.265).',
      available: true,
      missing: missing && `Live JPEGs can be had. ${missing}`,
      devices: [],
      source: formOf(UrlSource),
    },
  ]
}

const deviceExample = {
  camera_uid: 'cam-k3f7q2ma',
  name: 'Acme HD Cam',
  device: '/dev/video0',
  stream_id: 'front',
  busy_by: 'the stream front',
  trouble: null,
}

export const backendRows = (parts: BackendParts) => [
  read('GET', '/v1/streams/backends', {
    summary: 'What pictures can come from',
    about: 'With the devices that are plugged in, who takes pictures from them, and what is missing.',
    answer: Backends,
    example: {
      backends: [
        {
          backend: 'v4l2',
          description: 'A camera that is plugged in.',
          ...always,
          devices: [deviceExample],
          source: { type: 'object' },
        },
      ],
    },
    get: () => ({ backends: [v4l2Backend(parts), ...fixed, ...videos(parts)] }),
  }),
]

const v4l2Backend = ({ cameras, streams }: BackendParts) => {
  const manifests = streams.all().map(({ manifest }) => manifest)
  const missing = cameras.fault?.detail ?? (cameras.hasLooked ? null : 'the cameras are being looked for just now')
  return {
    backend: 'v4l2',
    description: 'A camera that is plugged in.',
    available: missing === null,
    missing,
    devices: cameras.recognised.present.map((camera) => {
      const { camera_uid, name } = camera.unit
      const stream = userOf(camera_uid, manifests)
      const isTaken = camera.node.answer.ok && camera.node.answer.busy
      return {
        camera_uid,
        name,
        device: camera.node.device,
        stream_id: stream?.id ?? null,
        busy_by: stream?.enabled ? `the stream ${stream.id}` : isTaken ? 'another program' : null,
        trouble: troubleOf(camera, stream !== undefined),
      }
    }),
    source: formOf(V4l2Source),
  }
}
