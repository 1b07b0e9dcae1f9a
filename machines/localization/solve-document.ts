// What was solved last, as it is shown.
import type { Static } from 'typebox'
import { TAG_FAMILIES, TagFamilyName } from '../engine/tag-families.ts'
import { enumOf } from '../schema/enum-of.ts'
import { oneLine } from '../schema/one-line.ts'
import { orNull } from '../schema/or-null.ts'
import { StreamId } from '../schema/stream-id.ts'
import Type from '../schema/type.ts'
import type { SettingsStore } from '../settings/store.ts'
import { localizationConfigIn } from './config-collection.ts'
import { type Pose, PoseDocument, poseToDocument } from './pose.ts'
import { Quaternion } from './pose-body.ts'
import { StreamReason, TagReason } from './reasons.ts'
import type { Solved, SolvedCamera, SolvedPose, SolvedTag } from './solution.ts'
import { LocalizationState } from './state.ts'

const strict = { additionalProperties: false } as const

const positive = (description: string) => Type.Number({ minimum: 0, description })

/** By which map is solved. */
export const UsedMap = Type.Object(
  {
    id: Type.String({ description: 'Of the map.' }),
    hash: Type.String({ description: 'Of what is in it: the same for the same tags, whatever the file was.' }),
  },
  { ...strict, title: 'UsedMap', description: 'The field map by which is solved.' },
)
export type UsedMap = Static<typeof UsedMap>

/** Standard deviations of a pose. */
export const PoseDeviations = Type.Object(
  {
    x_m: positive('Along the x axis of the field.'),
    y_m: positive('Along its y axis.'),
    z_m: positive('Along its z axis.'),
    roll_deg: positive('About its x axis.'),
    pitch_deg: positive('About its y axis.'),
    yaw_deg: positive('About its z axis.'),
  },
  { ...strict, title: 'PoseDeviations', description: 'How far off a pose may be: standard deviations.' },
)
export type PoseDeviations = Static<typeof PoseDeviations>

const Tag = Type.Object(
  {
    stream_id: StreamId,
    family: TagFamilyName,
    id: Type.Integer({ minimum: 0, description: 'Of the tag.' }),
    used: Type.Boolean({ description: 'Whether it counts.' }),
    reason: orNull(TagReason, 'Why not; null: it counts.'),
    residual_px: orNull(positive('Pixels.'), 'Root mean square over its corners; null: nothing was solved.'),
    chi2: orNull(
      positive('Of eight numbers.'),
      'Of its eight numbers, each over its own variance with what map and mount may be off; null: as above.',
    ),
    sigma_px: orNull(
      positive('Pixels.'),
      'How far off one coordinate of its corners may be, blur counted in; null: nobody knows.',
    ),
    weight: Type.Number({ minimum: 0, maximum: 1, description: 'Its share in the pose.' }),
  },
  { ...strict, title: 'SolvedTag', description: 'A tag that a camera saw, and what it counts.' },
)

const Offset = Type.Object(
  {
    x_m: Type.Number({ description: 'Along the x axis of the field.' }),
    y_m: Type.Number({ description: 'Along its y axis.' }),
    yaw_deg: Type.Number({ description: 'About its z axis.' }),
  },
  { ...strict, title: 'CameraOffset', description: 'How a camera alone would move the pose.' },
)

const Camera = Type.Object(
  {
    stream_id: StreamId,
    used: Type.Boolean({ description: 'Whether its stream is used.' }),
    reason: orNull(StreamReason, 'Why not; null: it is used.'),
    age_ms: orNull(Type.Number(), 'Of its frame in the round; null: it had none in that.'),
    tags_used: Type.Integer({ minimum: 0, description: 'How many of its tags count.' }),
    residual_px: orNull(positive('Pixels.'), 'Root mean square over the corners that count; null: none do.'),
    offset: orNull(
      Offset,
      oneLine`
        How it alone would move the pose against what all say: what stands still over minutes is its mount. null: it
        alone says no pose, or no other camera has tags that count.
      `,
    ),
  },
  { ...strict, title: 'SolvedCamera', description: 'A camera, and what it says in this round.' },
)

const From = enumOf(
  {
    robot: 'the robot, by itself',
    odometry: 'the robot, in its odometry',
    imu: "this device's IMU (`heading.use_imu` of the config)",
  },
  'HeadingFrom',
)

const Heading = Type.Object(
  {
    from: orNull(From, 'Who says it; null: nobody does.'),
    said_deg: orNull(Type.Number(), 'As it is said; null: nobody says one.'),
    seen_deg: orNull(Type.Number(), 'As the tags show it, without what is said; null: not sure enough.'),
    offset_deg: orNull(Type.Number(), 'Learnt: what is to be added to what is said; null: not known yet.'),
    used: Type.Boolean({ description: 'Whether it counted in this round.' }),
  },
  { ...strict, title: 'SolvedHeading', description: "What is known of the robot's heading." },
)

