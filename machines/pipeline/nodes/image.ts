// Nodes that make pictures of pictures, or measure them.
import { oneLine } from '../../schema/one-line.ts'
import Type from '../../schema/type.ts'
import type { PortKind } from '../kinds.ts'
import { imagePort, type NodeType, type PortType, STRICT } from '../node-type.ts'
import { areCorners, type PlaceShare } from './convex.ts'

const SidePx = Type.Integer({ minimum: 16, maximum: 8192 })
const OffsetPx = Type.Integer({ minimum: 0, maximum: 8192, default: 0 })

const Level = (description: string, value: number) =>
  Type.Integer({ minimum: 0, maximum: 255, default: value, description })

/** An input of what can be drawn, named as its kind. */
const drawable = (kind: PortKind): PortType => ({ name: kind, kind, optional: true })

/** [x, y]: shares of the picture that the node reads. */
const Place = Type.Array(Type.Number({ minimum: 0, maximum: 1 }), { minItems: 2, maxItems: 2 })

const CORNERS: PlaceShare[] = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 1],
]

export const imageNodes: Readonly<Record<string, NodeType>> = {
  source: {
    category: 'source',
    description: oneLine`
      The camera. Each graph has exactly one. Its colour costs nothing until something reads it; of a camera without
      colour it is grey.
    `,
    inputs: [],
    outputs: [imagePort('gray'), { ...imagePort('colour', 'colour'), optional: true }],
    params: Type.Object({}, STRICT),
    cost: { us: 10, ns_per_px: 3 },
  },
  gray: {
    category: 'image',
    description: 'One channel of 8 bits. Costs nothing when the picture is grey already.',
    inputs: [imagePort('any')],
    outputs: [imagePort('gray')],
    cost: { us: 1 },
    params: Type.Object({}, STRICT),
  },
  resize: {
    category: 'image',
    description: 'Scales by averaging areas. Corners lose accuracy in proportion.',
    inputs: [imagePort('any')],
    outputs: [imagePort('same')],
    cost: { us: 10, ns_per_px: 1 },
    size: 'set',
    params: Type.Object({ width_px: SidePx, height_px: SidePx }, STRICT),
  },
  crop: {
    category: 'image',
    description: 'A part of the picture, without copying it. What exceeds the picture is cut off.',
    inputs: [imagePort('any')],
    outputs: [imagePort('same')],
    cost: { us: 1 },
    size: 'cut',
    params: Type.Object({ x_px: OffsetPx, y_px: OffsetPx, width_px: SidePx, height_px: SidePx }, STRICT),
  },
  rotate: {
    category: 'image',
    description: 'Turns the picture clockwise as seen, for a camera that is mounted on its side or upside down.',
    inputs: [imagePort('any')],
    outputs: [imagePort('same')],
    cost: { us: 10, ns_per_px: 1 },
    params: Type.Object({ angle_deg: Type.Enum([90, 180, 270], { default: 180, description: 'Clockwise.' }) }, STRICT),
  },
  flip: {
    category: 'image',
    description: 'Shows the picture as in a mirror. No tag is found in a picture that is mirrored in one direction.',
    inputs: [imagePort('any')],
    outputs: [imagePort('same')],
    cost: { us: 10, ns_per_px: 0.3 },
    live: ['direction'],
    params: Type.Object(
      {
        direction: Type.Enum(['horizontal', 'vertical', 'both'], {
          default: 'horizontal',
          description: 'horizontal: left becomes right. vertical: top becomes bottom. both: half a turn.',
        }),
      },
      STRICT,
    ),
  },
  blur: {
    category: 'image',
    description: 'Makes the picture softer, against noise. Of a mask it takes small specks and fills small holes.',
    inputs: [imagePort('any')],
    outputs: [imagePort('same')],
    cost: { us: 20, ns_per_px: 5 },
    live: ['method', 'radius_px'],
    params: Type.Object(
      {
        method: Type.Enum(['gaussian', 'median', 'box'], {
          default: 'gaussian',
          description: oneLine`
            gaussian: near pixels count more. median: the middle one of all, which keeps edges and takes specks, and
            is slow. box: all count the same; the fastest when it is wide.
          `,
        }),
        radius_px: Type.Integer({
          minimum: 1,
          maximum: 31,
          default: 2,
          description: 'A pixel becomes what is so far around it, in a square with a side of twice as much and one.',
        }),
      },
      STRICT,
    ),
  },
  'exposure-stats': {
    category: 'image',
    description: oneLine`
      How bright the picture is: mean, median, where the darkest and the brightest 5 % end, and how much is at either
      end of the scale. For a part of the picture, crop it first.
    `,
    inputs: [imagePort('any')],
    outputs: [{ name: 'exposure', kind: 'exposure' }],
    cost: { us: 10, ns_per_px: 0.5 },
    live: ['dark_level', 'bright_level'],
    params: Type.Object(
      {
        dark_level: Level('Pixels up to this level count as too dark to show anything.', 5),
        bright_level: Level('Pixels from this level on count as too bright to show anything.', 250),
      },
      STRICT,
    ),
  },
  undistort: {
    category: 'image',
    description: oneLine`
      Takes out what the lens bends, by the intrinsics of the camera: straight lines become straight. Size, focal
      length and centre stay, so what the lens had pressed into the edges is lost and what it had not seen is black.
      Results are in pixels of the camera all the same. Without intrinsics of the size of the picture it passes
      untouched. Tags need none of this: their poses know the lens.
    `,
    inputs: [imagePort('any')],
    outputs: [imagePort('same')],
    needs: 'intrinsics',
    keeps: 6, // the map
    cost: { us: 10, ns_per_px: 4 },
    params: Type.Object({}, STRICT),
  },
  keystone: {
    category: 'image',
    description: oneLine`
      Shows a part of the picture that is seen at an angle as if it were seen straight: four corners become those of a
      rectangle.
    `,
    inputs: [imagePort('any')],
    outputs: [imagePort('same')],
    size: 'set',
    cost: { us: 10, ns_per_px: 6 },
    live: ['corners'],
    refusal: ({ corners }) =>
      areCorners(corners as PlaceShare[])
        ? undefined
        : {
            param: 'corners',
            message: oneLine`
              cannot be the corners of a rectangle; name them clockwise from its top left one, none of them between
              the others and no two of them together
            `,
          },
    params: Type.Object(
      {
        corners: Type.Array(Place, {
          minItems: 4,
          maxItems: 4,
          default: CORNERS,
          description:
            'Top left, top right, bottom right and bottom left of the rectangle, each [x, y] as shares of the picture.',
        }),
        width_px: Type.Union([Type.Null(), SidePx], {
          default: null,
          description: 'Of the rectangle; null: as wide as the picture.',
        }),
        height_px: Type.Union([Type.Null(), SidePx], {
          default: null,
          description: 'Of the rectangle; null: as high as the picture.',
        }),
      },
      STRICT,
    ),
  },
  mask: {
    category: 'image',
    description: oneLine`
      Makes black what lies outside of the polygons and of the mask, where there is one: the own bumpers, or lights
      above the field. A mask counts where it shows the same part of the source picture, whatever its size.
    `,
    inputs: [imagePort('any'), { ...imagePort('mask', 'mask'), optional: true }],
    outputs: [imagePort('same')],
    keeps: 8, // the map of a mask that lies elsewhere, and masks
    cost: { us: 10, ns_per_px: 0.5 },
    live: ['polygons', 'invert'],
    params: Type.Object(
      {
        polygons: Type.Array(Type.Array(Place, { minItems: 3, maxItems: 100 }), {
          maxItems: 20,
          default: [],
          description: 'Each a list of corners [x, y] as shares of the picture; none: all of it.',
        }),
        invert: Type.Boolean({ default: false, description: 'Makes black what lies inside instead.' }),
      },
      STRICT,
    ),
  },
  overlay: {
    category: 'image',
    description: oneLine`
      Draws what was found onto a picture, in colour, where it is seen there: outlines of tags with their ids, of
      contours, targets with a cross in the middle, objects with the number of their class, circles and codes.
    `,
    inputs: [
      imagePort('any'),
      drawable('detections'),
      drawable('contours'),
      drawable('targets'),
      drawable('objects'),
      drawable('circles'),
      drawable('barcodes'),
    ],
    outputs: [imagePort('colour')],
    cost: { us: 100, ns_per_px: 1 },
    live: ['scale', 'labels'],
    params: Type.Object(
      {
        scale: Type.Number({
          minimum: 0.25,
          maximum: 8,
          default: 1,
          description: 'Of lines and texts: more where the picture will be shown smaller than it is.',
        }),
        labels: Type.Boolean({ default: true, description: 'Writes ids, classes and texts.' }),
      },
      STRICT,
    ),
  },
}
