// Values of NT4 as JSON holds them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jsonValue } from '../../../machines/nt4/json-value.ts'

const onTheWire = (value: unknown) => JSON.stringify(jsonValue(value))

test('integers that a number would round are texts, all others are numbers', () => {
  const most = BigInt(Number.MAX_SAFE_INTEGER)

  assert.equal(onTheWire([1, most, -most]), '[1,9007199254740991,-9007199254740991]')
  assert.equal(onTheWire([most + 1n, -most - 1n]), '["9007199254740992","-9007199254740992"]')
})

test('what is no number is a text, and nothing becomes null', () => {
  const values = [0.1, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]

  assert.equal(onTheWire(values), '[0.1,"NaN","Infinity","-Infinity"]')
  assert.equal(onTheWire(Float64Array.from(values)), '[0.1,"NaN","Infinity","-Infinity"]')
  assert.equal(onTheWire({ x: { y: [true, 'a', Number.NaN] } }), '{"x":{"y":[true,"a","NaN"]}}')
})
