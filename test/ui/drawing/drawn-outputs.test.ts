// What a small picture asks for: the outputs that its overlay draws, of every type of node that there is.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { frameResults } from '../../../machines/engine/frame-results.ts'
import { RESULT_FIELDS } from '../../../machines/engine/result.ts'
import { defaultGraph } from '../../../machines/pipeline/graph.ts'
import type { PortKind } from '../../../machines/pipeline/kinds.ts'
import { nodeTypes } from '../../../machines/pipeline/registry.ts'
import type { Outputs } from '../../../ui/api/outputs.ts'
import { drawnOutputs, isDrawn, robotOutputs } from '../../../ui/drawing/drawn-outputs.ts'
import { drawOverlay } from '../../../ui/drawing/overlay.ts'
import { packed } from '../../support/engine/packed.ts'

/** A surface on which all that is drawn is counted. */
const countingSurface = () => {
  let drawn = 0
  const surface = new Proxy({} as OffscreenCanvasRenderingContext2D, {
    get: (_, name) => {
      if (name === 'stroke' || name === 'fillText') drawn += 1
      return () => ({ width: 10 })
    },
    set: () => true,
  })
  return { surface, drawn: () => drawn }
}

/** Whether the overlay of a tile draws something of an output with one row of a kind. */
const drawsSomething = (kind: Exclude<PortKind, 'image'>): boolean => {
  const row = Object.fromEntries(RESULT_FIELDS[kind].map((field) => [field, field === 'text_bytes' ? 2 : 0]))
  const { outputs } = frameResults(packed({}, [{ port: 'out', kind, rows: [row], text: '{}' }]))
  const { surface, drawn } = countingSurface()
  const placing = { left: 0, top: 0, width: 640, height: 400, scale: 1 }
  drawOverlay({ surface, placing, ratio: 1, size: { width: 640, height: 400 } }, outputs as Outputs, { tags: true })
  return drawn() > 0
}

test('what an overlay draws is asked for, of every type of node, and nothing else', () => {
  const wrong = Object.entries(nodeTypes).flatMap(([type, { outputs }]) => {
    const kinds = outputs.flatMap(({ kind }) => (kind === 'image' ? [] : [kind]))
    return kinds.length === 0 || isDrawn(type) === kinds.some(drawsSomething) ? [] : [type]
  })

  assert.deepEqual(wrong, [])
})

const usual = defaultGraph as Parameters<typeof drawnOutputs>[0]

test('of the usual pipeline that is its tags', () => {
  assert.deepEqual(drawnOutputs(usual), ['tags'])
})

test('the robot on the field takes its pose, its tags and the truth', () => {
  assert.deepEqual(robotOutputs(usual), ['tags', 'pose', 'truth'])
})
