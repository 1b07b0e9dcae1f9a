// What would not fit into the memory of a small device is refused here, where somebody can read why.
import type { Finding } from './diagnostic.ts'
import type { Node } from './graph-index.ts'

/** Each keeps tables for decoding, 36 MB with three families and two bits to correct. */
const MOST_DETECTORS = 8

/** Pixels of all pictures that are made by scaling; a byte each, kept as long as the camera is open. */
const MOST_SCALED_PX = 64_000_000

export const memoryFindings = (nodes: Iterable<Node>): readonly Finding[] => {
  const findings: Finding[] = []
  let detectors = 0
  let scaledPx = 0
  for (const { id, type, params, is, pointer } of nodes) {
    if (type === 'apriltag') detectors += 1
    if (type === 'apriltag' && detectors === MOST_DETECTORS + 1)
      findings.push({
        ...{ code: 'node.too_many', node: id, of: `the type of ${id}`, pointer: `${pointer}/type` },
        message: `is one apriltag too many; a graph has at most ${MOST_DETECTORS}`,
      })
    const px = is.size === 'set' ? Number(params.width_px) * Number(params.height_px) : 0
    if (scaledPx <= MOST_SCALED_PX && scaledPx + px > MOST_SCALED_PX)
      findings.push({
        ...{ code: 'pictures.too_large', node: id, of: `the node ${id}`, pointer: `${pointer}/params` },
        message: 'makes the scaled pictures larger than 64 megapixels in all',
      })
    scaledPx += Number.isNaN(px) ? 0 : px
  }
  return findings
}
