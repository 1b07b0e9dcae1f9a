// What a user wants of a stream: the manifest, with its defaults.
import type { Static } from 'typebox'
import { Crop } from '../cameras/crop.ts'
import { ABOUT_CAMERA_UID, CameraUid } from '../cameras/mode.ts'
import { PoseDocument } from '../localization/pose.ts'
import { CanonicalGraph, GraphDocument } from '../pipeline/graph.ts'
import { inputOf, withDefault } from '../schema/defaults.ts'
import { Name } from '../schema/name.ts'
import { oneLine } from '../schema/one-line.ts'
import { StreamId } from '../schema/stream-id.ts'
import Type from '../schema/type.ts'
import { portFields } from './extcam-ports.ts'
import { rewindFields } from './rewind.ts'
import { slotFields } from './slots.ts'
import { FilePath } from './sources/file-path.ts'
import { CanonicalSource, SourceDocument } from './sources/source.ts'

export const MAX_ALIAS_LENGTH = 60

/** What people call a stream. */
export const Alias = Name(MAX_ALIAS_LENGTH, 'A name for people; default: the id.')

const strict = { additionalProperties: false } as const

/** A pinhole camera with OpenCV's distortion, in OpenCV's pixel convention (centre of the top-left pixel = (0, 0)). */
export const Intrinsics = Type.Object(
  {
    width_px: Type.Integer({
      minimum: 16,
      maximum: 8192,
      description: 'Of the pictures that were calibrated, upright.',
    }),
    height_px: Type.Integer({
      minimum: 16,
      maximum: 8192,
      description: 'Of the pictures that were calibrated, upright.',
    }),
    fx_px: Type.Number({ exclusiveMinimum: 0, maximum: 100_000, description: 'Focal length, horizontal.' }),
    fy_px: Type.Number({ exclusiveMinimum: 0, maximum: 100_000, description: 'Focal length, vertical.' }),
    cx_px: Type.Number({ minimum: -8192, maximum: 16_384, description: 'Optical centre, from the left.' }),
    cy_px: Type.Number({ minimum: -8192, maximum: 16_384, description: 'Optical centre, from the top.' }),
    distortion: Type.Array(Type.Number({ minimum: -1000, maximum: 1000 }), {
      maxItems: 14,
      description:
        "OpenCV's order: k1 k2 p1 p2 k3 k4 k5 k6; none, 4, 5 or 8 numbers. Of 12 or 14, as OpenCV also gives them, " +
        'those after the eighth have to be 0, and are left away.',
    }),
  },
  {
    ...strict,
    title: 'Intrinsics',
    description: oneLine`
      A pinhole camera with OpenCV's distortion, in OpenCV's pixel convention: the centre of the top-left pixel is (0,
      0).`,
  },
)
export type Intrinsics = Static<typeof Intrinsics>

const extcamFields = {
  enabled: withDefault(Type.Boolean({ description: 'Whether the robot finds the stream as the vendor camera.' }), true),
  table: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9_-]{1,60}$',
      description: '1 to 60 letters, digits, - and _. The NT table; default `limelight` or `limelight-<alias>`.',
    }),
  ),
  ...portFields,
}

const aboutRewind = 'The last pictures, kept in memory: a recording that is started with `rewind` begins with them.'

const aboutExtcam = 'How the robot finds the stream: as the emulated vendor camera.'

const manifestFields = {
  id: StreamId,
  alias: Alias,
  internal: withDefault(Type.Boolean({ description: 'Internal streams get no robot adapter.' }), false),
  enabled: withDefault(Type.Boolean({ description: 'Whether it runs; a stream that does not is kept.' }), true),
  priority: withDefault(
    Type.Integer({
      minimum: 1,
      maximum: 10,
      description: oneLine`
        Which stream keeps its preview when the bandwidth does not suffice for all, and what it computes when the device
        has too little for all: the higher number. Among equals those that the robot is told of, then the older ones.
      `,
    }),
    5,
  ),
  source: CanonicalSource,
  crop: Type.Optional(Crop),
  intrinsics: Type.Optional(Intrinsics),
  pose: Type.Optional(PoseDocument),
  map_id: withDefault(Type.String({ minLength: 1, maxLength: 60, description: 'The field map.' }), 'demo'),
  pipeline: CanonicalGraph,
  ...slotFields,
  media_grants: Type.Optional(
    Type.Array(FilePath, {
      maxItems: 10_000,
      readOnly: true,
      description: oneLine`
        Places outside of the media roots that an administrator allowed this stream to read. Set by the service;
        ignored when sent.`,
    }),
  ),
  extcam: Type.Optional(
    Type.Object(extcamFields, { ...strict, title: 'CanonicalRobotTable', description: aboutExtcam }),
  ),
  rewind: Type.Optional(Type.Object(rewindFields, { ...strict, title: 'CanonicalRewind', description: aboutRewind })),
}

const aboutManifest = oneLine`
  crop: what of its picture the stream has; none: all. pose: the camera body (x forward, y left, z up) in the robot
  frame. Without intrinsics no poses are solved (the synthetic camera has its own). pipeline: what runs. own_pipeline:
  what ran before a slot was made active, and runs again when none is.`

/** A stream as its user wants it, as it may be sent: with a source, or with no more of it than the name of a camera. */
export const StreamManifest = inputOf(
  {
    ...manifestFields,
    id: Type.Optional(StreamId),
    alias: Type.Optional(Alias),
    source: Type.Optional(SourceDocument),
    camera_uid: Type.Optional({
      ...CameraUid,
      description: `${ABOUT_CAMERA_UID} In place of a source: this camera, in its best mode.`,
    }),
    pipeline: Type.Optional(GraphDocument),
    own_pipeline: Type.Optional(GraphDocument),
    extcam: Type.Optional(inputOf(extcamFields, { ...strict, title: 'RobotTable', description: aboutExtcam })),
    rewind: Type.Optional(inputOf(rewindFields, { ...strict, title: 'Rewind', description: aboutRewind })),
  },
  {
    ...strict,
    title: 'StreamManifest',
    description: `A stream as its user wants it, with a \`source\` or a \`camera_uid\`. ${aboutManifest}`,
  },
)
export type SentManifest = Static<typeof StreamManifest>

/** The same, once its source is known. */
export type StreamManifest = Omit<SentManifest, 'source' | 'camera_uid'> & { readonly source: SourceDocument }

/** A manifest with its id and every default filled in, as it is stored. */
export const CanonicalManifest = Type.Object(manifestFields, {
  ...strict,
  title: 'StreamSpec',
  description: `A stream manifest with its id and every default filled in. ${aboutManifest}`,
})
export type CanonicalManifest = Static<typeof CanonicalManifest>
