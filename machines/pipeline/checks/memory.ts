// What would not fit into the memory of a small device is refused here, with a reason for people.
import type { Finding } from '../diagnostic.ts'
import { tagDetectors } from '../nodes/tag-detectors.ts'
import { MAX_PLUGIN_STEPS } from '../plugin-step.ts'
import type { Node } from '../reading/graph-index.ts'
import { isWorkerNode, MAX_WORKERS, WORKER_NODES } from '../workers.ts'

/** Each keeps tables for decoding, 40 MB at most (decoding-tables.ts). */
const MAX_DETECTORS = 8
export const isDetector = (type: string): boolean => Object.hasOwn(tagDetectors, type)

/** Pixels of all pictures that are made by scaling; a byte each, kept as long as the camera is open. */
const MAX_SCALED_PX = 64_000_000

export const memoryFindings = (nodes: Iterable<Node>): readonly Finding[] => {
  const findings: Finding[] = []
  let detectors = 0
  let workers = 0
  let ofPlugins = 0
  let scaledPx = 0
  for (const { id, type, params, is, pointer } of nodes) {
    if (isDetector(type)) detectors += 1
    if (isDetector(type) && detectors === MAX_DETECTORS + 1)
      findings.push({
        code: 'node.too_many',
        node: id,
        of: `the type of ${id}`,
        pointer: `${pointer}/type`,
        message: `is one ${type} too many; a graph has at most ${MAX_DETECTORS} nodes that find tags`,
      })
    if (isWorkerNode(type)) workers += 1
    if (isWorkerNode(type) && workers === MAX_WORKERS + 1)
      findings.push({
        code: 'node.too_many',
        node: id,
        of: `the type of ${id}`,
        pointer: `${pointer}/type`,
        message: `is one ${type} too many; a graph has at most ${MAX_WORKERS} nodes of ${WORKER_NODES.join(', ')}`,
      })
    if (is.plugin) ofPlugins += 1
    if (is.plugin && ofPlugins === MAX_PLUGIN_STEPS + 1)
      findings.push({
        code: 'node.too_many',
        node: id,
        of: `the type of ${id}`,
        pointer: `${pointer}/type`,
        message: `is one ${type} too many; a graph has at most ${MAX_PLUGIN_STEPS} nodes of plugins`,
      })
    const px = is.size === 'set' ? Number(params.width_px) * Number(params.height_px) : 0
    if (scaledPx <= MAX_SCALED_PX && scaledPx + px > MAX_SCALED_PX)
      findings.push({
        code: 'pictures.too_large',
        node: id,
        of: `the node ${id}`,
        pointer: `${pointer}/params`,
        message: 'makes the scaled pictures larger than 64 megapixels in all',
      })
    scaledPx += Number.isNaN(px) ? 0 : px
  }
  return findings
}
