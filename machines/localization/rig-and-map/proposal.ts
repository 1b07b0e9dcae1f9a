// What a survey proposes: where the tags hang and how the cameras sit, each beside where map and rig have it. Nothing
// of it is applied by itself.
import type { Static } from 'typebox'
import { TAG_FAMILIES, TagFamilyName } from '../../engine/tag-families.ts'
import { oneLine } from '../../schema/one-line.ts'
import { StreamId } from '../../schema/stream-id.ts'
import Type from '../../schema/type.ts'
import type { LocalizationConfig } from '../config.ts'
import { FieldMap } from '../field-map.ts'
import { compose, identityPose, type Pose, PoseDocument, poseFromDocument, poseToDocument } from '../pose.ts'
import { type SolveMap, tagKey } from '../solve-map.ts'
import type { Estimate, Estimates } from './bundle.ts'

const strict = { additionalProperties: false } as const

/** What moves less than that, or may as well be where it was, is no news. */
const MIN_MOVED_M = 0.025
const MIN_TURNED_DEG = 2.5
const MIN_DEVIATIONS = 4

const DEG = 180 / Math.PI

const measures = {
  before: PoseDocument,
  after: PoseDocument,
  moved_m: Type.Number({ minimum: 0, description: 'How far `after` is from `before`.' }),
  moved_std_m: Type.Number({ minimum: 0, description: 'The standard deviation of that.' }),
  turned_deg: Type.Number({ minimum: 0, description: 'By how much it is turned.' }),
  turned_std_deg: Type.Number({ minimum: 0, description: 'The standard deviation of that.' }),
  is_wrong: Type.Boolean({
    description: oneLine`
      Whether it is more than ${MIN_MOVED_M} m or ${MIN_TURNED_DEG} degrees off, and more than ${MIN_DEVIATIONS}
      standard deviations: somebody should look at it.`,
  }),
  rounds: Type.Integer({ minimum: 0, description: 'In how many rounds it was.' }),
}

/** A tag of the map, as a survey finds it. */
export const ProposedTag = Type.Object(
  { family: TagFamilyName, id: Type.Integer({ minimum: 0, maximum: 100_000 }), ...measures },
  { ...strict, title: 'ProposedTag', description: 'Where a tag hangs, on the field.' },
)
export type ProposedTag = Static<typeof ProposedTag>

/** A camera, as a survey finds it. */
export const ProposedCamera = Type.Object(
  {
    stream_id: StreamId,
    ...measures,
    lens_share: Type.Number({
      description: oneLine`
        By how much its focal length is larger than its calibration says, as a share of it. That is not part of what
        can be accepted: calibrate it again.`,
    }),
  },
  { ...strict, title: 'ProposedCamera', description: 'How a camera sits on the robot.' },
)
export type ProposedCamera = Static<typeof ProposedCamera>

/** What a survey proposes. */
export const Proposal = Type.Object(
  {
    map: Type.Object(
      { id: FieldMap.properties.id, hash: Type.String({ description: 'Of its content.' }) },
      { ...strict, description: 'By which it was surveyed.' },
    ),
    rounds: Type.Integer({ minimum: 0, description: 'Of which it is made.' }),
    misfit: Type.Number({
      description: 'Of all corners after it, as a share of the noise that is expected: 1 is as it should be.',
    }),
    tags: Type.Array(ProposedTag, { description: 'Those that were seen; the farthest off first.' }),
    cameras: Type.Array(ProposedCamera, { description: 'Those that saw something; the farthest off first.' }),
    errors: Type.Object(
      {
        map_m: Type.Number({ description: 'How far a tag may hang from there; one sigma of each axis.' }),
        map_deg: Type.Number({ description: 'How far it may be turned.' }),
        mount_m: Type.Number({ description: 'How far a camera may sit from there.' }),
        mount_deg: Type.Number({ description: 'How far it may be turned.' }),
      },
      {
        ...strict,
        title: 'ProposedErrors',
        description: 'How far map and mounts may still be off when all is accepted, for `errors` of the config.',
      },
    ),
  },
  { ...strict, title: 'LocalizationProposal', description: 'How map and rig are off, as a survey finds it.' },
)
export type Proposal = Static<typeof Proposal>

/** Of what is proposed. */
interface Given {
  readonly map: FieldMap
  readonly hash: string
  readonly solveMap: SolveMap
  readonly config: LocalizationConfig
  /** Of each stream, as the rig has its camera. */
  readonly mounts: ReadonlyMap<string, PoseDocument>
}

