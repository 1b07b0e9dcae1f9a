// Nodes that solve poses from tags, choose among them and aim beside them; those that find them are in
// tag-detectors.ts.
import { oneLine } from '../../schema/one-line.ts'
import Type from '../../schema/type.ts'
import { type NodeType, type PortType, STRICT } from '../node-type.ts'
import { tagDetectors } from './tag-detectors.ts'

const points: PortType = { name: 'points', kind: 'points' }
const detections: PortType = { name: 'detections', kind: 'detections' }
const Ids = (description: string) =>
  Type.Array(Type.Integer({ minimum: 0, maximum: 100_000 }), {
    maxItems: 1000,
    uniqueItems: true,
    default: [],
    description,
  })
const Offset = (description: string) => Type.Number({ minimum: -100, maximum: 100, default: 0, description })

export const tagNodes: Readonly<Record<string, NodeType>> = {
  ...tagDetectors,
  'undistort-points': {
    category: 'tags',
    cost: { us: 20 },
    needs: 'intrinsics',
    description:
      'Corners on the ideal image plane (x = X/Z, y = Y/Z), by the intrinsics of the camera. Gives none without them.',
    inputs: [{ name: 'detections', kind: 'detections' }],
    outputs: [points],
    params: Type.Object({}, STRICT),
  },
  'tag-pose': {
    category: 'tags',
    cost: { us: 100 },
    description: 'Both poses of each tag in the camera (IPPE), the likelier one first.',
    inputs: [points],
    outputs: [{ name: 'poses', kind: 'tag_poses' }],
    params: Type.Object(
      {
        tag_size_m: Type.Union([Type.Null(), Type.Number({ exclusiveMinimum: 0, maximum: 10 })], {
          default: null,
          description: oneLine`
            Edge of the square that the corners mark: the black one, or of tagStandard, tagCircle and tagCustom the
            white one within black. null: as the field map says.
          `,
        }),
      },
      STRICT,
    ),
  },
  'field-pose': {
    category: 'tags',
    cost: { us: 300 },
    description: oneLine`
      Where camera and robot are on the field, from all tags of the field map together (SQPNP). One tag alone needs
      tag_poses. Of two solutions the likelier one by the corners and by where the camera was in the half second
      before.
    `,
    inputs: [points, { name: 'tag_poses', kind: 'tag_poses', optional: true }],
    outputs: [{ name: 'pose', kind: 'field_pose' }],
    params: Type.Object(
      {
        min_tags: Type.Integer({ minimum: 1, maximum: 100, default: 1 }),
        // Measured: docs/decisions/0036-two-solutions.md. `npm run bench -- deviations` measures it again.
        max_ambiguity: Type.Number({
          minimum: 0,
          maximum: 1,
          default: 0.4,
          description: oneLine`
            Tags in one plane, whose second solution fits almost as well (ratio of the errors above this) and is far
            from the first, give no pose, unless the poses before decide which it is.
          `,
        }),
        refine: Type.Boolean({ default: true, description: 'Minimises the reprojection error afterwards.' }),
      },
      STRICT,
    ),
  },
  'id-filter': {
    category: 'tags',
    description: 'Lets tags through by their ids, in the order in which they came.',
    inputs: [detections],
    outputs: [detections],
    params: Type.Object(
      {
        ids: Ids('The tags that are kept or dropped; with none named, all pass.'),
        mode: Type.Enum(['keep', 'drop'], {
          default: 'keep',
          description: 'keep: these and no others. drop: all but these.',
        }),
      },
      STRICT,
    ),
    live: ['ids', 'mode'],
    cost: { us: 1 },
  },
  priority: {
    category: 'tags',
    description: oneLine`
      Gives the tag that matters most: alone, or before the others in their order. Of tags that are alike in it the
      largest comes first.
    `,
    inputs: [detections, { name: 'poses', kind: 'tag_poses', optional: true }],
    outputs: [detections],
    params: Type.Object(
      {
        by: Type.Enum(['largest', 'closest', 'centremost', 'given'], {
          default: 'largest',
          description: oneLine`
            largest: by the area in the picture. closest: by the distance from the camera, of tags whose pose comes in
            as well; the others follow, largest first. centremost: by how near to the middle of the picture its centre
            is. given: as \`ids\` lists them; the others follow, largest first.
          `,
        }),
        ids: Ids('The order of `given`.'),
        alone: Type.Boolean({ default: true, description: 'Without the others.' }),
      },
      STRICT,
    ),
    labels: { by: { title: 'First comes' }, ids: { title: 'Given order' }, alone: { title: 'Only the first' } },
    live: ['by', 'ids', 'alone'],
    cost: { us: 2 },
  },
  'tag-offset': {
    category: 'tags',
    description: oneLine`
      A point beside each tag, which moves and turns with it: as the pose of the tag moved there, with both solutions,
      and as a target to aim at, which has no extent. One behind the camera is no target.
    `,
    inputs: [{ name: 'poses', kind: 'tag_poses' }],
    outputs: [
      { name: 'poses', kind: 'tag_poses', optional: true },
      { name: 'targets', kind: 'targets', optional: true },
    ],
    params: Type.Object(
      {
        right_m: Offset('From the centre of the tag to the right, as somebody sees it who reads it.'),
        up_m: Offset('Upwards, as he sees it.'),
        out_m: Offset('Out of the tag, towards him.'),
      },
      STRICT,
    ),
    labels: { right_m: { title: 'To the right' }, out_m: { title: 'Out of the tag' } },
    live: ['right_m', 'up_m', 'out_m'],
    cost: { us: 10 },
  },
}
