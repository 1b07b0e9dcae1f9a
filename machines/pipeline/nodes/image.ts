// Nodes that make pictures of pictures, or measure them.
import Type from '../../schema/type.ts'
import { imagePort, type NodeType, STRICT } from '../node-type.ts'

const SidePx = Type.Integer({ minimum: 16, maximum: 8192 })
const OffsetPx = Type.Integer({ minimum: 0, maximum: 8192, default: 0 })

export const imageNodes: Readonly<Record<string, NodeType>> = {
  source: {
    category: 'source',
    description:
      'The camera. Each graph has exactly one. Its colour costs nothing until something reads it; of a camera without colour it is grey.',
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
}
