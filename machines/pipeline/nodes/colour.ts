// Nodes that find things by their colour and shape.
import { oneLine } from '../../schema/one-line.ts'
import Type from '../../schema/type.ts'
import { imagePort, type NodeType, type PortType, STRICT } from '../node-type.ts'
import { modelRefusal } from './model-corners.ts'

const mask = imagePort('mask', 'mask')
const contours: PortType = { name: 'contours', kind: 'contours' }

const Hue = (value: number, description: string) =>
  Type.Number({ minimum: 0, maximum: 360, default: value, description })
const Level = (value: number, description: string) =>
  Type.Integer({ minimum: 0, maximum: 255, default: value, description })
const Share = (value: number, description: string) =>
  Type.Number({ minimum: 0, maximum: 1, default: value, description })
const Ratio = (value: number, description: string) =>
  Type.Number({ minimum: 0, maximum: 1000, default: value, description })
const Place = (value: number, description: string) =>
  Type.Number({ minimum: 0, maximum: 65_536, default: value, description })
const Tolerance = (description: string) => Type.Number({ minimum: 0.002, maximum: 0.2, default: 0.03, description })

const CORNERS_TOLERANCE = oneLine`
  How far an outline may be from the polygon that stands for it, in lengths of the way around it. Greater: fewer
  corners.
`

