// What an engine is told when another plan takes the place of the one it runs.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultGraph, type GraphDocument } from '../../../machines/pipeline/graph.ts'
import { planChange } from '../../../machines/pipeline/plan-change.ts'
import { planOf } from '../../support/engine/graphs.ts'

const withTags = (params: object): GraphDocument => ({
  ...defaultGraph,
  nodes: defaultGraph.nodes.map((node) => (node.id === 'tags' ? { ...node, params: { ...params } } : node)),
})

test('equal plans need nothing', () => {
  assert.deepEqual(planChange(planOf(defaultGraph), planOf({ ...defaultGraph })), { kind: 'none' })
})

test('parameters that take effect between two frames are told, with all others of their step', () => {
  const change = planChange(planOf(defaultGraph), planOf(withTags({ ids: [3, 4] })))

  assert.equal(change.kind, 'params')
  const [step, ...others] = change.kind === 'params' ? change.steps : []
  assert.deepEqual([step?.id, step?.params.ids, step?.params.decimate, others.length], ['tags', [3, 4], 1, 0])
})

test('other parameters, other outputs and other edges need another plan', () => {
  const before = planOf(defaultGraph)
  const another = [
    withTags({ decimate: 2 }),
    withTags({ decimate: 2, ids: [3] }),
    { ...defaultGraph, outputs: defaultGraph.outputs.slice(1) },
    { ...defaultGraph, edges: defaultGraph.edges.filter(({ to }) => to !== 'field_pose.tag_poses') },
  ]

  for (const graph of another) assert.deepEqual(planChange(before, planOf(graph)), { kind: 'plan' })
})
