// Results as an engine would deliver them, of tags whose places in the camera are given.

import {
  type OutputKind,
  RESULT_FIELDS,
  RESULT_HEADER,
  type Result,
  type ResultLayout,
  TEXT_KINDS,
} from '../../../machines/engine/result.ts'
import { demoMap, type FieldMap } from '../../../machines/localization/field-map.ts'
import { compose, invert, type Pose, poseFromDocument, rotate } from '../../../machines/localization/pose.ts'
import type { Intrinsics } from '../../../machines/stream/manifest.ts'

export const layout: ResultLayout = {
  stages: ['decode', 'tags'],
  outputs: [
    { port: 'marks', kind: 'detections' },
    { port: 'places', kind: 'tag_poses' },
    { port: 'robot', kind: 'field_pose' },
  ],
}

/** A lens without distortion whose principal point is the centre of 1280x800. */
export const intrinsics: Intrinsics = {
  width_px: 1280,
  height_px: 800,
  fx_px: 900,
  fy_px: 900,
  cx_px: 639.5,
  cy_px: 399.5,
  distortion: [],
}

export interface SeenTag {
  readonly id: number
  readonly family?: number
  /** Why it has no pose: a place in NO_POSE and 1. Without it a tag that has none has no row of poses either. */
  readonly noPose?: number | undefined
  /** The tag in the camera, both with right-down-forward axes; undefined: no pose was found. */
  readonly tagInCamera: Pose | undefined
  /** Where it was detected; default: where tagInCamera projects to. */
  readonly cornersPx?: readonly number[]
  readonly ambiguity?: number
}

export interface FrameFacts {
  readonly tags?: readonly SeenTag[]
  /** By the corners. */
  readonly robot?: Pose | undefined
  /** By the robot's heading. */
  readonly byHeading?: Pose | undefined
  readonly seq?: number
  readonly capturedUs?: number
  readonly startedUs?: number
  readonly layout?: ResultLayout
}

const poseNumbers = ({ x, y, z, qw, qx, qy, qz }: Pose) => [x, y, z, qw, qx, qy, qz]
const none = [0, 0, 0, 0, 0, 0, 0]

const project = (tag: Pose, x: number, y: number): [number, number] => {
  const [dx, dy, dz] = rotate(tag, x, y, 0)
  const z = tag.z + dz
  return [640 + (intrinsics.fx_px * (tag.x + dx)) / z, 400 + (intrinsics.fy_px * (tag.y + dy)) / z]
}

/** The corners of a tag of the demo's size in libapriltag's order. */
const projectedCorners = (tag: Pose): number[] => {
  const half = demoMap.tag_size_m / 2
  return [
    ...project(tag, -half, half),
    ...project(tag, half, half),
    ...project(tag, half, -half),
    ...project(tag, -half, -half),
  ]
}

const detectionRow = ({ id, family = 0, tagInCamera, cornersPx }: SeenTag): number[] => {
  const corners = cornersPx ?? projectedCorners(tagInCamera as Pose)
  const centre = tagInCamera ? project(tagInCamera, 0, 0) : [corners[0] as number, corners[1] as number]
  return [family, id, 0, 60, ...centre, ...corners]
}

const tagPoseRow = ({ id, family = 0, tagInCamera, ambiguity = 0.1, noPose = 0 }: SeenTag): number[] => [
  family,
  id,
  ambiguity,
  0.2,
  0.8,
  ...(tagInCamera ? poseNumbers(tagInCamera) : none),
  ...none,
  noPose,
]

export const STD = [0.011, 0.012, 0.013, 0.21, 0.22, 0.23]
export const HEADING_STD = [0.021, 0.022, 0.023]

const fieldPoseRow = (robot: Pose | undefined, byHeading: Pose | undefined, tags: number): number[] => [
  tags,
  0.6,
  3,
  0.2,
  0.1,
  ...none,
  ...(robot ? poseNumbers(robot) : none),
  ...none,
  ...(robot ? STD : STD.map(() => 0)),
  ...(byHeading ? [1, ...poseNumbers(byHeading), ...HEADING_STD] : [0, ...none, 0, 0, 0]),
]

