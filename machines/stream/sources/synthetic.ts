// The synthetic camera as a source.
import type { Static } from 'typebox'
import { PoseDocument } from '../../localization/pose.ts'
import { inputOf, withDefault } from '../../schema/defaults.ts'
import type { SchemaError } from '../../schema/explain.ts'
import { oneLine } from '../../schema/one-line.ts'
import Type from '../../schema/type.ts'
import { Fps } from './fps.ts'
import { sourceKind } from './source-kind.ts'
import { boardErrors, HeldBoard, WholeHeldBoard } from './synthetic-board.ts'

const strict = { additionalProperties: false } as const

const Seed = (description: string) => Type.Integer({ minimum: 0, maximum: 4_294_967_295, description })

const driveFields = {
  seed: Seed('Equal seeds, speeds and sizes of the field give the same drive, from the same moment on.'),
  speed_m_s: withDefault(
    Type.Number({ minimum: 0, maximum: 5, description: 'At most; 0: it never leaves its place.' }),
    2,
  ),
  spin_deg_s: withDefault(Type.Number({ minimum: 0, maximum: 360, description: 'How fast it turns, at most.' }), 90),
}

const aboutDrive = oneLine`
  Where the robot drives when motion is \`drive\`: from place to place, turning meanwhile and standing now and then.
  Where it is follows from this and the device's clock, whoever opens its camera when: streams with equal drives are
  cameras of one robot.`

const Drive = inputOf(driveFields, { ...strict, title: 'SyntheticDrive', description: aboutDrive })
const WholeDrive = Type.Object(driveFields, {
  ...strict,
  title: 'CanonicalSyntheticDrive',
  description: aboutDrive,
})

const MapFaults = Type.Object(
  {
    m: Type.Number({ minimum: 0, maximum: 1, description: 'How far tags hang off, along each axis; one sigma.' }),
    deg: Type.Number({ minimum: 0, maximum: 45, description: 'How far they are turned about each axis; one sigma.' }),
    seed: Seed('Equal seeds displace the tags alike: cameras of one robot need the same.'),
  },
  { ...strict, title: 'SyntheticMapFaults', description: 'All tags hang elsewhere, by chance.' },
)

const DisplacedTag = Type.Object(
  { id: Type.Integer({ minimum: 0, maximum: 100_000, description: 'Of any family.' }), offset: PoseDocument },
  {
    ...strict,
    title: 'DisplacedTag',
    description: 'A tag, and where it really hangs, seen from where the map says: x out of its printed face.',
  },
)

const Lens = Type.Object(
  {
    fx_px: Type.Number({ exclusiveMinimum: 0, maximum: 100_000, description: 'Focal length, horizontal.' }),
    fy_px: Type.Number({ exclusiveMinimum: 0, maximum: 100_000, description: 'Focal length, vertical.' }),
    cx_px: Type.Number({ minimum: -8192, maximum: 16_384, description: 'Optical centre, from the left.' }),
    cy_px: Type.Number({ minimum: -8192, maximum: 16_384, description: 'Optical centre, from the top.' }),
    distortion: Type.Array(Type.Number({ minimum: -1000, maximum: 1000 }), {
      maxItems: 8,
      description: "OpenCV's order: k1 k2 p1 p2 k3 k4 k5 k6; none, 4, 5 or 8 numbers.",
    }),
  },
  {
    ...strict,
    title: 'SyntheticLens',
    description: oneLine`
      The lens as it is, of the source's pictures, whatever the intrinsics of the stream are. Nobody is told of it: a
      stream without intrinsics is then not calibrated, as with any other camera.
    `,
  },
)

const Faults = Type.Object(
  {
    mount: Type.Optional(PoseDocument),
    lens: Type.Optional(Lens),
    lens_share: Type.Optional(
      Type.Number({ minimum: -0.5, maximum: 0.5, description: 'By which share the focal length is longer than said.' }),
    ),
    map: Type.Optional(MapFaults),
    tags: Type.Optional(Type.Array(DisplacedTag, { maxItems: 1000, description: 'Besides what `map` does to them.' })),
  },
  {
    ...strict,
    title: 'SyntheticFaults',
    description: oneLine`
      What is otherwise than everybody is told, and what the truth goes by. mount: where the camera really sits, seen
      from where the stream's pose says, in the camera's own axes.`,
  },
)

const fields = {
  backend: Type.Literal('synthetic'),
  width_px: withDefault(Type.Integer({ minimum: 64, maximum: 4096, description: 'Of the picture.' }), 1280),
  height_px: withDefault(Type.Integer({ minimum: 64, maximum: 4096, description: 'Of the picture.' }), 800),
  fps: Fps,
  seed: withDefault(Seed('Equal seeds give equal noise and hidden tags.'), 1),
  motion: withDefault(
    Type.Union([Type.Literal('patrol'), Type.Literal('orbit'), Type.Literal('still'), Type.Literal('drive')], {
      description: oneLine`
        patrol: a closed curve over the field. orbit: around 3 m in front of the nearest tag group. still: stands.
        drive: as \`drive\` says, which several cameras may share.`,
    }),
    'patrol',
  ),
  speed_m_s: withDefault(
    Type.Number({ minimum: 0, maximum: 10, description: 'Of the robot, along its way; a drive has its own.' }),
    0.8,
  ),
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
  blur_px: withDefault(
    Type.Number({ minimum: 0, maximum: 20, description: 'How far out of focus it is: one sigma.' }),
    0,
  ),
  pose: Type.Optional(PoseDocument),
  faults: Type.Optional(Faults),
}

const about = oneLine`
  A camera that is computed: tag36h11 tags of a field map, seen from a robot that drives a known way. pose: where the
  robot stands when motion is \`still\`. board: one to calibrate the camera by, held in front of it.`

/** The synthetic camera: tag36h11 tags of a field map, seen from a robot that drives a known trajectory. */
export const SyntheticSource = inputOf(
  { ...fields, drive: Type.Optional(Drive), board: Type.Optional(HeldBoard) },
  { ...strict, title: 'SyntheticSource', description: about },
)
export type SyntheticSource = Static<typeof SyntheticSource>

const lensErrors = (lens: Static<typeof Lens> | undefined): readonly SchemaError[] =>
  lens && ![0, 4, 5, 8].includes(lens.distortion.length)
    ? [{ pointer: '/source/faults/lens/distortion', message: 'has to have 0, 4, 5 or 8 numbers' }]
    : []

/** A camera that is computed. */
export const syntheticKind = sourceKind({
  backend: 'synthetic',
  sent: SyntheticSource,
  whole: Type.Object(
    { ...fields, drive: Type.Optional(WholeDrive), board: Type.Optional(WholeHeldBoard) },
    { ...strict, title: 'CanonicalSyntheticSource', description: about },
  ),
  traits: {
    isComputed: true,
    size: ({ width_px, height_px }) => ({ width_px, height_px }),
    fps: ({ fps }) => fps,
    errors: ({ motion, drive, board, faults }) => [
      ...(motion === 'drive' && !drive
        ? [{ pointer: '/source/drive', message: 'is missing: say which drive it is, as in {"seed": 1}' }]
        : []),
      ...boardErrors(board),
      ...lensErrors(faults?.lens),
    ],
  },
})
