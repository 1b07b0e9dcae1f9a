// What the pictures of a stream come from: a source for each capture backend, with its defaults.
import type { Static } from 'typebox'
import { CameraUid, modeFields } from '../../cameras/mode.ts'
import { PoseDocument } from '../../localization/pose.ts'
import { inputOf, withDefault } from '../../schema/defaults.ts'
import Type from '../../schema/type.ts'
import { CanonicalFileSource, FilePath, FileSource } from './file-source.ts'

const strict = { additionalProperties: false } as const

const Fps = withDefault(Type.Number({ minimum: 0.1, maximum: 240, description: 'Pictures per second.' }), 30)

const syntheticFields = {
  backend: Type.Literal('synthetic'),
  width_px: withDefault(Type.Integer({ minimum: 64, maximum: 4096, description: 'Of the picture.' }), 1280),
  height_px: withDefault(Type.Integer({ minimum: 64, maximum: 4096, description: 'Of the picture.' }), 800),
  fps: Fps,
  seed: withDefault(
    Type.Integer({ minimum: 0, maximum: 4_294_967_295, description: 'Equal seeds give equal noise and hidden tags.' }),
    1,
  ),
  motion: withDefault(
    Type.Union([Type.Literal('patrol'), Type.Literal('orbit'), Type.Literal('still')], {
      description:
        'patrol: a closed curve over the field. orbit: around 3 m in front of the nearest tag group. still: stands.',
    }),
    'patrol',
  ),
  speed_m_s: withDefault(Type.Number({ minimum: 0, maximum: 10, description: 'Of the robot, along its way.' }), 0.8),
  noise: withDefault(
    Type.Number({ minimum: 0, maximum: 64, description: 'Standard deviation, grey levels of 255.' }),
    2,
  ),
  exposure_us: withDefault(
    Type.Integer({ minimum: 0, maximum: 100_000, description: 'What moves meanwhile is smeared.' }),
    4000,
  ),
  light: withDefault(Type.Number({ minimum: 0.02, maximum: 2, description: '1 = well lit.' }), 1),
  vignetting: withDefault(Type.Number({ minimum: 0, maximum: 1, description: 'Loss of light in the corners.' }), 0.25),
  occlusion: withDefault(
    Type.Number({ minimum: 0, maximum: 1, description: 'Share of the tags that is partly hidden.' }),
    0,
  ),
  pose: Type.Optional(PoseDocument),
}

const aboutSynthetic =
  'A camera that is computed: tag36h11 tags of a field map, seen from a robot that drives a known way. pose: where the robot stands when motion is `still`.'

/** The synthetic camera: tag36h11 tags of a field map, seen from a robot that drives a known trajectory. */
export const SyntheticSource = inputOf(syntheticFields, {
  ...strict,
  title: 'SyntheticSource',
  description: aboutSynthetic,
})

/** The same, whole. */
const CanonicalSyntheticSource = Type.Object(syntheticFields, {
  ...strict,
  title: 'CanonicalSyntheticSource',
  description: aboutSynthetic,
})

const imagesFields = {
  backend: Type.Literal('images'),
  path: Type.Union([FilePath, Type.Array(FilePath, { minItems: 1, maxItems: 10_000 })], {
    description:
      'A folder (its .jpg, .jpeg and .png files by name), a file, or a list of files; absolute, and inside a media root.',
  }),
  fps: Fps,
  loop: withDefault(Type.Boolean({ description: 'Whether it begins anew after the last picture.' }), true),
  pace: withDefault(
    Type.Union([Type.Literal('realtime'), Type.Literal('lossless')], {
      description:
        'realtime: as a camera, so a pipeline that is slower than fps skips pictures. lossless: every picture once, in order; fps is then the most ' +
        'that come in a second, and a slow pipeline is waited for.',
    }),
    'realtime',
  ),
}

const aboutImages =
  'JPEG and PNG files, played at a rate; each is set upright first, where it has a note (EXIF) of which side is up.'

/** Pictures from files, played at a rate. */
export const ImagesSource = inputOf(imagesFields, { ...strict, title: 'ImagesSource', description: aboutImages })

/** The same, whole. */
const CanonicalImagesSource = Type.Object(imagesFields, {
  ...strict,
  title: 'CanonicalImagesSource',
  description: aboutImages,
})

