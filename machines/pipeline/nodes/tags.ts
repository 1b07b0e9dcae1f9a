// Nodes that find tags and solve poses from them.
import { TAG_FAMILIES } from '../../engine/result.ts'
import Type from '../../schema/type.ts'
import { familyDefault } from '../family-default.ts'
import { imagePort, type NodeType, type PortType, STRICT } from '../node-type.ts'

const points: PortType = { name: 'points', kind: 'points' }

/** Of the time at decimate 1 a third stays in the full picture whatever the factor, the rest shrinks with the small one: decimate 2 takes a third of it. */
const detectorFactor = ({ decimate, threads }: Readonly<Record<string, unknown>>): number =>
  (1 / 3 + 8 / 3 / Number(decimate) ** 2) / Number(threads)

export const tagNodes: Readonly<Record<string, NodeType>> = {
  apriltag: {
    category: 'tags',
    description: 'Finds AprilTags with libapriltag.',
    inputs: [imagePort('gray')],
    cost: { us: 200, ns_per_px: 20, factor: detectorFactor },
    live: ['min_margin', 'ids'],
    outputs: [{ name: 'detections', kind: 'detections' }],
    params: Type.Object(
      {
        families: Type.Array(Type.Enum([...TAG_FAMILIES]), {
          minItems: 1,
          maxItems: 3,
          uniqueItems: true,
          default: ['tag36h11'],
        }),
        decimate: Type.Number({
          minimum: 1,
          maximum: 8,
          default: 2,
          description:
            'Quads are searched in a picture smaller by this factor; corners are refined in the full one. 2 takes a third of the time of 1.',
        }),
        blur: Type.Number({
          minimum: 0,
          maximum: 5,
          default: 0,
          description: 'Standard deviation in pixels; helps with noisy pictures.',
        }),
        threads: Type.Integer({ minimum: 1, maximum: 4, default: 1 }),
        refine: Type.Boolean({ default: true, description: 'Moves edges to the strongest gradient: better corners.' }),
        // Measured: docs/decisions/0035-detector-defaults.md. `npm run bench -- margins` measures them again.
        min_margin: familyDefault(
          Type.Number({
            minimum: 0,
            maximum: 255,
            description:
              "Least decision margin, on libapriltag's scale: how far bits are from the middle grey, about 0.9 of the contrast of a sharp tag.",
          }),
          { tag36h11: 5, tag25h9: 5, tag16h5: 5 },
        ),
        max_hamming: familyDefault(
          Type.Integer({
            minimum: 0,
            maximum: 2, // the tables for 3 take 1.2 GB and four seconds, and accept noise
            description: 'Most bits that may be corrected. Each one makes false tags many times likelier.',
          }),
          { tag36h11: 1, tag25h9: 1, tag16h5: 0 },
        ),
        ids: Type.Array(Type.Integer({ minimum: 0, maximum: 100_000 }), {
          maxItems: 1000,
          uniqueItems: true,
          default: [],
          description: 'Only these tags; empty = all.',
        }),
      },
      STRICT,
    ),
  },
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
          description: 'Edge of the black square; null = as the field map says.',
        }),
      },
      STRICT,
    ),
  },
  'field-pose': {
    category: 'tags',
    cost: { us: 300 },
    description:
      'Where camera and robot are on the field, from all tags of the field map together (SQPNP). One tag alone needs tag_poses. Of two solutions the likelier one by the corners and by where the camera was in the half second before.',
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
          description:
            'Tags in one plane, whose second solution fits almost as well (ratio of the errors above this) and is far from the first, give no pose, unless the poses before decide which it is.',
        }),
        refine: Type.Boolean({ default: true, description: 'Minimises the reprojection error afterwards.' }),
      },
      STRICT,
    ),
  },
}