const Fused = Type.Object(
  {
    pose: PoseDocument,
    std_devs: Type.Object(
      {
        x_m: positive('Along the x axis of the field.'),
        y_m: positive('Along its y axis.'),
        yaw_deg: positive('About its z axis.'),
      },
      { ...strict, title: 'FusedDeviations', description: 'How far off it may be: standard deviations.' },
    ),
  },
  { ...strict, title: 'FusedPose', description: 'The pose by cameras and odometry together, for dashboards.' },
)

const Round = 'null: there was no round yet.'

/** The newest round. */
export const LocalizationSolve = Type.Object(
  {
    state: LocalizationState,
    revision: Type.Integer({ minimum: 0, description: 'Of the config by which it was solved.' }),
    map: orNull(UsedMap, 'null: there is none.'),
    round: orNull(Type.Integer({ minimum: 0 }), `Rises with each round. ${Round}`),
    captured_us: orNull(Type.Number(), `Exposure of its newest frame, CLOCK_MONOTONIC. ${Round}`),
    captured_at_ms: orNull(Type.Number(), `The same, Unix time. ${Round}`),
    age_ms: orNull(Type.Number(), `How long ago that was. ${Round}`),
    pose: orNull(PoseDocument, 'The robot on the field; null: none that is sure enough to be shown.'),
    quaternion: orNull(Quaternion, 'The rotation of the pose once more; null: there is no pose.'),
    std_devs: orNull(PoseDeviations, 'Of the pose; null: there is none.'),
    std_xy_m: orNull(positive('m'), 'One number for x and y, the same along any axes; null: there is no pose.'),
    is_sure: Type.Boolean({ description: 'Whether it is given to the robot: sure to `gate.max_std_m`.' }),
    tags: Type.Array(Tag, { description: 'All that the cameras of the round saw.' }),
    cameras: Type.Array(Camera, { description: 'Those of all streams.' }),
    heading: Heading,
    fused: orNull(Fused, 'null: no odometry comes.'),
    rejected: Type.Record(Type.String(), Type.Integer({ minimum: 0 }), {
      description: 'How many tags did not count within the last second, by the reason.',
    }),
    cpu_us: orNull(positive('us'), `What it took of the processor. ${Round}`),
  },
  { ...strict, title: 'LocalizationSolve', description: 'What was solved in the newest round of all cameras.' },
)
export type LocalizationSolve = Static<typeof LocalizationSolve>

/** A stream, and whether its camera is used. */
export interface UsedStream {
  readonly streamId: string
  readonly used: boolean
  /** null: it is used. */
  readonly reason: StreamReason | null
}

/** What a document is made of. */
export interface Solving {
  readonly state: () => LocalizationState
  readonly map: () => UsedMap | null
  readonly streams: () => readonly UsedStream[]
  readonly solved: { readonly value: Solved | undefined }
  readonly rejected: () => LocalizationSolve['rejected']
}

/** A moment. */
export interface Moment {
  /** Of the config that is stored then. */
  readonly revision: number
  /** CLOCK_MONOTONIC. */
  readonly nowUs: number
  /** Unix time. */
  readonly nowMs: number
}

/** The newest round as it is shown. */
export const solveDocument = (
  { state, map, streams, solved: { value: solved }, rejected }: Solving,
  { revision, nowUs, nowMs }: Moment,
): LocalizationSolve => {
  const ageMs = (capturedUs: number) => (nowUs - capturedUs) / 1000
  const age = solved ? ageMs(solved.capturedUs) : null
  return {
    state: state(),
    revision: solved?.revision ?? revision,
    map: solved?.map ?? map(),
    round: solved?.round ?? null,
    captured_us: solved?.capturedUs ?? null,
    captured_at_ms: age === null ? null : Math.round(nowMs - age),
    age_ms: age,
    ...poseFields(solved?.solved),
    is_sure: solved?.isSure ?? false,
    tags: solved?.tags.map(tagDocument) ?? [],
    cameras: cameraDocuments(streams(), solved?.cameras ?? [], ageMs),
    heading: headingDocument(solved),
    fused: fusedDocument(solved),
    rejected: rejected(),
    cpu_us: solved ? known(solved.cpuUs) : null,
  }
}

/** What tells the moment. */
interface Now {
  readonly settings: SettingsStore
  readonly clock: { readonly monotonicUs: () => number; readonly nowMs: () => number }
}

/** The newest round as it is shown now. */
export const solveNow = (solving: Solving, { settings, clock }: Now): LocalizationSolve => {
  const { revision } = localizationConfigIn(settings)
  return solveDocument(solving, { revision, nowUs: clock.monotonicUs(), nowMs: clock.nowMs() })
}

/** Standard deviations as they are shown. */
export const deviationsDocument = ([x, y, z, roll, pitch, yaw]: SolvedPose['stdDevs']): PoseDeviations => ({
  x_m: x,
  y_m: y,
  z_m: z,
  roll_deg: roll * DEG,
  pitch_deg: pitch * DEG,
  yaw_deg: yaw * DEG,
})

