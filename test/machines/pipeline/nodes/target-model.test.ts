// The model of a target: what the engine could not solve a pose with is refused where somebody can read why.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { examineGraph } from '../../../../machines/pipeline/examine.ts'
import type { GraphDocument } from '../../../../machines/pipeline/graph.ts'

const withModel = (model_points_m: readonly number[]): GraphDocument => ({
  nodes: [
    { id: 'source', type: 'source' },
    { id: 'green', type: 'hsv-threshold' },
    { id: 'outlines', type: 'contours' },
    { id: 'target', type: 'target', params: { model_points_m } },
  ],
  edges: [
    { from: 'source.colour', to: 'green.image' },
    { from: 'green.mask', to: 'outlines.mask' },
    { from: 'outlines.contours', to: 'target.contours' },
  ],
  outputs: [{ port: 'targets', from: 'target.targets' }],
})

const SQUARE = [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0]
const OTHER_WAY_ROUND = [0, 0, 0, 0, 1, 0, 1, 1, 0, 1, 0, 0]

test('a model is a list of corners around a thing that has an extent', () => {
  for (const model of [[], SQUARE, OTHER_WAY_ROUND]) assert.ok(examineGraph(withModel(model)).runnable)
})

test('any other is refused with the reason, and the fix is to have none', () => {
  const cases: readonly (readonly [model: readonly number[], reason: RegExp])[] = [
    [SQUARE.slice(0, 11), /has 11 numbers; each corner has three/],
    [SQUARE.slice(0, 9), /has 3 corners; it needs from 4 to 12/],
    [Array.from({ length: 36 }, (_, n) => n), /has no extent as its viewer sees it/],
    [[0, 0, 0, 1, 1, 0, 1, 0, 0, 0, 1, 0], /has no extent/], // crosswise
    [SQUARE.map((metres) => metres / 1e5), /has no extent/],
  ]
  for (const [model, reason] of cases) {
    const { diagnostics } = examineGraph(withModel(model))

    assert.deepEqual(
      diagnostics.map(({ code, node, pointer }) => [code, node, pointer]),
      [['param.invalid', 'target', '/nodes/3/params/model_points_m']],
    )
    assert.match(diagnostics[0]?.message ?? '', reason)
    assert.deepEqual(diagnostics[0]?.fix?.at(-1), {
      op: 'replace',
      path: '/nodes/3/params/model_points_m',
      value: [],
    })
  }
})