const aboutV4l2 = 'A camera that is plugged in, by its lasting name.'

/** A camera of the device. What of its mode is left out, the best mode of the camera says. */
export const V4l2Source = Type.Object(
  {
    backend: Type.Literal('v4l2'),
    camera_uid: CameraUid,
    pixel_format: Type.Optional(modeFields.pixel_format),
    width_px: Type.Optional(modeFields.width_px),
    height_px: Type.Optional(modeFields.height_px),
    fps: Type.Optional(modeFields.fps),
  },
  {
    ...strict,
    title: 'V4l2Source',
    description: `${aboutV4l2} What is left out of the mode is chosen from the modes that the camera has.`,
  },
)

/** The same, whole. */
const CanonicalV4l2Source = Type.Object(
  { backend: Type.Literal('v4l2'), camera_uid: CameraUid, ...modeFields },
  { ...strict, title: 'CanonicalV4l2Source', description: aboutV4l2 },
)

const Credential = (description: string) => Type.String({ minLength: 1, maxLength: 128, description })

const urlFields = {
  backend: Type.Literal('url'),
  url: Type.String({
    pattern: '^(https?|rtsps?)://[^/?#\\s][^\\s]{0,2000}$',
    description:
      'Http://, https://, rtsp:// or rtsps:// and up to 2000 characters without blanks: where the camera gives live JPEGs (multipart/x-mixed-replace), or a video in H.264, H.265 or MJPEG. Without a name and password in it. What stands behind ? is kept, and shown to nobody: an address is shown as `http://10.12.34.11/video?...`.',
    examples: ['http://10.12.34.11/mjpg/video.mjpg', 'rtsp://10.12.34.12/stream1'],
  }),
  username: Type.Optional(Credential('For cameras that ask who is there (Basic or Digest).')),
  password: Type.Optional({ ...Credential('Kept, and not shown to anybody.'), writeOnly: true }),
  fps: withDefault(
    Type.Number({ minimum: 0.1, maximum: 240, description: 'What the camera gives; a silence is judged by it.' }),
    30,
  ),
}

const aboutUrl =
  'A camera on the network that gives live JPEGs or a video. Redirects over HTTP are followed, at most three, and never into another kind of network; others are not.'

/** A camera on the network. */
export const UrlSource = inputOf(urlFields, { ...strict, title: 'UrlSource', description: aboutUrl })

/** The same, whole. */
const CanonicalUrlSource = Type.Object(urlFields, {
  ...strict,
  title: 'CanonicalUrlSource',
  description: aboutUrl,
})

const aboutPeer =
  'A stream of another device, whose pictures come through the tunnel to it. Made by the command `set_compute` alone, and gone with it: it can be sent for the stream that has it, and for no other.'

/** A stream of a peer whose pictures are worked on here. It stands for the explicit order to do so. */
export const PeerSource = Type.Object(
  {
    backend: Type.Literal('peer'),
    peer_id: Type.String({ maxLength: 40, description: 'The peer.' }),
    stream_id: Type.String({ maxLength: 64, description: 'The stream, as the peer names it.' }),
    fps: Type.Number({ minimum: 0.1, maximum: 240, description: 'What its camera gives there.' }),
  },
  { ...strict, title: 'PeerSource', description: aboutPeer },
)
export type PeerSource = Static<typeof PeerSource>

/** What the pictures come from, as a client may send it. */
export const SourceDocument = Type.Union([SyntheticSource, ImagesSource, V4l2Source, UrlSource, FileSource, PeerSource])
export type SourceDocument = Static<typeof SourceDocument>
export type SyntheticSource = Static<typeof SyntheticSource>
export type ImagesSource = Static<typeof ImagesSource>
export type V4l2Source = Static<typeof V4l2Source>
export type UrlSource = Static<typeof UrlSource>
export type CanonicalV4l2Source = Static<typeof CanonicalV4l2Source>

/** What the pictures come from, with every default filled in. */
export const CanonicalSource = Type.Union([
  CanonicalSyntheticSource,
  CanonicalImagesSource,
  CanonicalV4l2Source,
  CanonicalUrlSource,
  CanonicalFileSource,
  PeerSource,
])
export type CanonicalSource = Static<typeof CanonicalSource>
