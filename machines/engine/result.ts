/**
 * The packed result of one frame: one Float64Array and the layout that was announced when the engine opened.
 *
 * The array is a header, the wall time of each stage in µs, then for each output a row count and its rows. Stages that only pictures need are run after the
 * result is out: theirs is the time of the frame before, 0 when they were not run. Pixel coordinates have the
 * top-left corner of the image at (0, 0), so the centre of the first pixel at (0.5, 0.5), and are always those of the full source image.
 * Tag corners come in libapriltag's order: tag frame (-1,1), (1,1), (1,-1), (-1,-1), with y down.
 */

/**
 * Times are CLOCK_MONOTONIC µs; captured is mid-exposure. skipped: frames since the camera was opened that gave no result: a newer one came first,
 * they could not be decoded, or the robot wanted them left out. plan: the number of the plan that gave it, from 1 for each engine; another has another layout.
 * too_full: 1 where a step had more before it than memory and time allow, and has looked at the picture smaller than asked for (`picture.too_full`); else 0.
 */
export const RESULT_HEADER = [
  'seq',
  'captured_us',
  'started_us',
  'finished_us',
  'width_px',
  'height_px',
  'skipped',
  'cpu_us',
  'plan',
  'too_full',
] as const

const pose = (of: string) => ['x_m', 'y_m', 'z_m', 'qw', 'qx', 'qy', 'qz'].map((field) => `${of}_${field}`)
const corners = (unit: string) => [0, 1, 2, 3].flatMap((n) => [`x${n}${unit}`, `y${n}${unit}`])

/**
 * The fields of one row of each kind of output.
 *
 * family: index into TAG_FAMILIES. points: ideal image plane, x = X/Z, y = Y/Z. tag_poses: camera_tag is the tag in the optical frame
 * (x right, y down, z forward) with tag axes x right, y down, z into the tag as its viewer sees them; `alt` is the second solution; ambiguity is
 * best error over second error, 0 to 1;
 * no_pose: 0, or why there is none (no-pose.ts), and all of it is zeros. field_pose (no row or one): field_camera and field_robot are the camera body (forward, left, up) and
 * the robot in the field frame; alt_field_robot is the second solution of tags in one plane, all zeros when there is none; ambiguity is the smaller
 * error of the two over the larger; std are standard deviations, of the corners' noise and of the chance that the second solution is the true one,
 * but not of a wrong map or calibration beyond what the corners show of it; where the corners leave the pose open, and only the robot's heading tells it, field_camera
 * and field_robot are all zeros, and so are error, ambiguity and std. heading_*: the robot level, with the yaw that it said, and where the corners put it then, when
 * has_heading is 1; else zeros. contours: outlines; x, y, width, height is the upright bounding box, the corners are
 * those of the smallest bounding rectangle, clockwise as seen from that nearest to the top left. targets: tx, ty are degrees right of and above the optical axis,
 * camera_target holds when has_pose is 1. objects, classes: label is an index into the names of the layout. barcodes: text_at, text_bytes are a part of the text
 * behind the rows; symbology: index into SYMBOLOGIES. exposure: levels from 0 to 255, shares from 0 to 1. focus: the variance of the Laplacian over the square of the mean level. values (no row or one): a part of the text, JSON. truth: the synthetic camera's own. visible: its tags whose centre is in the picture and that face the camera, with the
 * fraction of the tag that is not hidden.
 */
