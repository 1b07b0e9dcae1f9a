// What a user wants of a stream: the manifest, with its defaults.
import Type, { type Static } from 'typebox'
import { PoseDocument } from '../localization/pose.ts'
import { GraphDocument } from '../pipeline/graph.ts'
import { Name } from '../schema/name.ts'

/** A stream's id: part of paths, files and topic names. */
export const StreamId = Type.String({
  pattern: '^[a-z][a-z0-9_-]{0,39}$',
  description: '1 to 40 lower-case letters, digits, - and _, beginning with a letter.',
})

/** What people call a stream. */
export const Alias = Name(60, 'A name for people; default: the id.')

const strict = { additionalProperties: false } as const

/** A pinhole camera with OpenCV's distortion, in OpenCV's pixel convention (centre of the top-left pixel = (0, 0)). */
export const Intrinsics = Type.Object(
  {
    width_px: Type.Integer({ minimum: 16, maximum: 8192 }),
    height_px: Type.Integer({ minimum: 16, maximum: 8192 }),
    fx_px: Type.Number({ exclusiveMinimum: 0, maximum: 100_000 }),
    fy_px: Type.Number({ exclusiveMinimum: 0, maximum: 100_000 }),
    cx_px: Type.Number({ minimum: -8192, maximum: 16_384 }),
    cy_px: Type.Number({ minimum: -8192, maximum: 16_384 }),
    distortion: Type.Array(Type.Number({ minimum: -1000, maximum: 1000 }), {
      maxItems: 8,
      description: "OpenCV's order: k1 k2 p1 p2 k3 k4 k5 k6; none, 4, 5 or 8 numbers.",
    }),
  },
  strict,
)
export type Intrinsics = Static<typeof Intrinsics>

const WidthPx = Type.Integer({ minimum: 64, maximum: 4096, default: 1280 })
const HeightPx = Type.Integer({ minimum: 64, maximum: 4096, default: 800 })
const Fps = Type.Number({ minimum: 0.1, maximum: 240, default: 30 })

/** The synthetic camera: tag36h11 tags of a field map, seen from a robot that drives a known trajectory. */
export const SyntheticSource = Type.Object(
  {
    backend: Type.Literal('synthetic'),
    width_px: Type.Optional(WidthPx),
    height_px: Type.Optional(HeightPx),
    fps: Type.Optional(Fps),
    seed: Type.Optional(Type.Integer({ minimum: 0, maximum: 4_294_967_295, default: 1 })),
    motion: Type.Optional(
      Type.Union([Type.Literal('patrol'), Type.Literal('orbit'), Type.Literal('still')], {
        default: 'patrol',
        description:
          'patrol: a closed curve over the field. orbit: around 3 m in front of the nearest tag group. still: stands.',
      }),
    ),
    speed_m_s: Type.Optional(Type.Number({ minimum: 0, maximum: 10, default: 0.8 })),
    noise: Type.Optional(
      Type.Number({ minimum: 0, maximum: 64, default: 2, description: 'Standard deviation, grey levels of 255.' }),
    ),
    exposure_us: Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000, default: 4000 })),
    light: Type.Optional(Type.Number({ minimum: 0.02, maximum: 2, default: 1, description: '1 = well lit.' })),
    vignetting: Type.Optional(
      Type.Number({ minimum: 0, maximum: 1, default: 0.25, description: 'Loss of light in the corners.' }),
    ),
    occlusion: Type.Optional(
      Type.Number({ minimum: 0, maximum: 1, default: 0, description: 'Share of the tags that is partly hidden.' }),
    ),
    pose: Type.Optional(PoseDocument),
  },
  { ...strict, description: 'pose: where the robot stands when motion is `still`.' },
)

/** Pictures from files, played at a rate. */
export const ImagesSource = Type.Object(
  {
    backend: Type.Literal('images'),
    path: Type.Union(
      [
        Type.String({ minLength: 1, maxLength: 4096 }),
        Type.Array(Type.String({ minLength: 1, maxLength: 4096 }), { minItems: 1, maxItems: 10_000 }),
      ],
      {
        description:
          'A folder (its .jpg, .jpeg and .png files by name), a file, or a list of files; absolute, and inside a media root.',
      },
    ),
    fps: Type.Optional(Fps),
    loop: Type.Optional(Type.Boolean({ default: true })),
    pace: Type.Optional(
      Type.Union([Type.Literal('realtime'), Type.Literal('lossless')], {
        default: 'realtime',
        description:
          'realtime: as a camera, so a pipeline that is slower than fps skips pictures. lossless: every picture once, in order; fps is then the most ' +
          'that come in a second, and a slow pipeline is waited for.',
      }),
    ),
  },
  strict,
)

export const SourceDocument = Type.Union([SyntheticSource, ImagesSource])
export type SyntheticSource = Static<typeof SyntheticSource>
export type ImagesSource = Static<typeof ImagesSource>
export type SourceDocument = Static<typeof SourceDocument>

const MapId = Type.String({ minLength: 1, maxLength: 60, default: 'demo' })

/** A stream as its user wants it. */
export const StreamManifest = Type.Object(
  {
    id: Type.Optional(StreamId),
    alias: Type.Optional(Alias),
    internal: Type.Optional(Type.Boolean({ default: false, description: 'Internal streams get no robot adapter.' })),
    enabled: Type.Optional(Type.Boolean({ default: true })),
    source: SourceDocument,
    intrinsics: Type.Optional(Intrinsics),
    pose: Type.Optional(PoseDocument),
    map_id: Type.Optional(MapId),
    pipeline: Type.Optional(GraphDocument),
    media_grants: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 4096 }), {
        maxItems: 10_000,
        readOnly: true,
        description:
          'Places outside of the media roots that an administrator allowed this stream to read. Set by the service; ignored when sent.',
      }),
    ),
    extcam: Type.Optional(
      Type.Object(
        {
          enabled: Type.Optional(Type.Boolean({ default: true })),
          table: Type.Optional(
            Type.String({
              pattern: '^[A-Za-z0-9_-]{1,60}$',
              description:
                '1 to 60 letters, digits, - and _. The NT table; default `limelight` or `limelight-<alias>`.',
            }),
          ),
        },
        strict,
      ),
    ),
  },
  {
    ...strict,
    description:
      'pose: the camera body (x forward, y left, z up) in the robot frame. Without intrinsics no poses are solved (the synthetic camera has its own).',
  },
)
export type StreamManifest = Static<typeof StreamManifest>

/** A manifest with its id and every default filled in, as it is stored. */
export const CanonicalManifest = Type.Object(
  {
    ...StreamManifest.properties,
    id: StreamId,
    alias: Alias,
    internal: Type.Boolean(),
    enabled: Type.Boolean(),
    map_id: MapId,
    pipeline: GraphDocument,
  },
  { ...strict, description: 'A stream manifest with its id and every default filled in.' },
)
export type CanonicalManifest = Static<typeof CanonicalManifest>
