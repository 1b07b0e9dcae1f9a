// What the planner says of models: none is chosen, there is no such model, or it does another thing; and what repairs
// that.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applyPatch, type Operation } from 'rfc6902'
import { type Model, modelExample } from '../../../machines/models/model.ts'
import type { StoredModels } from '../../../machines/models/stored-models.ts'
import { ANYWHERE, examineGraph } from '../../../machines/pipeline/examine.ts'
import type { GraphDocument } from '../../../machines/pipeline/graph.ts'

const classifier: Model = { ...modelExample, outputs: [{ name: 'shares', element: 'float32', shape: [1, 3] }] }

const having = (models: Readonly<Record<string, Model>>): StoredModels => ({
  find: (name) => (models[name] ? { name, model: models[name] } : undefined),
  all: () => Object.entries(models).map(([name, model]) => ({ name, model })),
})

const BOTH = having({ 'colours.onnx': classifier, 'notes.onnx': modelExample })

const graphWith = (params?: Readonly<Record<string, unknown>>): GraphDocument => ({
  nodes: [
    { id: 'source', type: 'source' },
    { id: 'find', type: 'object-detector', ...(params && { params }) },
  ],
  edges: [{ from: 'source.colour', to: 'find.image' }],
  outputs: [{ port: 'objects', from: 'find.objects' }],
})

/** The diagnostics of models alone, and whether the graph can run. */
const said = (graph: GraphDocument, models: StoredModels) => {
  const { diagnostics, runnable } = examineGraph(graph, { ...ANYWHERE, models })
  return { runnable, found: diagnostics.filter(({ code }) => code.startsWith('model.')) }
}

/** What is left to say after the fix. */
const afterFix = (graph: GraphDocument, models: StoredModels) => {
  const fix = said(graph, models).found[0]?.fix
  assert.ok(fix)
  const after = structuredClone(graph)
  assert.deepEqual(
    applyPatch(after, fix as Operation[]),
    fix.map(() => null),
  )
  return { model: after.nodes[1]?.params?.model, codes: said(after, models).found.map(({ code }) => code) }
}

test('a node without a model runs and finds nothing, and is told which models there are', () => {
  for (const graph of [graphWith(), graphWith({}), graphWith({ model: null })]) {
    const { runnable, found } = said(graph, BOTH)

    assert.equal(runnable, true)
    assert.deepEqual(
      found.map(({ code, severity }) => [code, severity]),
      [['model.missing', 'warning']],
    )
    assert.match(found[0]?.message ?? '', /is not chosen yet, so that nothing is found; there is notes\.onnx$/)
    assert.deepEqual(afterFix(graph, BOTH), { model: 'notes.onnx', codes: [] })
  }
})

test('where no model is stored that would do, nothing can be chosen', () => {
  const { found } = said(graphWith(), having({ 'colours.onnx': classifier }))

  assert.match(found[0]?.message ?? '', /upload one/)
  assert.equal(found[0]?.fix, null)
})

test('a model that is not there keeps the graph from running', () => {
  const graph = graphWith({ model: 'gone.onnx' })

  const { runnable, found } = said(graph, BOTH)

  assert.equal(runnable, false)
  assert.deepEqual(
    [found[0]?.code, found[0]?.node, found[0]?.pointer],
    ['model.unknown', 'find', '/nodes/1/params/model'],
  )
  assert.match(found[0]?.message ?? '', /is "gone\.onnx", and there is no such model on this device/)
  assert.deepEqual(afterFix(graph, BOTH), { model: 'notes.onnx', codes: [] })
  assert.deepEqual(afterFix(graph, having({})), { model: null, codes: ['model.missing'] })
})

test('a model of another purpose, and a head that it does not have', () => {
  const other = graphWith({ model: 'colours.onnx' })
  const head = graphWith({ model: 'notes.onnx', head: 'corners' })

  assert.match(said(other, BOTH).found[0]?.message ?? '', /is colours\.onnx, which gives 1x3, which is no detector/)
  assert.deepEqual(afterFix(other, BOTH), { model: 'notes.onnx', codes: [] })
  assert.match(
    said(head, BOTH).found[0]?.message ?? '',
    /a head of corners gives 1 x boxes x 6; leave its head to be found out/,
  )
  assert.deepEqual(afterFix(head, BOTH), { model: 'notes.onnx', codes: [] })
})

test('of parameters that are none, and where nothing is known of models, nothing more is said', () => {
  for (const params of [{ model: 5 }, { model: '../../etc/passwd' }, { model: 'gone.onnx', head: 'none' }])
    assert.deepEqual(said(graphWith(params), BOTH).found, [])
  assert.deepEqual(
    examineGraph(graphWith({ model: 'gone.onnx' })).diagnostics.filter(({ code }) => code.startsWith('model.')),
    [],
  )
})

test('a device is asked for its models once for each graph, whatever that has of nodes', () => {
  let asked = 0
  const counted: StoredModels = {
    find: (name) => {
      asked += 1
      return BOTH.find(name)
    },
    all: () => {
      asked += 1
      return BOTH.all()
    },
  }
  const nodes = Array.from({ length: 200 }, (_, n) => ({
    id: `find-${n}`,
    type: 'object-detector',
    params: n % 2 ? { model: null } : { model: 'gone.onnx' },
  }))
  const edges = nodes.map(({ id }) => ({ from: 'source.colour', to: `${id}.image` }))

  const { found } = said({ nodes: [{ id: 'source', type: 'source' }, ...nodes], edges, outputs: [] }, counted)

  assert.equal(asked, 2)
  assert.equal(found[0]?.code, 'model.unknown')
})
