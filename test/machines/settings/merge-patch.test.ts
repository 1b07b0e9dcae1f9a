// RFC 7396, appendix A: every example of the document.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mergePatch } from '../../../machines/settings/merge-patch.ts'

const examples: readonly (readonly [target: unknown, patch: unknown, result: unknown])[] = [
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [
    ['a', 'b'],
    ['c', 'd'],
    ['c', 'd'],
  ],
  [{ a: 'b' }, ['c'], ['c']],
  [{ a: 'foo' }, null, null],
  [{ a: 'foo' }, 'bar', 'bar'],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: 'b', c: null }, { a: 'b' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
]
for (const [target, patch, result] of examples) {
  test(`${JSON.stringify(patch)} on ${JSON.stringify(target)}`, () => {
    const before = structuredClone(target)

    assert.deepEqual(mergePatch(target, patch), result)
    assert.deepEqual(target, before)
  })
}

test('a key named __proto__ is a key', () => {
  const merged = mergePatch({}, JSON.parse('{"__proto__": {"admin": true}}')) as { admin?: boolean }

  assert.equal(merged.admin, undefined)
  assert.deepEqual(Object.keys(merged), ['__proto__'])
})
