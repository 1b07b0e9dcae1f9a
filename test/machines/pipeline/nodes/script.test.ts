// Scripts before they run: their syntax, the bounds of what they may give, and whether a document has one.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { readScriptValues, ScriptValues } from '../../../../machines/engine/script-values.ts'
import { examineGraph } from '../../../../machines/pipeline/examine.ts'
import type { GraphDocument } from '../../../../machines/pipeline/graph.ts'
import { scriptNode } from '../../../../machines/pipeline/nodes/script.ts'
import { hasScript } from '../../../../machines/pipeline/script-in.ts'
import { filled } from '../../../../machines/schema/defaults.ts'
import { schemaErrors } from '../../../../machines/schema/errors.ts'
import { seeded } from '../../../support/engine/random-graphs.ts'

const scripts = (count: number, params: object): GraphDocument => ({
  nodes: [
    { id: 'source', type: 'source' },
    ...Array.from({ length: count }, (_, n) => ({ id: `aim${n}`, type: 'script', params: { ...params } })),
  ],
  edges: [],
  outputs: Array.from({ length: count }, (_, n) => ({ port: `aimed${n}`, from: `aim${n}.values` })),
})

test('what is no JavaScript is refused with the line, and the fix is what one begins with', () => {
  const graph = scripts(1, { source: 'function step() {\n  return { x: }\n}' })

  const { runnable, diagnostics } = examineGraph(graph)

  const [only] = diagnostics
  assert.equal(runnable, false)
  assert.deepEqual([only?.code, only?.node, only?.pointer], ['param.invalid', 'aim0', '/nodes/1/params/source'])
  assert.match(only?.message ?? '', /^source of aim0 is no JavaScript: Unexpected token '}' \(line 2\)$/)
  assert.match(JSON.stringify(only?.fix), /function step/)
})

test('a script is compiled and not run by the planner, however deep it is nested', () => {
  for (const source of ['for (;;);', 'process.exit()', 'throw 1'])
    assert.ok(examineGraph(scripts(1, { source })).runnable)
  assert.equal(examineGraph(scripts(1, { source: '('.repeat(20_000) })).runnable, false)
})

test('a graph has at most four scripts, and the default one can be run', () => {
  assert.ok(examineGraph(scripts(1, {})).runnable)
  const codes = examineGraph({ ...scripts(5, {}), outputs: [] }).diagnostics.map(({ code }) => code)
  assert.ok(codes.includes('node.too_many'))
})

test('what passes as values fits their schema, and what does not is said in a sentence: values by chance', () => {
  const random = seeded(7)
  const some = [
    0,
    -1.5,
    1e300,
    '',
    'x'.repeat(200),
    'x'.repeat(201),
    true,
    null,
    {},
    { odd: 'NaN' },
    [],
    [1, 'a', false],
  ]
  const lists = [[null], [[1]], Array(64).fill(1), Array(65).fill(1)]
  const names = ['a', '_b', 'A9', 'a b', '9a', 'x'.repeat(40), 'x'.repeat(41), '__proto__', '']
  const one = <T>(list: readonly T[]): T => list[random(list.length)] as T
  let passed = 0
  for (let n = 0; n < 2_000; n += 1) {
    const given = Object.fromEntries(Array.from({ length: random(4) }, () => [one(names), one([...some, ...lists])]))
    const values = readScriptValues(given)
    if (typeof values === 'string') assert.match(values, /^it|^its/)
    else {
      passed += 1
      assert.deepEqual(schemaErrors(ScriptValues, values), [], JSON.stringify(values))
    }
  }
  assert.ok(passed > 200, `${passed} passed`)
})

test('a script is found wherever a graph stands in a document', () => {
  const graph = scripts(1, {})
  for (const document of [graph, { graph }, { pipeline: graph }, [{ a: { spec: graph } }]])
    assert.ok(hasScript(document))
  for (const document of [
    scripts(0, {}),
    null,
    undefined,
    'script',
    { type: 'script' },
    { nodes: [null, 'script'] },
    { nodes: { type: 'script' } },
  ])
    assert.ok(!hasScript(document))
})

test('every parameter of a script has a default', () => {
  assert.deepEqual(schemaErrors(scriptNode.params, filled(scriptNode.params, {})), [])
})

test('the example of the documents runs, and its script is the one that they explain', () => {
  const text = readFileSync(new URL('../../../../docs/how-to/write-a-script-node.md', import.meta.url), 'utf8')
  const graph = JSON.parse(/```json\n([\s\S]*?)```/.exec(text)?.[1] ?? '') as GraphDocument

  const { runnable, diagnostics } = examineGraph(graph)

  assert.ok(runnable && hasScript(graph), JSON.stringify(diagnostics))
})
