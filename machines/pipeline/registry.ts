// The node types a graph may use: their ports and parameters. The engine has one C++ file per type that does what is
// described here.
import type { NodeTypes } from './node-type.ts'
import { colourNodes } from './nodes/colour.ts'
import { imageNodes } from './nodes/image.ts'
import { learnedNodes } from './nodes/learned.ts'
import { otherNodes } from './nodes/other.ts'
import { tagNodes } from './nodes/tags.ts'

/**
 * All node types of ours by name; those of plugins stand beside them (known-types.ts). Pixel coordinates in results
 * refer to the full source picture, whatever was cropped or resized on the way.
 */
export const nodeTypes: NodeTypes = {
  ...imageNodes,
  ...tagNodes,
  ...colourNodes,
  ...learnedNodes,
  ...otherNodes,
}
