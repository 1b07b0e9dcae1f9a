// The node types a graph may use: their ports and parameters. The engine has one C++ file per type that does what is described here.
import type { TObject } from 'typebox'
import { TAG_FAMILIES } from '../engine/result.ts'
import Type from '../schema/type.ts'
import { familyDefault } from './family-default.ts'
import type { PortKind } from './graph.ts'

/** A port of a node type. Inputs must be connected unless they are optional. */
export interface PortType {
  readonly name: string
  readonly kind: PortKind
  readonly optional?: true
}

/** A node type. The order of its ports is the order of `inputs` and `outputs` in a plan's step. */
export interface NodeType {
  readonly description: string
  readonly inputs: readonly PortType[]
  readonly outputs: readonly PortType[]
  readonly params: TObject
}

const image: PortType = { name: 'image', kind: 'image' }
const points: PortType = { name: 'points', kind: 'points' }
const strict = { additionalProperties: false } as const
const SidePx = Type.Integer({ minimum: 16, maximum: 8192 })
const OffsetPx = Type.Integer({ minimum: 0, maximum: 8192, default: 0 })

/** All node types by name. Pixel coordinates in results are those of the full source picture, whatever was cropped or resized on the way. */
export const nodeTypes: Readonly<Record<string, NodeType>> = {
  source: {
    description: 'The camera. Each graph has exactly one.',
    inputs: [],
    outputs: [image],
    params: Type.Object({}, strict),
  },
  gray: {
    description: 'One channel of 8 bits. Costs nothing when the picture is grey already.',
    inputs: [image],
    outputs: [image],
    params: Type.Object({}, strict),
  },
  resize: {
    description: 'Scales by averaging areas. Corners lose accuracy in proportion.',
    inputs: [image],
    outputs: [image],
    params: Type.Object({ width_px: SidePx, height_px: SidePx }, strict),
  },
  crop: {
    description: 'A part of the picture, without copying it. What exceeds the picture is cut off.',
    inputs: [image],
    outputs: [image],
    params: Type.Object({ x_px: OffsetPx, y_px: OffsetPx, width_px: SidePx, height_px: SidePx }, strict),
  },
  apriltag: {
    description: 'Finds AprilTags with libapriltag.',
    inputs: [image],
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
      strict,
    ),
  },
  'undistort-points': {
    description:
      'Corners on the ideal image plane (x = X/Z, y = Y/Z), by the intrinsics of the camera. Gives none without them.',
    inputs: [{ name: 'detections', kind: 'detections' }],
    outputs: [points],
    params: Type.Object({}, strict),
  },
  'tag-pose': {
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
      strict,
    ),
  },
  'field-pose': {
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
      strict,
    ),
  },
}
