// Whatever is broken in a graph: the planner says so and does not throw, and what it offers as a repair is one. Chance has a seed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { applyPatch, type Operation } from 'rfc6902'
import { DIAGNOSTICS, Diagnostic } from '../../../machines/pipeline/diagnostic.ts'
import { ANYWHERE, examineGraph } from '../../../machines/pipeline/examine.ts'
import { GraphDraft } from '../../../machines/pipeline/graph.ts'
import { planGraph } from '../../../machines/pipeline/plan.ts'
import { validatorOf } from '../../../machines/schema/errors.ts'
import { brokenGraph, randomGraph, seeded } from '../../support/random-graphs.ts'

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

test('every fix makes its diagnostic go away, and leaves a document that can be read', () => {
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
      }
    }),
    { seed: SEED, numRuns: 800 },
  )

  for (const code of ['edge.circle', 'input.open', 'node.unused', 'param.invalid', 'source.second', 'node.id_taken'])
    assert.ok(repaired.has(code), `chance never made a ${code} with a fix`)
  assert.ok(met.size >= 18, [...met].join())
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

test('anything at all that passes the schema of drafts is examined without a throw', () => {
  const id = fc.constantFrom('a', 'b', 'source', 'n-1', 'constructor')
  const ref = fc
    .tuple(id, fc.constantFrom('image', 'colour', 'detections', 'to_string'))
    .map((parts) => parts.join('.'))
  const type = fc.constantFrom('source', 'gray', 'resize', 'apriltag', 'tag-pose', 'toString', '__proto__')
  const node = fc.record(
    { id, type, params: fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 }) },
    { requiredKeys: ['id', 'type'] },
  )
  const graph = fc.record({
    nodes: fc.array(node, { maxLength: 6 }),
    edges: fc.array(fc.record({ from: ref, to: ref }), { maxLength: 8 }),
    outputs: fc.array(fc.record({ port: id, from: ref }), { maxLength: 3 }),
  })
  fc.assert(
    fc.property(graph, (each) => {
      const { diagnostics } = examineGraph(each, CONTEXT)
      assert.ok(diagnostics.length > 0 || each.nodes.length > 0)
    }),
    { seed: SEED, numRuns: 500 },
  )
})

test('a graph that can run has no fix that would break it', () => {
  for (let seed = 1; seed <= 100; seed += 1) {
    const graph = randomGraph(seeded(seed))
    const { runnable, diagnostics } = examineGraph(graph, CONTEXT)
    for (const diagnostic of runnable ? diagnostics.filter(({ fix }) => fix) : [])
      assert.ok(examineGraph(fixed(graph, diagnostic)).runnable, JSON.stringify(diagnostic))
  }
})
