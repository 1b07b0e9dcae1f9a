// Whatever is broken in a graph: the planner says so and does not throw, and what it offers as a repair is one. Chance
// has a seed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { applyPatch, type Operation } from 'rfc6902'
import { DIAGNOSTICS, Diagnostic, type DiagnosticCode } from '../../../machines/pipeline/diagnostic.ts'
import { ANYWHERE, examineGraph } from '../../../machines/pipeline/examine.ts'
import { GraphDraft } from '../../../machines/pipeline/graph.ts'
import { planGraph } from '../../../machines/pipeline/plan.ts'
import { nodeTypes } from '../../../machines/pipeline/registry.ts'
import { validatorOf } from '../../../machines/schema/errors.ts'
import { fitting, spoilt } from '../../support/api/arbitrary.ts'
import { brokenGraph, randomGraph, seeded } from '../../support/engine/random-graphs.ts'

const SEED = 8_0105
const CONTEXT = { ...ANYWHERE, picture: { width_px: 640, height_px: 480 }, fps: 200, intrinsics: false }

const draftErrors = validatorOf(GraphDraft)
const diagnosticErrors = validatorOf(Diagnostic)

const keyOf = ({ code, node, port, message }: Diagnostic) => JSON.stringify([code, node, port, message])

const count = (graph: GraphDraft, key: string) =>
  examineGraph(graph, CONTEXT).diagnostics.filter((each) => keyOf(each) === key).length

/** The document after a fix, every operation of which must be possible. */
const fixed = (graph: GraphDraft, { fix, ...rest }: Diagnostic): GraphDraft => {
  const copy = structuredClone(graph)
  const problems = applyPatch(copy, structuredClone(fix) as Operation[])
  assert.deepEqual(
    problems.filter((problem) => problem !== null),
    [],
    JSON.stringify([rest, fix, graph]),
  )
  return copy
}

/**
 * Those that only the user of a graph, or of the device, can do something about; and those of models, of which nothing
 * is known here (model-findings.test.ts).
 */
const WITHOUT_FIX: readonly DiagnosticCode[] = [
  'node.plugin_missing',
  ...(['node.unavailable', 'node.too_many', 'pictures.too_large'] as const),
  ...(['calibration.missing', 'cost.over_budget', 'node.shared', 'edge.converted'] as const),
  ...(['model.missing', 'model.unknown', 'model.unfit'] as const),
]

/**
 * Of a type that is not known nothing else is said, nor of pixels behind a circle: what is wrong there shows when it is
 * mended.
 */
const REVEALING: readonly DiagnosticCode[] = ['node.type_unknown', 'edge.circle']

/**
 * An edge that is taken away leaves an input open; one that is led elsewhere may have other pixels than are wanted
 * there.
 */
const LEFT: readonly DiagnosticCode[] = ['input.open', 'edge.other_format']

const errorsOf = (graph: GraphDraft): readonly DiagnosticCode[] =>
  examineGraph(graph, CONTEXT)
    .diagnostics.filter(({ severity }) => severity === 'error')
    .map(({ code }) => code)

/** That a fix takes no other error's place. */
const assertNoWorse = (graph: GraphDraft, after: GraphDraft, { code }: Diagnostic): void => {
  const [before, left] = [errorsOf(graph), errorsOf(after)]
  const told = JSON.stringify([code, graph, after])
  if (!REVEALING.includes(code)) assert.ok(left.length <= before.length, told)
  if (code === 'node.type_unknown') return
  for (const each of new Set(left.filter((one) => !LEFT.includes(one)))) {
    const times = (codes: readonly DiagnosticCode[]) => codes.filter((one) => one === each).length
    assert.ok(times(left) <= times(before), `${each}: ${told}`)
  }
}

test('every fix makes its diagnostic go away, brings no other error, and leaves a document that can be read', () => {
  const met = new Set<string>()
  const repaired = new Set<string>()
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const graph = brokenGraph(seeded(seed))
      const { diagnostics, left_out } = examineGraph(graph, CONTEXT)
      assert.equal(left_out, 0)
      for (const diagnostic of diagnostics) {
        met.add(diagnostic.code)
        assert.deepEqual(diagnosticErrors(JSON.parse(JSON.stringify(diagnostic))), [])
        assert.equal(diagnostic.severity, DIAGNOSTICS[diagnostic.code])
        if (!diagnostic.fix) continue
        repaired.add(diagnostic.code)
        const after = fixed(graph, diagnostic)
        const wereReadable = draftErrors(graph).length === 0
        if (wereReadable) assert.deepEqual(draftErrors(after), [], JSON.stringify([diagnostic, graph]))
        const [before, left] = [count(graph, keyOf(diagnostic)), count(after, keyOf(diagnostic))]
        assert.ok(
          left < before,
          `${JSON.stringify(diagnostic)} was ${before} and is ${left} in ${JSON.stringify(after)}`,
        )
        assertNoWorse(graph, after, diagnostic)
      }
    }),
    { seed: SEED, numRuns: 800 },
  )

  const fixable = (Object.keys(DIAGNOSTICS) as DiagnosticCode[]).filter((code) => !WITHOUT_FIX.includes(code))
  assert.deepEqual([...repaired].sort(), fixable.sort(), 'chance makes each that has a fix, and no other has one')
  assert.ok(met.size > repaired.size, [...met].join())
})

