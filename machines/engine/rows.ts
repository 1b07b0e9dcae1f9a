// The rows of a result as documents, one shape for each kind of output: for people and JSON, not for each frame.
import type { Static, TSchema } from 'typebox'
import Type from '../schema/type.ts'
import { type OutputKind, RESULT_FIELDS, type Result, rowsOf, TAG_FAMILIES } from './result.ts'

const strict = { additionalProperties: false } as const

/** Of which outputs are made. */
export const OutputKindName = Type.Enum(Object.keys(RESULT_FIELDS) as OutputKind[], {
  title: 'OutputKind',
  description: 'What the rows of an output are.',
})

const Pixel = Type.Object(
  { x_px: Type.Number({ description: 'From the left.' }), y_px: Type.Number({ description: 'From the top.' }) },
  {
    ...strict,
    title: 'Pixel',
    description: 'A place in the full source picture; the corner of the picture is (0, 0).',
  },
)

const PlanePoint = Type.Object(
  { x: Type.Number({ description: 'X/Z.' }), y: Type.Number({ description: 'Y/Z.' }) },
  { ...strict, title: 'PlanePoint', description: 'A place on the ideal image plane, free of distortion.' },
)

const QuaternionPose = Type.Object(
  {
    x_m: Type.Number({ description: 'Along the x axis of the outer frame.' }),
    y_m: Type.Number({ description: 'Along the y axis of the outer frame.' }),
    z_m: Type.Number({ description: 'Along the z axis of the outer frame.' }),
    qw: Type.Number(),
    qx: Type.Number(),
    qy: Type.Number(),
    qz: Type.Number(),
  },
  { ...strict, title: 'QuaternionPose', description: 'Where one frame stands in another, with a unit quaternion.' },
)

const FOUR = { minItems: 4, maxItems: 4 }
const ORDER = 'In the frame of the tag (x right, y down): (-1, 1), (1, 1), (1, -1), (-1, -1).'
const Corners = Type.Array(Pixel, { ...FOUR, description: ORDER })
const Family = Type.Enum([...TAG_FAMILIES], { title: 'TagFamily', description: 'A family of AprilTags.' })
const TagId = Type.Integer({ minimum: 0, description: 'Of the tag, in its family.' })
const ErrorPx = Type.Number({
  description: 'Root mean square of the distances of the corners from where the pose puts them.',
})
const Ambiguity = Type.Number({
  minimum: 0,
  maximum: 1,
  description: 'Error of this solution over that of the other; 0: there is no other.',
})

const Detection = Type.Object(
  {
    family: Family,
    id: TagId,
    hamming: Type.Integer({ minimum: 0, description: 'Bits that were corrected.' }),
    margin: Type.Number({ description: "Decision margin, on libapriltag's scale." }),
    center: Pixel,
    corners: Corners,
  },
  { ...strict, title: 'Detection', description: 'A tag in the picture.' },
)

const Points = Type.Object(
  { family: Family, id: TagId, corners: Type.Array(PlanePoint, { ...FOUR, description: ORDER }) },
  { ...strict, title: 'TagPoints', description: 'The corners of a tag on the ideal image plane.' },
)

const TagPose = Type.Object(
  {
    family: Family,
    id: TagId,
    ambiguity: Ambiguity,
    error_px: ErrorPx,
    camera_tag: QuaternionPose,
    alternative: Type.Optional(
      Type.Object(
        { error_px: ErrorPx, camera_tag: QuaternionPose },
        { ...strict, title: 'TagPoseAlternative', description: 'The second solution; absent when there is none.' },
      ),
    ),
  },
  {
    ...strict,
    title: 'TagPose',
    description:
      'A tag in the camera; a flat square has two likely poses. camera_tag: the tag (x right, y down, z into it) in the optical frame (x right, y down, z forward).',
  },
)

const Deviations = Type.Object(
  {
    x_m: Type.Number({ description: 'On the field.' }),
    y_m: Type.Number({ description: 'On the field.' }),
    z_m: Type.Number({ description: 'On the field.' }),
    roll_deg: Type.Number({ description: 'About x.' }),
    pitch_deg: Type.Number({ description: 'About y.' }),
    yaw_deg: Type.Number({ description: 'About z.' }),
  },
  {
    ...strict,
    title: 'Deviations',
    description:
      'Standard deviations of the robot pose: of the noise of the corners, and of the chance that the second solution is the true one.',
  },
)

const FieldPose = Type.Object(
  {
    tag_count: Type.Integer({ minimum: 1, description: 'Tags that it was solved from.' }),
    span_m: Type.Number({ description: 'Between the two tags that are farthest apart.' }),
    mean_distance_m: Type.Number({ description: 'From the camera to the tags.' }),
    error_px: ErrorPx,
    ambiguity: Ambiguity,
    field_camera: QuaternionPose,
    field_robot: QuaternionPose,
    alternative: Type.Optional(
      Type.Object(
        { field_robot: QuaternionPose },
        { ...strict, title: 'FieldPoseAlternative', description: 'The second solution; absent when there is none.' },
      ),
    ),
    deviations: Deviations,
  },
  {
    ...strict,
    title: 'FieldPose',
    description: 'Where the camera body (x forward, y left, z up) and the robot are on the field.',
  },
)

