// What can be seen in a JPEG, as the nodes of a pipeline see it.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { GraphDocument } from '../../../machines/pipeline/graph.ts'
import { rowObjects } from '../engine/row-objects.ts'
import { steppedPictures } from '../engine/stepped.ts'
import { folderOf } from '../processes/folder.ts'

const SOF0 = 0xc0

/** How many planes of colour a JPEG has: 1 for grey, 3 for colour. */
export const planesOf = (jpeg: Uint8Array): number => {
  for (let at = 2; at < jpeg.length; ) {
    const [marker, length] = [jpeg[at + 1], ((jpeg[at + 2] ?? 0) << 8) | (jpeg[at + 3] ?? 0)]
    if (marker === SOF0) return jpeg[at + 9] ?? 0
    at += 2 + length
  }
  return 0
}

const seen = async (t: TestContext, jpeg: Uint8Array, graph: GraphDocument) => {
  const path = join(folderOf(t), 'seen.jpg')
  writeFileSync(path, jpeg)
  const [result] = await steppedPictures([path], { pipeline: graph })
  return (result && rowObjects(result, 'seen')) ?? []
}

/** Outlines of what has such a hue, the largest first. */
export const outlinesOf = (t: TestContext, jpeg: Uint8Array, [from, to]: readonly [number, number]) =>
  seen(t, jpeg, {
    nodes: [
      { id: 'source', type: 'source' },
      { id: 'coloured', type: 'hsv-threshold', params: { hue_min_deg: from, hue_max_deg: to, value_min: 50 } },
      { id: 'outlines', type: 'contours' },
    ],
    edges: [
      { from: 'source.colour', to: 'coloured.image' },
      { from: 'coloured.mask', to: 'outlines.mask' },
    ],
    outputs: [{ port: 'seen', from: 'outlines.contours' }],
  })

/** Which share of it is white, and which black. */
export const sharesOf = async (t: TestContext, jpeg: Uint8Array) => {
  const [light] = await seen(t, jpeg, {
    nodes: [
      { id: 'source', type: 'source' },
      { id: 'light', type: 'exposure-stats' },
    ],
    edges: [{ from: 'source.image', to: 'light.image' }],
    outputs: [{ port: 'seen', from: 'light.exposure' }],
  })
  return { white: light?.bright_share ?? 0, black: light?.dark_share ?? 0 }
}
