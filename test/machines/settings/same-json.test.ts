import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { isSameJson } from '../../../machines/settings/same-json.ts'

const json = fc
  .jsonValue({ noUnicodeString: true } as never)
  .map((value) => JSON.parse(JSON.stringify(value)) as unknown)

test('documents are the same when they say the same, in whatever order', () => {
  assert.ok(isSameJson({ a: 1, b: [{ c: null, d: 'x' }] }, { b: [{ d: 'x', c: null }], a: 1 }))
  for (const [a, b] of [
    [{}, []],
    [
      [1, 2],
      [2, 1],
    ],
    [{ a: 1 }, { a: 1, b: 1 }],
    [null, {}],
    ['1', 1],
    [{ a: undefined }, { b: 1 }],
  ])
    assert.ok(!isSameJson(a, b), JSON.stringify([a, b]))
  fc.assert(
    fc.property(
      json,
      json,
      (a, b) => isSameJson(a, b) === isDeepStrictEqual(a, b) && isSameJson(a, structuredClone(a)),
    ),
  )
})
