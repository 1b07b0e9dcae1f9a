// Pipelines with nodes of plugins: what they are while the plugin is there, and what of them runs while it is not.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { planHere } from '../../../machines/pipeline/examine.ts'
import type { GraphDocument } from '../../../machines/pipeline/graph.ts'
import { BroughtTypes, knownTypes, onTypesChanged } from '../../../machines/pipeline/known-types.ts'
import { planGraph } from '../../../machines/pipeline/plan.ts'
import { planChange } from '../../../machines/pipeline/plan-change.ts'
import { nodeTypes } from '../../../machines/pipeline/registry.ts'
import { missingPlugins, planWithoutMissing } from '../../../machines/pipeline/without-missing.ts'
import { pluginNodeTypes } from '../../../machines/plugins/nodes/node-types.ts'
import { canonicalManifest } from '../../../machines/stream/canonical-manifest.ts'
import { outputsOf } from '../../../machines/stream/outputs.ts'
import { pipelineOf } from '../../../machines/stream/status-of.ts'
import { nodePlugin } from '../../support/plugins/node-plugin.ts'

const graph: GraphDocument = {
  nodes: [
    { id: 'source', type: 'source' },
    { id: 'found', type: 'apriltag' },
    { id: 'look', type: 'trial.look', params: { gain: 2 } },
    { id: 'shapes', type: 'contours' },
    { id: 'aim', type: 'script' },
  ],
  edges: [
    { from: 'source.image', to: 'found.image' },
    { from: 'source.image', to: 'look.image' },
    { from: 'look.mask', to: 'shapes.mask' },
    { from: 'shapes.contours', to: 'aim.contours' },
    { from: 'found.detections', to: 'aim.detections' },
  ],
  outputs: [
    { port: 'tags', from: 'found.detections' },
    { port: 'shapes', from: 'shapes.contours' },
    { port: 'aimed', from: 'aim.values' },
  ],
}

const GAIN = { gain: { type: 'number', minimum: 0, maximum: 10, default: 1, description: 'How much.' } } as const
const OUTPUTS = [{ name: 'mask', kind: 'image', format: 'mask' }] as const

test('without its plugin a pipeline is refused, with its name, and runs as far as it can', () => {
  const planned = planGraph(graph)
  const rest = planWithoutMissing(graph)

  assert.ok(!planned.ok)
  assert.match(planned.why, /^the type of look is "trial\.look", a node of the plugin trial, which is not enabled/)
  assert.deepEqual(missingPlugins(graph), ['trial'])
  assert.ok(rest.ok, JSON.stringify(rest))
  assert.deepEqual(
    rest.plan.steps.map(({ id }) => id),
    ['source', 'found', 'aim'],
  )
  assert.deepEqual(
    rest.plan.outputs.map(({ port }) => port),
    ['tags', 'aimed'],
  )
})

test('what is wrong beside a plugin that is missing stays wrong', () => {
  const bad = { ...graph, outputs: [...graph.outputs, { port: 'tags', from: 'found.detections' }] }

  assert.equal(planWithoutMissing(bad).ok, false)
})

test('with its plugin a pipeline is planned, and its step says all that an engine has to know', (t) => {
  const plugin = nodePlugin(t, { source: '', params: GAIN, outputs: OUTPUTS as never })
  const types = { ...nodeTypes, ...pluginNodeTypes([plugin]) }

  const planned = planGraph(graph, types)

  assert.ok(planned.ok, JSON.stringify(planned))
  const step = planned.plan.steps.find(({ id }) => id === 'look')
  assert.deepEqual(step?.params, { gain: 2, timeout_ms: 50 })
  assert.equal(step?.plugin?.folder, plugin.folder)
  assert.deepEqual(step?.plugin?.outputs, OUTPUTS)
  assert.deepEqual(planWithoutMissing(graph, types), planned)
  const changed = { ...graph, nodes: graph.nodes.map((n) => (n.id === 'look' ? { ...n, params: { gain: 3 } } : n)) }
  const other = planGraph(changed, types)
  assert.ok(other.ok)
  assert.equal(planChange(planned.plan, other.plan).kind, 'params')
  const next = nodePlugin(t, { source: '', params: GAIN, outputs: OUTPUTS as never, version: '1.0.1' })
  const upgraded = planGraph(graph, { ...nodeTypes, ...pluginNodeTypes([next]) })
  assert.ok(upgraded.ok)
  assert.equal(planChange(planned.plan, upgraded.plan).kind, 'plan')
})

test('what plugins bring is known until they end, to each who brought some by itself', (t) => {
  const [plugin, other] = [nodePlugin(t, { source: '' }), nodePlugin(t, { source: '' })]
  let told = 0
  const stop = onTypesChanged(() => {
    told += 1
  })
  const [one, two] = [new BroughtTypes(), new BroughtTypes()]

  one.set(pluginNodeTypes([plugin]))
  two.set(pluginNodeTypes([other]))
  two.end()
  const isKnown = Object.hasOwn(knownTypes(), 'trial.look')
  one.end()
  stop()
  one.end()

  assert.equal(isKnown, true)
  assert.deepEqual(Object.keys(knownTypes()), Object.keys(nodeTypes))
  assert.equal(told, 4)
})

test('a manifest is kept while a plugin is missing, its outputs are those that run, and its status says why', () => {
  const canonical = canonicalManifest({ source: { backend: 'synthetic' }, pipeline: graph })

  assert.ok(canonical.ok, JSON.stringify(canonical))
  const { manifest } = canonical
  assert.deepEqual(manifest.pipeline.nodes[2], { id: 'look', type: 'trial.look', params: { gain: 2 } })
  assert.equal(manifest.pipeline.nodes[1]?.params.families === undefined, false)
  assert.deepEqual(
    outputsOf(manifest).map(({ port }) => port),
    ['tags', 'aimed', 'truth', 'visible'],
  )
  const { fault } = pipelineOf({ manifest, paused: null, child: undefined, snapshot: undefined }, null)
  assert.match(fault?.detail ?? '', /^The pipeline runs without the nodes of the plugin trial, which is not enabled/)
  assert.equal(planHere(graph, { unavailable: new Map() }).ok, false)
})
