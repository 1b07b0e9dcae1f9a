// The rows of a result as documents, one shape for each kind of output: their schemas.

import type { TSchema } from 'typebox'
import { oneLine } from '../schema/one-line.ts'
import Type from '../schema/type.ts'
import { NO_POSE } from './no-pose.ts'
import type { OutputKind } from './result.ts'
import { ScriptValues } from './script-values.ts'
import { SYMBOLOGIES } from './symbologies.ts'
import { TagFamilyName } from './tag-families.ts'

const strict = { additionalProperties: false } as const

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
const TagId = Type.Integer({ minimum: 0, description: 'Of the tag, in its family.' })
const ErrorPx = Type.Number({
  description: 'Root mean square of the distances of the corners from where the pose puts them.',
})
const Ambiguity = Type.Number({
  minimum: 0,
  maximum: 1,
  description: 'Error of this solution over that of the other; 0: there is no other.',
})

const NO_POSE_WORDS = oneLine`
  Why the pipeline, which solves poses of tags, has none of this one; absent when it has. \`uncalibrated\`: the camera
  is not calibrated for pictures of this size. \`beyond_lens\`: a corner lies where the lens model has no inverse.
  \`no_square\`: its corners are seen as no square can be. \`unsolved\`: the pipeline leaves it out.
`

const NoPoseReason = Type.Enum([...NO_POSE], { title: 'NoPose', description: NO_POSE_WORDS })

const Detection = Type.Object(
  {
    family: TagFamilyName,
    id: TagId,
    hamming: Type.Integer({ minimum: 0, description: 'Bits that were corrected.' }),
    margin: Type.Number({ description: "Decision margin, on libapriltag's scale." }),
    center: Pixel,
    corners: Corners,
    no_pose: Type.Optional(NoPoseReason),
  },
  { ...strict, title: 'Detection', description: 'A tag in the picture.' },
)

const Points = Type.Object(
  { family: TagFamilyName, id: TagId, corners: Type.Array(PlanePoint, { ...FOUR, description: ORDER }) },
  { ...strict, title: 'TagPoints', description: 'The corners of a tag on the ideal image plane.' },
)

const TagPose = Type.Object(
  {
    family: TagFamilyName,
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
    description: oneLine`
      A tag in the camera; a flat square has two likely poses. camera_tag: the tag (x right, y down, z into it) in the
      optical frame (x right, y down, z forward).
    `,
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
    description: oneLine`
      Standard deviations of the robot pose: of the noise of the corners, and of the chance that the second solution
      is the true one.
    `,
  },
)

const ByHeading = Type.Object(
  {
    field_robot: QuaternionPose,
    deviations: Type.Object(
      {
        x_m: Type.Number({ description: 'On the field.' }),
        y_m: Type.Number({ description: 'On the field.' }),
        z_m: Type.Number({ description: 'On the field.' }),
      },
      {
        ...strict,
        title: 'PlaceDeviations',
        description: oneLine`
          Standard deviations: of the noise of the corners, and of half a degree of the heading and of how level it
          stands.
        `,
      },
    ),
  },
  {
    ...strict,
    title: 'FieldPoseByHeading',
    description: oneLine`
      Where the robot is, standing level, when it looks as it says itself; absent while it says nothing, or when no
      place fits to that.
    `,
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
    by_heading: Type.Optional(ByHeading),
  },
  {
    ...strict,
    title: 'FieldPose',
    description: 'Where the camera body (x forward, y left, z up) and the robot are on the field.',
  },
)

const Truth = Type.Object(
  {
    field_robot: QuaternionPose,
    field_camera: QuaternionPose,
    camera_board: Type.Optional(QuaternionPose),
  },
  {
    ...strict,
    title: 'Truth',
    description: oneLine`
      Where the robot and the synthetic camera really were. camera_board: the middle of the board that is held in front
      of the camera, seen from its body, with the camera's axes where it is held squarely; absent where none is.
    `,
  },
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

const Degrees = (description: string) => Type.Number({ description })
const Box = {
  center: Pixel,
  width_px: Type.Number({ minimum: 0, description: 'Of the upright bounding box.' }),
  height_px: Type.Number({ minimum: 0, description: 'Of the upright bounding box.' }),
}
const RectCorners = Type.Array(Pixel, {
  ...FOUR,
  description: 'Of the smallest bounding rectangle, clockwise as seen from the corner nearest to the top left.',
})
const Label = Type.String({ description: 'The name of the class.' })
const Confidence = Type.Number({ minimum: 0, maximum: 1, description: 'How sure the model is.' })
const Level = (description: string) => Type.Number({ minimum: 0, maximum: 255, description })
const Share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description })
const Aim = {
  tx_deg: Degrees('Right of the optical axis; 0 where the camera is not calibrated for pictures of this size.'),
  ty_deg: Degrees('Above the optical axis; 0 where the camera is not calibrated for pictures of this size.'),
}

