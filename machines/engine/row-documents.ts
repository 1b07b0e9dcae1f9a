// The rows of a result as documents, one shape for each kind of output: for people and JSON, not for each frame. Apart
// from their schemas, so that an engine that writes them loads no more than this.
import type { Static } from 'typebox'
import { type NoPose, noPoseOf } from './no-pose.ts'
import { type OutputKind, RESULT_FIELDS, type Result, rowsOf, textOf } from './result.ts'
import type { RowDocument } from './rows.ts'
import { SYMBOLOGIES } from './symbologies.ts'
import { TAG_FAMILIES } from './tag-families.ts'

type RowOf<Kind extends OutputKind> = Static<(typeof RowDocument)[Kind]>

/**
 * The rows of an output as documents; undefined when there is no output of that name and kind. A robot's pose that only
 * its heading tells is none of them: whoever has the heading is told it in its table. Nor is a tag without a pose one
 * of tag_poses: its detection says why.
 */
export const rowDocuments = <Kind extends OutputKind>(
  result: Result,
  port: string,
  kind: Kind,
): RowOf<Kind>[] | undefined => {
  const rows = rowsOf(result, port)
  if (rows?.kind !== kind) return undefined
  const fields: readonly string[] = RESULT_FIELDS[kind]
  const labels = result.layout.outputs.find((output) => output.port === port)?.labels ?? []
  const words: Words = {
    text: (at, bytes) => textOf(result, rows, at, bytes),
    label: (index) => labels[index] ?? String(index),
  }
  const readers = Array.from({ length: rows.count }, (_, row): Read => {
    const start = rows.offset + row * rows.stride
    return (field) => result.data[start + fields.indexOf(field)] as number
  })
  const isShown = SHOWN[kind]
  const shown = isShown ? readers.filter(isShown) : readers
  return shown.map((read, n) => MAKERS[kind](read, words, () => noPoseOf(result, n, read('family'), read('id'))))
}

type Read = (field: string) => number

/** What numbers stand for. */
interface Words {
  readonly text: (at: number, bytes: number) => string
  readonly label: (index: number) => string
}

/** Of kinds of which not all rows are. */
const SHOWN: { readonly [Kind in OutputKind]?: (read: Read) => boolean } = {
  field_pose: (read) => !isOfHeadingAlone(read),
  tag_poses: (read) => read('no_pose') === 0,
}

/** whyNoPose: of a tag. */
type Maker<Kind extends OutputKind> = (read: Read, words: Words, whyNoPose: () => NoPose | undefined) => RowOf<Kind>

const MAKERS: { readonly [Kind in OutputKind]: Maker<Kind> } = {
  detections: (read, _, whyNoPose) => ({
    family: familyOf(read),
    id: read('id'),
    hamming: read('hamming'),
    margin: read('margin'),
    center: pixelOf(read, 'c'),
    corners: cornersOf(read),
    ...reasonOf(whyNoPose()),
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
    ...(isTurned(read, 'alt_field_robot') && {
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
    ...(read('has_heading') === 1 && {
      by_heading: {
        field_robot: poseOf(read, 'heading_field_robot'),
        deviations: {
          x_m: read('heading_std_x_m'),
          y_m: read('heading_std_y_m'),
          z_m: read('heading_std_z_m'),
        },
      },
    }),
  }),
  contours: (read) => ({
    center: pixelOf(read, 'c'),
    area_px: read('area_px'),
    x_px: read('x_px'),
    y_px: read('y_px'),
    width_px: read('width_px'),
    height_px: read('height_px'),
    corners: cornersOf(read),
    points: read('points'),
  }),
  targets: (read) => ({
    tx_deg: read('tx_deg'),
    ty_deg: read('ty_deg'),
    area_share: read('area_share'),
    skew_deg: read('skew_deg'),
    ...boxOf(read),
    corners: cornersOf(read),
    ...(read('has_pose') === 1 && {
      pose: { error_px: read('error_px'), camera_target: poseOf(read, 'camera_target') },
    }),
  }),
  circles: (read) => ({ center: pixelOf(read, 'c'), radius_px: read('radius_px') }),
  objects: (read, { label }) => ({
    label: label(read('label')),
    confidence: read('confidence'),
    ...boxOf(read),
    tx_deg: read('tx_deg'),
    ty_deg: read('ty_deg'),
  }),
  classes: (read, { label }) => ({ label: label(read('label')), confidence: read('confidence') }),
  barcodes: (read, { text }) => ({
    text: text(read('text_at'), read('text_bytes')),
    symbology: SYMBOLOGIES[read('symbology')] as (typeof SYMBOLOGIES)[number],
    corners: cornersOf(read),
  }),
  exposure: (read) => ({
    mean: read('mean'),
    median: read('median'),
    p05: read('p05'),
    p95: read('p95'),
    dark_share: read('dark_share'),
    bright_share: read('bright_share'),
  }),
  focus: (read) => ({ sharpness: read('sharpness'), best: read('best') }),
  values: (read, { text }) => ({ values: JSON.parse(text(read('text_at'), read('text_bytes'))) }),
  truth: (read) => ({
    field_robot: poseOf(read, 'field_robot'),
    field_camera: poseOf(read, 'field_camera'),
    ...(read('has_board') === 1 && { camera_board: poseOf(read, 'camera_board') }),
  }),
  visible: (read) => ({
    id: read('id'),
    distance_m: read('distance_m'),
    visible_fraction: read('visible_fraction'),
    center: pixelOf(read, 'c'),
    corners: cornersOf(read),
  }),
}

const reasonOf = (no_pose: NoPose | undefined) => no_pose && { no_pose }

const FOUR_CORNERS = [0, 1, 2, 3]
const QUATERNION = ['qw', 'qx', 'qy', 'qz']

/** Whether the corners leave a robot's pose open. */
const isOfHeadingAlone = (read: Read): boolean => read('has_heading') === 1 && !isTurned(read, 'field_robot')

/** All zeros is no rotation: then there is no such pose. */
const isTurned = (read: Read, of: string): boolean => QUATERNION.some((part) => read(`${of}_${part}`) !== 0)

const familyOf = (read: Read) => TAG_FAMILIES[read('family')] as (typeof TAG_FAMILIES)[number]

const pixelOf = (read: Read, prefix: string, n = '') => ({
  x_px: read(`${prefix}x${n}_px`),
  y_px: read(`${prefix}y${n}_px`),
})

const boxOf = (read: Read) => ({
  center: pixelOf(read, 'c'),
  width_px: read('width_px'),
  height_px: read('height_px'),
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
