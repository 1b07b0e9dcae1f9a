// The node types a graph may use: their ports and parameters. The engine has one C++ file per type that does what is
// described here.
import type { NodeType } from './node-type.ts'
import { colourNodes } from './nodes/colour.ts'
import { imageNodes } from './nodes/image.ts'
import { learnedNodes } from './nodes/learned.ts'
import { otherNodes } from './nodes/other.ts'
import { tagNodes } from './nodes/tags.ts'

/**
 * All node types by name. Pixel coordinates in results refer to the full source picture, whatever was cropped or
 * resized on the way.
 */
export const nodeTypes: Readonly<Record<string, NodeType>> = {
  ...imageNodes,
  ...tagNodes,
  ...colourNodes,
  ...learnedNodes,
  ...otherNodes,
}