/** One frame. Times in µs; 1280x800. */
export const frame = ({
  tags = [],
  robot,
  byHeading,
  seq = 7,
  capturedUs = 1_000_000,
  startedUs = 1_004_000,
  ...rest
}: FrameFacts): Result => {
  const head: Record<(typeof RESULT_HEADER)[number], number> = {
    seq,
    captured_us: capturedUs,
    started_us: startedUs,
    finished_us: startedUs + 5_000,
    width_px: 1280,
    height_px: 800,
    skipped: 0,
    cpu_us: 4_000,
    plan: 1,
    too_full: 0,
  }
  const rows: Readonly<Partial<Record<OutputKind, readonly number[][]>>> = {
    detections: tags.map(detectionRow),
    tag_poses: tags.filter(({ tagInCamera, noPose }) => tagInCamera || noPose).map(tagPoseRow),
    field_pose: robot || byHeading ? [fieldPoseRow(robot, byHeading, tags.length)] : [],
  }
  const usedLayout = rest.layout ?? layout
  const outputs = usedLayout.outputs.flatMap(({ kind }) => [rows[kind]?.length ?? 0, ...(rows[kind]?.flat() ?? [])])
  return {
    layout: usedLayout,
    data: Float64Array.from([
      ...RESULT_HEADER.map((field) => head[field]),
      ...usedLayout.stages.map(() => 100),
      ...outputs,
    ]),
  }
}

/** Rows of one output, by the names of their fields; what is not said is 0. text: what stands behind them. */
export interface SeenRows {
  readonly kind: OutputKind
  readonly labels?: readonly string[]
  readonly rows: readonly Readonly<Record<string, number>>[]
  readonly text?: string
}

const numbersOf = ({ kind, rows, text = '' }: SeenRows): number[] => {
  const bytes = new Uint8Array(8 * Math.ceil(Buffer.byteLength(text) / 8))
  bytes.set(Buffer.from(text))
  return [
    rows.length,
    ...rows.flatMap((row) => RESULT_FIELDS[kind].map((field) => row[field] ?? 0)),
    ...(TEXT_KINDS.includes(kind) ? [bytes.length / 8, ...new Float64Array(bytes.buffer)] : []),
  ]
}

/** One frame of a pipeline with these outputs, behind those of the tags if there are some. 1280x800. */
export const frameOf = (seen: readonly SeenRows[], facts?: FrameFacts): Result => {
  const tags = frame(facts ?? { layout: { stages: layout.stages, outputs: [] } })
  const outputs = seen.map(({ kind, labels }) => ({ port: `its ${kind}`, kind, ...(labels ? { labels } : {}) }))
  return {
    layout: { stages: layout.stages, outputs: [...tags.layout.outputs, ...outputs] },
    data: Float64Array.from([...tags.data, ...seen.flatMap(numbersOf)]),
  }
}

/** The vendor's target axes in a tag of the map: x to its viewer's right, y down, z into it. */
const targetInTag: Pose = { x: 0, y: 0, z: 0, qw: 0.5, qx: -0.5, qy: -0.5, qz: 0.5 }
const opticalInBody: Pose = { x: 0, y: 0, z: 0, qw: 0.5, qx: -0.5, qy: 0.5, qz: -0.5 }

/** What a camera in the robot's origin sees of a tag of the map. */
export const seenFrom = (robot: Pose, id: number, map: FieldMap = demoMap): SeenTag => {
  const tag = map.tags.find((candidate) => candidate.id === id)
  if (!tag) throw new Error(`the map has no tag ${id}`)
  const target = compose(poseFromDocument(tag.pose), targetInTag)
  return { id, tagInCamera: compose(invert(compose(robot, opticalInBody)), target) }
}