/** The document of what was found. */
export const proposalOf = ({ tags, cameras, rounds, misfit }: Estimates, given: Given): Proposal => {
  const { map, hash, solveMap, mounts } = given
  const proposedTags = map.tags.flatMap((tag): ProposedTag[] => {
    const family = tag.family ?? map.family
    const estimate = tags.get(solveMap.index.get(tagKey(TAG_FAMILIES.indexOf(family), tag.id)) ?? -1)
    return estimate ? [{ family, id: tag.id, ...measuresOf(tag.pose, estimate) }] : []
  })
  const proposedCameras = [...cameras].flatMap(([stream_id, estimate]): ProposedCamera[] => {
    const before = mounts.get(stream_id)
    return before ? [{ stream_id, ...measuresOf(before, estimate), lens_share: estimate.lens }] : []
  })
  return {
    map: { id: map.id, hash },
    rounds,
    misfit,
    tags: proposedTags.sort(byDistance),
    cameras: proposedCameras.sort(byDistance),
    errors: {
      map_m: rootMeanSquare([...tags.values()], 0, 0.001),
      map_deg: DEG * rootMeanSquare([...tags.values()], 3, 0.05 / DEG),
      mount_m: rootMeanSquare([...cameras.values()], 0, 0.001),
      mount_deg: DEG * rootMeanSquare([...cameras.values()], 3, 0.03 / DEG),
    },
  }
}

const byDistance = (a: { readonly moved_m: number }, b: { readonly moved_m: number }): number => b.moved_m - a.moved_m

const measuresOf = (before: PoseDocument, { moved, turned, covariance, rounds }: Estimate) => {
  const moved_m = Math.hypot(...moved)
  const turned_rad = Math.hypot(...turned)
  const moved_std_m = deviationAlong(covariance, moved, 0)
  const turned_std = deviationAlong(covariance, turned, 3)
  const isMoved = moved_m > MIN_MOVED_M && moved_m > MIN_DEVIATIONS * moved_std_m
  const isTurned = DEG * turned_rad > MIN_TURNED_DEG && turned_rad > MIN_DEVIATIONS * turned_std
  return {
    before,
    after: poseToDocument(displaced(poseFromDocument(before), moved, turned)),
    moved_m,
    moved_std_m,
    turned_deg: DEG * turned_rad,
    turned_std_deg: DEG * turned_std,
    is_wrong: isMoved || isTurned,
    rounds,
  }
}

type Vector = readonly [number, number, number]

/** Moved, and turned where it is, both along the axes of the frame in which it stands. */
const displaced = (pose: Pose, [x, y, z]: Vector, turned: Vector): Pose => {
  const angle = Math.hypot(...turned)
  const share = angle > 0 ? Math.sin(angle / 2) / angle : 0
  const turn = {
    ...identityPose,
    qw: Math.cos(angle / 2),
    qx: turned[0] * share,
    qy: turned[1] * share,
    qz: turned[2] * share,
  }
  return { ...compose(turn, { ...pose, x: 0, y: 0, z: 0 }), x: pose.x + x, y: pose.y + y, z: pose.z + z }
}

/** In the direction in which it moved. first: of the three numbers. */
const deviationAlong = (covariance: Float64Array, way: Vector, first: number): number => {
  const length = Math.hypot(...way)
  if (length === 0) return 0
  let sum = 0
  for (let row = 0; row < 3; row++)
    for (let column = 0; column < 3; column++)
      sum += (way[row] as number) * (way[column] as number) * (covariance[6 * (first + row) + first + column] as number)
  return Math.sqrt(Math.max(0, sum)) / length
}

/** Of the deviations of three numbers of each. */
const rootMeanSquare = (estimates: readonly Estimate[], first: number, least: number): number => {
  const variances = estimates.flatMap(({ covariance }) => [0, 1, 2].map((k) => covariance[7 * (first + k)] as number))
  const mean = variances.reduce((sum, variance) => sum + variance, 0) / Math.max(1, variances.length)
  return Math.max(least, Math.sqrt(mean))
}

/** The map with the tags of a proposal that are chosen. id: of the new one. */
export const mapWith = (
  map: FieldMap,
  tags: readonly ProposedTag[],
  named: Pick<FieldMap, 'id' | 'name'>,
): FieldMap => ({
  ...map,
  ...named,
  tags: map.tags.map((tag) => {
    const found = tags.find(({ family, id }) => id === tag.id && family === (tag.family ?? map.family))
    return found ? { ...tag, pose: found.after } : tag
  }),
})