const DEG = 180 / Math.PI

/** NaN stands for what is not known. */
const known = (value: number): number | null => (Number.isFinite(value) ? value : null)
const inDegrees = (angle: number): number | null => known(angle * DEG)

const poseFields = (solved: SolvedPose | undefined) =>
  solved
    ? {
        pose: poseToDocument(solved.pose),
        quaternion: quaternionIn(solved.pose),
        std_devs: deviationsDocument(solved.stdDevs),
        std_xy_m: solved.stdXyM,
      }
    : { pose: null, quaternion: null, std_devs: null, std_xy_m: null }

const quaternionIn = ({ qw: w, qx: x, qy: y, qz: z }: Pose): Quaternion => ({ w, x, y, z })

const tagDocument = (tag: SolvedTag): LocalizationSolve['tags'][number] => ({
  stream_id: tag.streamId,
  family: TAG_FAMILIES[tag.family] ?? TAG_FAMILIES[0],
  id: tag.id,
  used: tag.used,
  reason: tag.reason,
  residual_px: known(tag.residualPx),
  chi2: known(tag.chi2),
  sigma_px: known(tag.sigmaPx),
  weight: known(tag.weight) ?? 0,
})

type CameraDocument = LocalizationSolve['cameras'][number]

/** Streams first, then cameras of the round that are of none of them any more. */
const cameraDocuments = (
  streams: readonly UsedStream[],
  cameras: readonly SolvedCamera[],
  ageMs: (capturedUs: number) => number,
): CameraDocument[] => {
  const inRound = new Map(cameras.map((camera) => [camera.streamId, camera]))
  const others = cameras.filter(({ streamId }) => !streams.some((stream) => stream.streamId === streamId))
  const all = [...streams, ...others.map(({ streamId }) => ({ streamId, used: true, reason: null }))]
  return all.map(({ streamId, used, reason }) => {
    const camera = inRound.get(streamId)
    return {
      stream_id: streamId,
      used,
      reason,
      age_ms: camera ? ageMs(camera.capturedUs) : null,
      tags_used: camera?.used ?? 0,
      residual_px: camera ? known(camera.residualPx) : null,
      offset: camera ? offsetDocument(camera.offset) : null,
    }
  })
}

const offsetDocument = ([x, y, yaw]: SolvedCamera['offset']): CameraDocument['offset'] =>
  Number.isFinite(x + y + yaw) ? { x_m: x, y_m: y, yaw_deg: yaw * DEG } : null

const headingDocument = (solved: Solved | undefined): LocalizationSolve['heading'] => {
  const { from = null, said, seen, offset, used } = solved?.heading ?? NO_HEADING
  return { from, said_deg: inDegrees(said), seen_deg: inDegrees(seen), offset_deg: inDegrees(offset), used }
}

const NO_HEADING: Solved['heading'] = { said: Number.NaN, seen: Number.NaN, offset: Number.NaN, used: false }

const fusedDocument = (solved: Solved | undefined): LocalizationSolve['fused'] => {
  if (!solved?.fused) return null
  const { pose, stdDevs } = solved.fused
  const [x, y, yaw] = stdDevs
  return { pose: poseToDocument(pose), std_devs: { x_m: x, y_m: y, yaw_deg: yaw * DEG } }
}

/** One as the references show it. */
export const solveExample: LocalizationSolve = {
  state: 'tracking',
  revision: 3,
  map: { id: 'demo', hash: '1f3a9c0d5b6e47f8a1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f5061728' },
  round: 1200,
  captured_us: 300_000_000,
  captured_at_ms: 1_767_225_600_000,
  age_ms: 38.2,
  pose: { x_m: 4.02, y_m: 3.11, z_m: 0.01, roll_deg: 0.2, pitch_deg: -0.1, yaw_deg: 12.4 },
  quaternion: { w: 0.9941, x: 0.0018, y: -0.0007, z: 0.108 },
  std_devs: { x_m: 0.012, y_m: 0.014, z_m: 0.02, roll_deg: 0.4, pitch_deg: 0.4, yaw_deg: 0.2 },
  std_xy_m: 0.013,
  is_sure: true,
  tags: [
    {
      stream_id: 'front',
      family: 'tag36h11',
      id: 5,
      used: true,
      reason: null,
      residual_px: 0.31,
      chi2: 6.2,
      sigma_px: 0.2,
      weight: 1,
    },
  ],
  cameras: [
    {
      stream_id: 'front',
      used: true,
      reason: null,
      age_ms: 38.2,
      tags_used: 1,
      residual_px: 0.31,
      offset: { x_m: 0.004, y_m: -0.002, yaw_deg: 0.1 },
    },
  ],
  heading: { from: 'robot', said_deg: 12.1, seen_deg: 12.4, offset_deg: 0.3, used: true },
  fused: null,
  rejected: { inconsistent: 2 },
  cpu_us: 210,
}
