/**
 * The packed result of one frame: one Float64Array and the layout that was announced when the engine opened.
 *
 * The array is a header, the wall time of each stage in µs, then for each output a row count and its rows. Stages that
 * only pictures need are run after the result is out: theirs is the time of the previous frame, 0 when they were not
 * run. Pixel coordinates have the top-left corner of the image at (0, 0), so the centre of the first pixel at (0.5,
 * 0.5), and are always those of the full source image. Tag corners come in libapriltag's order: tag frame (-1,1),
 * (1,1), (1,-1), (-1,-1), with y down.
 */

/** What is said of each frame, in this order. Times are CLOCK_MONOTONIC, µs. */
export const RESULT_HEADER = [
  'seq',
  /** Of mid-exposure. */
  'captured_us',
  'started_us',
  'finished_us',
  'width_px',
  'height_px',
  /**
   * Frames since the camera was opened that gave no result: a newer one came first, they could not be decoded, or the
   * robot wanted them left out.
   */
  'skipped',
  'cpu_us',
  /** The number of the plan that gave it, from 1 for each engine; another has another layout. */
  'plan',
  /**
   * 1 where a step had more before it than memory and time allow, and has looked at the picture smaller than asked for
   * (`picture.too_full`); else 0.
   */
  'too_full',
] as const

/** A pose: position, then orientation as a quaternion. */
const pose = (of: string) => ['x_m', 'y_m', 'z_m', 'qw', 'qx', 'qy', 'qz'].map((field) => `${of}_${field}`)
const corners = (unit: string) => [0, 1, 2, 3].flatMap((n) => [`x${n}${unit}`, `y${n}${unit}`])

/** The fields of one row of each kind of output. */
export const RESULT_FIELDS = {
  /** Tags in the picture. family: an index into TAG_FAMILIES. */
  detections: ['family', 'id', 'hamming', 'margin', 'cx_px', 'cy_px', ...corners('_px')],
  /** Corners of tags in the ideal image plane: x = X/Z, y = Y/Z. */
  points: ['family', 'id', ...corners('')],
  /** Where tags are, each by itself. */
  tag_poses: [
    'family',
    'id',
    /** The best error over the second error, 0 to 1. */
    'ambiguity',
    'error_px',
    'alt_error_px',
    /**
     * The tag in the optical frame (x right, y down, z forward), with its axes x right, y down, z into the tag as seen.
     */
    ...pose('camera_tag'),
    /** The second solution. */
    ...pose('alt_camera_tag'),
    /** 0, or why there is no pose (no-pose.ts), and all of it is zeros. */
    'no_pose',
  ],
  /**
   * Where the robot is; no row or one. Where the corners leave the pose open, and only the robot's heading tells it,
   * field_camera and field_robot are all zeros, and so are error, ambiguity and std.
   */
  field_pose: [
    'tag_count',
    'span_m',
    'mean_distance_m',
    'error_px',
    /** The smaller error of the two solutions over the larger. */
    'ambiguity',
    /** The camera body (forward, left, up) in the field frame. */
    ...pose('field_camera'),
    /** The robot in the field frame. */
    ...pose('field_robot'),
    /** The second solution of tags in one plane; all zeros when there is none. */
    ...pose('alt_field_robot'),
    /**
     * Standard deviations, of the corners' noise and of the chance that the second solution is the true one, but not of
     * a wrong map or calibration beyond what the corners show of it.
     */
    'std_x_m',
    'std_y_m',
    'std_z_m',
    'std_roll_deg',
    'std_pitch_deg',
    'std_yaw_deg',
    /** 1: the robot said its heading, by which the rest is computed; else 0, and the rest is zeros. */
    'has_heading',
    /** The robot level, with the yaw that it said, and where the corners put it then. */
    ...pose('heading_field_robot'),
    'heading_std_x_m',
    'heading_std_y_m',
    'heading_std_z_m',
  ],
  /**
   * Outlines. x, y, width, height: the upright bounding box. The corners are those of the smallest bounding rectangle,
   * clockwise as seen from the one nearest to the top left.
   */
  contours: ['cx_px', 'cy_px', 'area_px', 'x_px', 'y_px', 'width_px', 'height_px', ...corners('_px'), 'points'],
  /** Shapes to aim at. */
  targets: [
    /** Degrees right of the optical axis. */
    'tx_deg',
    /** Degrees above it. */
    'ty_deg',
    'area_share',
    'skew_deg',
    'cx_px',
    'cy_px',
    'width_px',
    'height_px',
    ...corners('_px'),
    /** 1: what follows holds. */
    'has_pose',
    'error_px',
    ...pose('camera_target'),
  ],
  circles: ['cx_px', 'cy_px', 'radius_px'],
  /** What a model found. label: an index into the names of the layout. */
  objects: ['label', 'confidence', 'cx_px', 'cy_px', 'width_px', 'height_px', 'tx_deg', 'ty_deg'],
  /** What a model takes the picture for. label: an index into the names of the layout. */
  classes: ['label', 'confidence'],
  /** text_at, text_bytes: a part of the text behind the rows. symbology: an index into SYMBOLOGIES. */
  barcodes: [...corners('_px'), 'text_at', 'text_bytes', 'symbology'],
  /** Levels from 0 to 255, shares from 0 to 1. */
  exposure: ['mean', 'median', 'p05', 'p95', 'dark_share', 'bright_share'],
  /** sharpness: the variance of the Laplacian over the square of the mean level. */
  focus: ['sharpness', 'best'],
  /** No row or one: a part of the text, JSON. */
  values: ['text_at', 'text_bytes'],
  /** Where the synthetic camera is; has_board: 1 where one is held in front of it, as what follows says. */
  truth: [...pose('field_robot'), ...pose('field_camera'), 'has_board', ...pose('camera_board')],
  /**
   * Its tags whose centre is in the picture and that face the camera. visible_fraction: of the tag that is not hidden.
   */
  visible: ['id', 'distance_m', 'visible_fraction', 'cx_px', 'cy_px', ...corners('_px')],
} as const satisfies Record<string, readonly string[]>

export type OutputKind = keyof typeof RESULT_FIELDS

/** Behind their rows stand a number of doubles and so many of them, which hold text: eight bytes of UTF-8 each. */
export const TEXT_KINDS: readonly OutputKind[] = ['barcodes', 'values']

/** What the rows of an output are. */
export interface OutputLayout {
  readonly port: string
  readonly kind: OutputKind
  /** The names of the labels, where rows have some. */
  readonly labels?: readonly string[]
}

/** Announced with each plan: what every result of it looks like. */
export interface ResultLayout {
  /** The steps whose times are in it. */
  readonly stages: readonly string[]
  readonly outputs: readonly OutputLayout[]
}

/** One frame's result. */
export interface Result {
  readonly layout: ResultLayout
  /** Not copied on the way: it must not be written to. */
  readonly data: Float64Array
  /** What the frame brings to the robot's table (machines/extcam/table-frame.ts), where the engine has made it. */
  readonly sighting?: Float64Array
  /** What the frame shows of tags (machines/localization/observation.ts), where the task asks for it. */
  readonly observation?: Float64Array
}

/** The rows of one output in a result. */
export interface Rows {
  readonly kind: OutputKind
  readonly count: number
  /** Row r starts at `offset + r * stride`. */
  readonly offset: number
  readonly stride: number
  /** Where the texts of a kind that has some begin. */
  readonly textAt: number
}

/** One number of the header of a result. */
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