export const colourNodes: Readonly<Record<string, NodeType>> = {
  'hsv-threshold': {
    category: 'colour',
    description: oneLine`
      A mask of the pixels whose hue, saturation and value are all in range, both ends included. Hue is in degrees
      (red 0, green 120, blue 240), in steps of two: twice what tools say that count from 0 to 179, and then the very
      same mask as OpenCV's.
    `,
    inputs: [imagePort('colour')],
    outputs: [mask],
    params: Type.Object(
      {
        hue_min_deg: Hue(0, 'Where the range of hues begins. Above its end, the range goes through red.'),
        hue_max_deg: Hue(360, 'Where the range of hues ends.'),
        saturation_min: Level(100, 'Least saturation, 0 (grey) to 255.'),
        saturation_max: Level(255, 'Greatest saturation, 0 to 255.'),
        value_min: Level(100, 'Least value, 0 (black) to 255.'),
        value_max: Level(255, 'Greatest value, 0 to 255.'),
      },
      STRICT,
    ),
    live: ['hue_min_deg', 'hue_max_deg', 'saturation_min', 'saturation_max', 'value_min', 'value_max'],
    keeps: 4, // hue, saturation, value, and the other side of red
    cost: { us: 10, ns_per_px: 2.5 },
  },
  morphology: {
    category: 'colour',
    description: oneLine`
      Makes what a mask shows thinner (erode) or thicker (dilate). open: thinner, then thicker, which removes specks;
      close: the other way round, which closes gaps.
    `,
    inputs: [mask],
    outputs: [mask],
    params: Type.Object(
      {
        operation: Type.Enum(['erode', 'dilate', 'open', 'close'], { default: 'open', description: 'What is done.' }),
        shape: Type.Enum(['rectangle', 'ellipse', 'cross'], {
          default: 'rectangle',
          description: 'Of the neighbourhood of a pixel that decides about it. A rectangle is by far the fastest.',
        }),
        radius_px: Type.Integer({
          minimum: 1,
          maximum: 15,
          default: 1,
          description: 'How far the neighbourhood reaches, in pixels of the mask; 1: 3x3, 2: 5x5.',
        }),
        iterations: Type.Integer({
          minimum: 1,
          maximum: 10,
          default: 1,
          description: 'How many times. open and close do all of the first half, then all of the other.',
        }),
      },
      STRICT,
    ),
    keeps: 1, // what is between its two steps
    cost: { us: 20, ns_per_px: 1 },
  },
  contours: {
    category: 'colour',
    description: oneLine`
      The outer outlines of what a mask shows, the largest first: at most 1,000, with at most 100,000 points. Areas
      are whole pixels with all that an outline encloses, holes too.
    `,
    inputs: [mask],
    outputs: [contours],
    params: Type.Object(
      {
        min_area_px: Type.Number({
          minimum: 0,
          maximum: 100_000_000,
          default: 15,
          description: 'What encloses less is left out at once, in square pixels of the source picture.',
        }),
      },
      STRICT,
    ),
    labels: { min_area_px: { unit: 'px²' } },
    live: ['min_area_px'],
    cost: { us: 50, ns_per_px: 1 },
  },
  'contour-filter': {
    category: 'colour',
    description:
      'Keeps the outlines that are like what is searched for in all of these, in the order in which they came.',
    inputs: [contours],
    outputs: [contours],
    params: Type.Object(
      {
        area_share_min: Share(0, 'Least area, of the picture.'),
        area_share_max: Share(1, 'Greatest area, of the picture.'),
        ratio_min: Ratio(
          0,
          oneLine`
            Least width over height of the smallest bounding rectangle; its width is the side that is nearer to the
            horizontal.
          `,
        ),
        ratio_max: Ratio(1000, 'Greatest width over height.'),
        fullness_min: Share(0, 'Least share of the smallest bounding rectangle that is enclosed.'),
        fullness_max: Share(1, 'Greatest share of the smallest bounding rectangle that is enclosed.'),
        speckle_share: Share(0, 'Least area, of the mean area of all outlines that come in.'),
        x_min_px: Place(0, 'Its centre lies right of this, in pixels of the source picture.'),
        x_max_px: Place(65_536, 'Its centre lies left of this.'),
        y_min_px: Place(0, 'Its centre lies below this.'),
        y_max_px: Place(65_536, 'Its centre lies above this.'),
      },
      STRICT,
    ),
    labels: {
      ratio_min: { step: 0.1 },
      ratio_max: { step: 0.1 },
      speckle_share: { title: 'Minimum of the mean area' },
    },
    live: [
      'area_share_min',
      'area_share_max',
      'ratio_min',
      'ratio_max',
      'fullness_min',
      'fullness_max',
      'speckle_share',
      'x_min_px',
      'x_max_px',
      'y_min_px',
      'y_max_px',
    ],
    cost: { us: 10 },
  },
  'contour-group': {
    category: 'colour',
    description: oneLine`
      Outlines that belong together as one: the hull around them, the sum of their areas, and the middle of their
      rectangle as centre. Two belong together that are near each other and whose lines, along the longer side of
      each, meet on the given side of both. Looks at the first 200.
    `,
    inputs: [contours],
    outputs: [contours],
    params: Type.Object(
      {
        count: Type.Enum(['single', 'dual', 'two_or_more'], {
          default: 'dual',
          description: oneLine`
            single: all as they are. dual: pairs, the nearest first, each outline in one at most. two_or_more: all
            that hang together. What belongs to no group is left out.
          `,
        }),
        intersection: Type.Enum(['any', 'up', 'down', 'left', 'right'], {
          default: 'any',
          description:
            'Where their lines meet: above both centres, below, left or right of both; any: wherever, also nowhere.',
        }),
        gap_max: Type.Number({
          minimum: 0,
          maximum: 100,
          default: 3,
          description: 'Greatest distance between their upright boxes, in longer sides of the larger one.',
        }),
      },
      STRICT,
    ),
    labels: { count: { title: 'Group' }, intersection: { title: 'Where lines meet' } },
    live: ['count', 'intersection', 'gap_max'],
    cost: { us: 50 },
  },
  sort: {
    category: 'colour',
    description:
      'Puts outlines into an order, and keeps the first ones. The first of all is the one that robots aim at.',
    inputs: [contours],
    outputs: [contours],
    params: Type.Object(
      {
        by: Type.Enum(['largest', 'smallest', 'leftmost', 'rightmost', 'topmost', 'bottommost', 'centremost'], {
          default: 'largest',
          description: 'Which comes first, by area or by centre. centremost: nearest to the middle of the picture.',
        }),
        limit: Type.Integer({ minimum: 1, maximum: 1000, default: 10, description: 'How many are kept at most.' }),
      },
      STRICT,
    ),
    labels: { by: { title: 'First comes' }, limit: { title: 'Keep at most' } },
    live: ['by', 'limit'],
    cost: { us: 10 },
  },
  polygons: {
    category: 'colour',
    description: oneLine`
      Outlines as polygons, and only those with so many corners. An edge is the line that fits its pixels best, so
      corners are exact to fractions of one.
    `,
    inputs: [contours],
    outputs: [contours],
    params: Type.Object(
      {
        tolerance_share: Tolerance(CORNERS_TOLERANCE),
        corners_min: Type.Integer({ minimum: 3, maximum: 100, default: 3, description: 'Fewest corners.' }),
        corners_max: Type.Integer({ minimum: 3, maximum: 100, default: 100, description: 'Most corners.' }),
        convex_only: Type.Boolean({ default: false, description: 'Only those without a corner that points inwards.' }),
      },
      STRICT,
    ),
    live: ['tolerance_share', 'corners_min', 'corners_max', 'convex_only'],
    cost: { us: 100 },
  },
  circles: {
    category: 'colour',
    description: oneLine`
      Outlines that follow a circle, also where a part is hidden, in the order in which they came; and those outlines
      themselves, to be aimed at.
    `,
    inputs: [contours],
    outputs: [
      { name: 'circles', kind: 'circles' },
      { ...contours, optional: true },
    ],
    params: Type.Object(
      {
        radius_min_px: Place(3, 'Least radius, in pixels of the source picture.'),
        radius_max_px: Place(65_536, 'Greatest radius.'),
        tolerance: Type.Number({
          minimum: 0,
          maximum: 0.5,
          default: 0.03,
          description:
            'How far an outline may be from the circle where it counts, in radii; a pixel is always allowed.',
        }),
        arc_min: Share(0.7, 'Least share of the way round where the outline is on the circle.'),
      },
      STRICT,
    ),
    live: ['radius_min_px', 'radius_max_px', 'tolerance', 'arc_min'],
    cost: { us: 200 },
  },
  target: {
    category: 'colour',
    description: oneLine`
      What robots aim at: direction, share of the picture, corners and skew of each outline. Directions need a
      calibrated camera; so do poses, which also need a model, for the first 10. What lies where the model of the lens
      does not hold is left out.
    `,
    inputs: [contours],
    outputs: [{ name: 'targets', kind: 'targets' }],
    needs: 'intrinsics',
    params: Type.Object(
      {
        point: Type.Enum(['centre', 'top', 'bottom', 'left', 'right'], {
          default: 'centre',
          description: oneLine`
            What is aimed at: the centre of the area, or the middle of the outermost side of the smallest bounding
            rectangle.
          `,
        }),
        model_points_m: Type.Array(Type.Number({ minimum: -100, maximum: 100 }), {
          maxItems: 36,
          default: [],
          description: oneLine`
            The corners of the thing in metres, for its pose: x, y and z of each, in their order around it; x right, y
            down, z into it as its viewer sees it. Empty: no pose. From 4 to 12 corners.
          `,
        }),
        tolerance_share: Tolerance(`For poses. ${CORNERS_TOLERANCE} A pose needs as many as the model has.`),
      },
      STRICT,
    ),
    live: ['point', 'tolerance_share'],
    refusal: ({ model_points_m }) => {
      const message = modelRefusal(model_points_m as number[])
      return message === undefined ? undefined : { param: 'model_points_m', message }
    },
    cost: { us: 50 },
  },
}
