// Whether something that is sent here brings code with it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasNewScript, hasScript } from '../../../machines/pipeline/script-in.ts'

const script = (id: string, code: string) => ({ id, type: 'script', params: { code } })
const source = { id: 'source', type: 'source' }
const graph = (...nodes: object[]) => ({ nodes: nodes as { id: string; type: string }[], edges: [], outputs: [] })

test('a script is found wherever a graph lies', () => {
  assert.equal(hasScript({ payload: { patch: { pipeline: graph(script('a', 'x')) } } }), true)
  assert.equal(hasScript(graph(source)), false)
})

test('a script that was there before is not new, whatever it is called and wherever it stands', () => {
  const before = graph(source, script('a', 'x'), script('b', 'y'))

  assert.equal(hasNewScript(before, graph(script('c', 'y'), source)), false)
  assert.equal(hasNewScript(before, graph(source)), false)
  assert.equal(hasNewScript(before, graph(script('a', 'z'))), true)
  assert.equal(hasNewScript(graph(source), graph(script('a', 'x'))), true)
})

test('what is no graph has none', () => {
  for (const odd of [null, 1, {}, { nodes: 'x' }, { nodes: [null, 1] }])
    assert.equal(hasNewScript(graph(source), odd), false)
})