const Contour = Type.Object(
  {
    center: Pixel,
    area_px: Type.Number({ minimum: 0, description: 'Enclosed, in square pixels.' }),
    x_px: Type.Number({ description: 'Left edge of the upright bounding box.' }),
    y_px: Type.Number({ description: 'Top edge of the upright bounding box.' }),
    width_px: Box.width_px,
    height_px: Box.height_px,
    corners: RectCorners,
    points: Type.Integer({ minimum: 0, description: 'Of the outline.' }),
  },
  { ...strict, title: 'Contour', description: 'The outline of something in the picture.' },
)

const Target = Type.Object(
  {
    ...Aim,
    area_share: Share('Of the picture.'),
    skew_deg: Degrees('Of the smallest bounding rectangle: -90 to 0.'),
    ...Box,
    corners: RectCorners,
    pose: Type.Optional(
      Type.Object(
        { error_px: ErrorPx, camera_target: QuaternionPose },
        {
          ...strict,
          title: 'TargetPose',
          description: 'Where it is in the optical frame; absent when it was not solved.',
        },
      ),
    ),
  },
  { ...strict, title: 'Target', description: 'Something to aim at.' },
)

const Circle = Type.Object(
  { center: Pixel, radius_px: Type.Number({ minimum: 0, description: 'Of the circle.' }) },
  { ...strict, title: 'Circle', description: 'A circle in the picture.' },
)

const Found = Type.Object(
  { label: Label, confidence: Confidence, ...Box, ...Aim },
  { ...strict, title: 'FoundObject', description: 'Something in the picture that a model knows.' },
)

const Class = Type.Object(
  { label: Label, confidence: Confidence },
  { ...strict, title: 'FoundClass', description: 'What a model takes the picture for.' },
)

const Barcode = Type.Object(
  {
    text: Type.String({ description: 'What it says.' }),
    symbology: Type.Enum([...SYMBOLOGIES], { description: 'Which kind of code it is.' }),
    corners: Type.Array(Pixel, { ...FOUR, description: 'Around the code.' }),
  },
  { ...strict, title: 'Barcode', description: 'A code with a text.' },
)

const Exposure = Type.Object(
  {
    mean: Level('The mean level.'),
    median: Level('Half of the pixels are darker.'),
    p05: Level('A twentieth of the pixels is darker.'),
    p95: Level('A twentieth of the pixels is brighter.'),
    dark_share: Share('Pixels at the dark end of the scale.'),
    bright_share: Share('Pixels at the bright end of the scale.'),
  },
  { ...strict, title: 'ExposureStats', description: 'How bright the picture is.' },
)

const Focus = Type.Object(
  {
    sharpness: Type.Number({
      minimum: 0,
      description: 'The variance of the Laplacian over the square of the mean level.',
    }),
    best: Type.Number({ minimum: 0, description: 'The greatest since the camera was opened.' }),
  },
  { ...strict, title: 'FocusMetric', description: 'How sharp the picture is.' },
)

const Values = Type.Object(
  { values: ScriptValues },
  { ...strict, title: 'ValuesRow', description: 'What a script gave.' },
)

/** One row of each kind. */
export const RowDocument = {
  detections: Detection,
  points: Points,
  tag_poses: TagPose,
  field_pose: FieldPose,
  contours: Contour,
  targets: Target,
  circles: Circle,
  objects: Found,
  classes: Class,
  barcodes: Barcode,
  exposure: Exposure,
  focus: Focus,
  values: Values,
  truth: Truth,
  visible: Visible,
} as const satisfies Record<OutputKind, TSchema>