const Truth = Type.Object(
  { field_robot: QuaternionPose, field_camera: QuaternionPose },
  { ...strict, title: 'Truth', description: 'Where the robot and the synthetic camera really were.' },
)

const Visible = Type.Object(
  {
    id: TagId,
    distance_m: Type.Number({ minimum: 0, description: 'From the camera.' }),
    visible_fraction: Type.Number({ minimum: 0, maximum: 1, description: 'Of the tag that is not hidden.' }),
    center: Pixel,
    corners: Corners,
  },
  {
    ...strict,
    title: 'VisibleTag',
    description: 'A tag whose centre is in the picture and that faces the synthetic camera.',
  },
)

/** One row of each kind. */
export const RowDocument = {
  detections: Detection,
  points: Points,
  tag_poses: TagPose,
  field_pose: FieldPose,
  truth: Truth,
  visible: Visible,
} as const satisfies Record<OutputKind, TSchema>

type RowOf<Kind extends OutputKind> = Static<(typeof RowDocument)[Kind]>

/** The rows of an output as documents; undefined when there is no output of that name and kind. */
export const rowDocuments = <Kind extends OutputKind>(
  result: Result,
  port: string,
  kind: Kind,
): RowOf<Kind>[] | undefined => {
  const rows = rowsOf(result, port)
  if (rows?.kind !== kind) return undefined
  const fields: readonly string[] = RESULT_FIELDS[kind]
  return Array.from({ length: rows.count }, (_, row) => {
    const start = rows.offset + row * rows.stride
    return MAKERS[kind]((field) => result.data[start + fields.indexOf(field)] as number)
  })
}

type Read = (field: string) => number

const MAKERS: { readonly [Kind in OutputKind]: (read: Read) => RowOf<Kind> } = {
  detections: (read) => ({
    family: familyOf(read),
    id: read('id'),
    hamming: read('hamming'),
    margin: read('margin'),
    center: pixelOf(read, 'c'),
    corners: cornersOf(read),
  }),
  points: (read) => ({
    family: familyOf(read),
    id: read('id'),
    corners: FOUR_CORNERS.map((n) => ({ x: read(`x${n}`), y: read(`y${n}`) })),
  }),
  tag_poses: (read) => ({
    family: familyOf(read),
    id: read('id'),
    ambiguity: read('ambiguity'),
    error_px: read('error_px'),
    camera_tag: poseOf(read, 'camera_tag'),
    // The solver that found but one says it twice.
    ...(read('ambiguity') > 0 && {
      alternative: { error_px: read('alt_error_px'), camera_tag: poseOf(read, 'alt_camera_tag') },
    }),
  }),
  field_pose: (read) => ({
    tag_count: read('tag_count'),
    span_m: read('span_m'),
    mean_distance_m: read('mean_distance_m'),
    error_px: read('error_px'),
    ambiguity: read('ambiguity'),
    field_camera: poseOf(read, 'field_camera'),
    field_robot: poseOf(read, 'field_robot'),
    // All zeros is no rotation: there is none.
    ...(QUATERNION.some((part) => read(`alt_field_robot_${part}`) !== 0) && {
      alternative: { field_robot: poseOf(read, 'alt_field_robot') },
    }),
    deviations: {
      x_m: read('std_x_m'),
      y_m: read('std_y_m'),
      z_m: read('std_z_m'),
      roll_deg: read('std_roll_deg'),
      pitch_deg: read('std_pitch_deg'),
      yaw_deg: read('std_yaw_deg'),
    },
  }),
  truth: (read) => ({ field_robot: poseOf(read, 'field_robot'), field_camera: poseOf(read, 'field_camera') }),
  visible: (read) => ({
    id: read('id'),
    distance_m: read('distance_m'),
    visible_fraction: read('visible_fraction'),
    center: pixelOf(read, 'c'),
    corners: cornersOf(read),
  }),
}

const FOUR_CORNERS = [0, 1, 2, 3]
const QUATERNION = ['qw', 'qx', 'qy', 'qz']

const familyOf = (read: Read) => TAG_FAMILIES[read('family')] as (typeof TAG_FAMILIES)[number]

const pixelOf = (read: Read, prefix: string, n = '') => ({
  x_px: read(`${prefix}x${n}_px`),
  y_px: read(`${prefix}y${n}_px`),
})

const cornersOf = (read: Read) => FOUR_CORNERS.map((n) => pixelOf(read, '', String(n)))

const poseOf = (read: Read, of: string) => ({
  x_m: read(`${of}_x_m`),
  y_m: read(`${of}_y_m`),
  z_m: read(`${of}_z_m`),
  qw: read(`${of}_qw`),
  qx: read(`${of}_qx`),
  qy: read(`${of}_qy`),
  qz: read(`${of}_qz`),
})
