// What a fake engine sees: two tags of the field map, from a robot that sways in front of them. Exact geometry, no
// noise.

import { type OutputKind, RESULT_HEADER, type ResultLayout, TEXT_KINDS } from '../../../machines/engine/result.ts'
import { TAG_FAMILIES } from '../../../machines/engine/tag-families.ts'
import type { FieldMap } from '../../../machines/localization/field-map.ts'
import {
  compose,
  identityPose,
  invert,
  type Pose,
  poseFromDocument,
  rotate,
} from '../../../machines/localization/pose.ts'
import type { Intrinsics } from '../../../machines/stream/manifest.ts'

const DISTANCE_M = 3
const SWAY_M = 0.5
const SWAY_FRAMES = 300
const STAGE_US = 100

/** What a frame is made of. mount: camera body on the robot. */
export interface FakeFrame {
  readonly seq: number
  readonly capturedUs: number
  readonly mount: Pose
  readonly map: FieldMap
  readonly intrinsics: Intrinsics
  readonly layout: ResultLayout
}

/** The optical frame (x right, y down, z forward) in the camera body. */
const bodyOptical: Pose = { ...identityPose, qw: 0.5, qx: -0.5, qy: 0.5, qz: -0.5 }
/**
 * A tag as its viewer sees it (x right, y down, z into it) in the map's tag frame (x out of the face, y left, z up).
 */
const tagFace: Pose = { ...identityPose, qw: 0.5, qx: -0.5, qy: -0.5, qz: 0.5 }
const turnedAround: Pose = { ...identityPose, qw: 0, qz: 1 }

/** libapriltag's order of corners, in halves of the tag's edge. */
const CORNERS = [
  [-1, 1],
  [1, 1],
  [1, -1],
  [-1, -1],
] as const

const numbersOf = (pose: Pose): number[] => [pose.x, pose.y, pose.z, pose.qw, pose.qx, pose.qy, pose.qz]
const noPose = [0, 0, 0, 0, 0, 0, 0]

/** The packed result of a frame. */
export const fakeResult = (frame: FakeFrame): Float64Array => {
  const { seq, capturedUs, layout, intrinsics } = frame
  const header: Record<(typeof RESULT_HEADER)[number], number> = {
    seq,
    captured_us: capturedUs,
    started_us: capturedUs,
    finished_us: capturedUs + layout.stages.length * STAGE_US,
    width_px: intrinsics.width_px,
    height_px: intrinsics.height_px,
    skipped: 0,
    cpu_us: layout.stages.length * STAGE_US,
    plan: 1,
    too_full: 0,
  }
  const rows = rowsOfScene(frame)
  return Float64Array.from([
    ...RESULT_HEADER.map((field) => header[field]),
    ...layout.stages.map(() => STAGE_US),
    ...layout.outputs.flatMap(({ kind }) => packedRows(kind, rows[kind] ?? [])),
  ])
}

/** The deviation of one coordinate of a corner, in a scene without noise. */
const SIGMA_PX = 0.05

/** How long its pictures are exposed, microseconds. */
const EXPOSURE_US = 2_000

/** What it shows of tags. hasMount: somebody has said where the camera sits. */
export const fakeObservation = (frame: FakeFrame, hasMount: boolean): Float64Array => {
  const { mount, intrinsics } = frame
  const points = rowsOfScene(frame).points ?? []
  return Float64Array.from([
    ...[intrinsics.fx_px, intrinsics.fy_px, ...numbersOf(mount), Number(hasMount), EXPOSURE_US, points.length],
    ...points.flatMap((row) => [...row, SIGMA_PX, 0]),
  ])
}

const packedRows = (kind: OutputKind, rows: readonly number[][]): number[] => [
  rows.length,
  ...rows.flat(),
  ...(TEXT_KINDS.includes(kind) ? [0] : []),
]

/** Of what a scene of tags shows; of other kinds there is nothing. */
const rowsOfScene = ({
  seq,
  mount,
  map,
  intrinsics,
}: FakeFrame): Readonly<Partial<Record<OutputKind, readonly number[][]>>> => {
  const tags = map.tags.slice(0, 2).map(({ id, pose, family = map.family, size_m = map.tag_size_m }) => ({
    id,
    family: TAG_FAMILIES.indexOf(family),
    size_m,
    fieldTag: poseFromDocument(pose),
  }))
  const fieldRobot = robotBefore(tags[0]?.fieldTag ?? identityPose, seq)
  const fieldCamera = compose(fieldRobot, mount)
  const opticalField = invert(compose(fieldCamera, bodyOptical))

  const seen = tags.map(({ id, family, size_m, fieldTag }) => {
    const cameraTag = compose(opticalField, compose(fieldTag, tagFace))
    const ideal = CORNERS.map(([x, y]) => project(cameraTag, (x * size_m) / 2, (y * size_m) / 2))
    const pixels = [project(cameraTag, 0, 0), ...ideal].flatMap(([x, y]) => [
      intrinsics.fx_px * x + intrinsics.cx_px + 0.5,
      intrinsics.fy_px * y + intrinsics.cy_px + 0.5,
    ])
    const distance = Math.hypot(cameraTag.x, cameraTag.y, cameraTag.z)
    return { id, family, cameraTag, ideal: ideal.flat(), pixels, distance }
  })
  const [first, second] = tags
  const spanM =
    first && second ? Math.hypot(first.fieldTag.x - second.fieldTag.x, first.fieldTag.y - second.fieldTag.y) : 0
  const meanDistanceM = seen.reduce((sum, { distance }) => sum + distance / seen.length, 0)
  const solved = [numbersOf(fieldCamera), numbersOf(fieldRobot), noPose].flat()
  const fieldPose = [seen.length, spanM, meanDistanceM, 0.1, 0, ...solved, 0.01, 0.01, 0.01, 0.2, 0.2, 0.2]
  const byHeading = [0, ...noPose, 0, 0, 0] // which it does not solve
  return {
    detections: seen.map(({ id, family, pixels }) => [family, id, 0, 100, ...pixels]),
    points: seen.map(({ id, family, ideal }) => [family, id, ...ideal]),
    tag_poses: seen.map(({ id, family, cameraTag }) => [
      ...[family, id, 0.1, 0.1, 1],
      ...numbersOf(cameraTag),
      ...numbersOf(cameraTag),
      0,
    ]),
    field_pose: seen.length > 0 ? [[...fieldPose, ...byHeading]] : [],
    truth: [[...numbersOf(fieldRobot), ...numbersOf(fieldCamera), 0, ...noPose]],
    visible: seen.map(({ id, distance, pixels }) => [id, distance, 1, ...pixels]),
  }
}

/** Stands on the floor and looks at the tag from DISTANCE_M, swaying sideways. */
const robotBefore = (fieldTag: Pose, seq: number): Pose => {
  const sideM = SWAY_M * Math.sin((2 * Math.PI * seq) / SWAY_FRAMES)
  const [x, y] = rotate(fieldTag, DISTANCE_M, sideM, 0)
  return { ...compose(fieldTag, turnedAround), x: fieldTag.x + x, y: fieldTag.y + y, z: 0 }
}

const project = (cameraTag: Pose, x: number, y: number): readonly [number, number] => {
  const [dx, dy, dz] = rotate(cameraTag, x, y, 0)
  return [(cameraTag.x + dx) / (cameraTag.z + dz), (cameraTag.y + dy) / (cameraTag.z + dz)]
}