export const RESULT_FIELDS = {
  detections: ['family', 'id', 'hamming', 'margin', 'cx_px', 'cy_px', ...corners('_px')],
  points: ['family', 'id', ...corners('')],
  tag_poses: [
    'family',
    'id',
    'ambiguity',
    'error_px',
    'alt_error_px',
    ...pose('camera_tag'),
    ...pose('alt_camera_tag'),
    'no_pose',
  ],
  field_pose: [
    'tag_count',
    'span_m',
    'mean_distance_m',
    'error_px',
    'ambiguity',
    ...pose('field_camera'),
    ...pose('field_robot'),
    ...pose('alt_field_robot'),
    'std_x_m',
    'std_y_m',
    'std_z_m',
    'std_roll_deg',
    'std_pitch_deg',
    'std_yaw_deg',
    'has_heading',
    ...pose('heading_field_robot'),
    'heading_std_x_m',
    'heading_std_y_m',
    'heading_std_z_m',
  ],
  contours: ['cx_px', 'cy_px', 'area_px', 'x_px', 'y_px', 'width_px', 'height_px', ...corners('_px'), 'points'],
  targets: [
    'tx_deg',
    'ty_deg',
    'area_share',
    'skew_deg',
    'cx_px',
    'cy_px',
    'width_px',
    'height_px',
    ...corners('_px'),
    'has_pose',
    'error_px',
    ...pose('camera_target'),
  ],
  circles: ['cx_px', 'cy_px', 'radius_px'],
  objects: ['label', 'confidence', 'cx_px', 'cy_px', 'width_px', 'height_px', 'tx_deg', 'ty_deg'],
  classes: ['label', 'confidence'],
  barcodes: [...corners('_px'), 'text_at', 'text_bytes', 'symbology'],
  exposure: ['mean', 'median', 'p05', 'p95', 'dark_share', 'bright_share'],
  focus: ['sharpness', 'best'],
  values: ['text_at', 'text_bytes'],
  truth: [...pose('field_robot'), ...pose('field_camera')],
  visible: ['id', 'distance_m', 'visible_fraction', 'cx_px', 'cy_px', ...corners('_px')],
} as const satisfies Record<string, readonly string[]>

export type OutputKind = keyof typeof RESULT_FIELDS

/** Behind their rows stand a number of doubles and so many of them, which hold text: eight bytes of UTF-8 each. */
export const TEXT_KINDS: readonly OutputKind[] = ['barcodes', 'values']

/** What the rows of an output are, and the names of the labels where they have some. */
export interface OutputLayout {
  readonly port: string
  readonly kind: OutputKind
  readonly labels?: readonly string[]
}

/** Announced once per opening: what every result until the next opening looks like. */
export interface ResultLayout {
  readonly stages: readonly string[]
  readonly outputs: readonly OutputLayout[]
}

/**
 * One frame's result. `data` is not copied on the way and must not be written to. sighting: what the frame brings to the robot's table
 * (machines/extcam/sighting.ts), where the engine has made it.
 */
export interface Result {
  readonly layout: ResultLayout
  readonly data: Float64Array
  readonly sighting?: Float64Array
}

/** The rows of one output in a result: row r starts at `offset + r * stride`. textAt: where the texts of a kind that has some begin. */
export interface Rows {
  readonly kind: OutputKind
  readonly count: number
  readonly offset: number
  readonly stride: number
  readonly textAt: number
}

export const header = (result: Result, field: (typeof RESULT_HEADER)[number]): number =>
  result.data[RESULT_HEADER.indexOf(field)] as number

/** A part of the text of an output. at, bytes: as its rows say. */
export const textOf = (result: Result, { textAt }: Rows, at: number, bytes: number): string => {
  const { buffer, byteOffset } = result.data
  return new TextDecoder().decode(new Uint8Array(buffer, byteOffset + 8 * textAt + at, bytes))
}

/** Finds an output by its port; undefined when this graph has none of that name. */
export const rowsOf = (result: Result, port: string): Rows | undefined => {
  let offset = RESULT_HEADER.length + result.layout.stages.length
  for (const output of result.layout.outputs) {
    const count = result.data[offset] as number
    const stride = RESULT_FIELDS[output.kind].length
    const end = offset + 1 + count * stride
    const hasText = TEXT_KINDS.includes(output.kind)
    if (output.port === port) return { kind: output.kind, count, offset: offset + 1, stride, textAt: end + 1 }
    offset = hasText ? end + 1 + (result.data[end] as number) : end
  }
  return undefined
}