test('errors are what keeps a graph from being planned, and nothing else does', () => {
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const graph = brokenGraph(seeded(seed))
      const { runnable, diagnostics, planned } = examineGraph(graph)
      const answer = planGraph(structuredClone(graph))
      assert.equal(runnable, answer.ok)
      assert.equal(runnable, !diagnostics.some(({ severity }) => severity === 'error'))
      assert.deepEqual(planned?.plan, answer.ok ? answer.plan : undefined)
      if (!answer.ok) assert.ok(answer.errors.length > 0)
    }),
    { seed: SEED + 1, numRuns: 300 },
  )
})

const ids = fc.constantFrom('a', 'b', 'source', 'n-1', 'constructor')
const ports = [...new Set(Object.values(nodeTypes).flatMap(({ inputs, outputs }) => [...inputs, ...outputs]))]
const refs = fc
  .tuple(ids, fc.constantFrom(...ports.map(({ name }) => name), 'to_string'))
  .map((parts) => parts.join('.'))
const paramNames = Object.values(nodeTypes).flatMap(({ params }) => Object.keys(params.properties))
const nodes = fc.record(
  {
    id: ids,
    type: fc.constantFrom(...Object.keys(nodeTypes), 'toString', '__proto__'),
    params: fc.dictionary(fc.oneof(fc.constantFrom(...paramNames), fc.string()), fc.jsonValue({ maxDepth: 3 }), {
      maxKeys: 4,
    }),
  },
  { requiredKeys: ['id', 'type'] },
)
const drafts = fc.record({
  nodes: fc.array(nodes, { maxLength: 6 }),
  edges: fc.array(fc.record({ from: refs, to: refs }), { maxLength: 8 }),
  outputs: fc.array(fc.record({ port: ids, from: refs }), { maxLength: 3 }),
})

test('anything at all that passes the schema of drafts is examined without a throw', () => {
  fc.assert(
    fc.property(drafts, (each) => {
      const { diagnostics } = examineGraph(each, CONTEXT)
      assert.ok(diagnostics.length > 0 || each.nodes.length > 0)
    }),
    { seed: SEED, numRuns: 1000 },
  )
})

test('of any JSON at all it can be said whether it is a graph, and what is one is examined without a throw', () => {
  const spoiltDrafts = drafts.chain((draft) => fc.constantFrom(...spoilt(GraphDraft, draft)))
  const anything = fc.oneof(fc.jsonValue(), fitting(GraphDraft), spoiltDrafts)
  let graphs = 0
  fc.assert(
    fc.property(anything, (value) => {
      const read = JSON.parse(JSON.stringify(value)) as unknown
      if (draftErrors(read).length > 0) return
      graphs++
      examineGraph(read as GraphDraft, CONTEXT)
    }),
    { seed: SEED, numRuns: 600 },
  )

  assert.ok(graphs > 100, `${graphs} of them were graphs`)
})

test('a graph that can run has no fix that would break it', () => {
  for (let seed = 1; seed <= 100; seed += 1) {
    const graph = randomGraph(seeded(seed))
    const { runnable, diagnostics } = examineGraph(graph, CONTEXT)
    for (const diagnostic of runnable ? diagnostics.filter(({ fix }) => fix) : [])
      assert.ok(examineGraph(fixed(graph, diagnostic)).runnable, JSON.stringify(diagnostic))
  }
})

test('whoever applies all fixes of names that are there twice has each name once', () => {
  const graph: GraphDraft = {
    name: 'same',
    nodes: ['a', 'a', 'a'].map((id) => ({ id, type: 'source' })),
    edges: [],
    outputs: ['b', 'b', 'b'].map((port) => ({ port, from: 'a.image' })),
  }
  const { diagnostics } = examineGraph(graph, CONTEXT)
  const renaming = diagnostics.filter(({ code }) => code === 'node.id_taken' || code === 'output.name_taken')

  const after = renaming.reduce(fixed, graph)

  assert.equal(renaming.length, 4)
  assert.deepEqual(
    [after.nodes.map(({ id }) => id), after.outputs.map(({ port }) => port)],
    [
      ['a', 'a-2', 'a-3'],
      ['b', 'b-2', 'b-3'],
    ],
  )
  assert.deepEqual(examineGraph(graph, CONTEXT).diagnostics, diagnostics)
})
