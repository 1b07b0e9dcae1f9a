// Requests as they are read: queries made of text, and JSON bodies.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { readJson } from '../../api/json-body.ts'
import { queryFromText } from '../../api/validation.ts'
import { isFault } from '../../machines/fault.ts'

test('a query is read as its schema means it, and otherwise left as it came', () => {
  const schema = Type.Object({ n: Type.Integer(), on: Type.Boolean(), name: Type.String() })

  assert.deepEqual(queryFromText(schema, { n: '7', on: 'true', name: '7' }), { n: 7, on: true, name: '7' })
  assert.deepEqual(queryFromText(schema, { n: '7x', on: '1', other: '3' }), { n: '7x', on: '1', other: '3' })
  assert.deepEqual(queryFromText(schema, { n: ['1', '2'] }), { n: ['1', '2'] })
  for (const text of ['', ' 1', '0x10', 'Infinity', 'NaN', '1_000', '+1'])
    assert.deepEqual(queryFromText(schema, { n: text }), { n: text })
})

test('JSON that keeps the rules is read, however odd it looks', () => {
  const read = (text: string) => readJson(Buffer.from(text))

  for (const text of [
    '{"a":{"b":1},"c":{"b":1}}',
    '[{"a":1},{"a":1}]',
    '"a\\"b:{"',
    '{"\\u0061":1,"b":"\\ud83d\\ude00"}',
    ' null ',
  ])
    assert.deepEqual(read(text), { value: JSON.parse(text) }, text)
  for (const text of ['{"a":1,"\\u0061":2}', '{"a":{"x":[{"b":1,"b":1}]}}', '\u{feff}{}', '{"a":"\\udc00"}', '[1,]'])
    assert.ok(isFault(read(text)), text)
})

test('a body of a mebibyte is examined in no time that matters', () => {
  const text = JSON.stringify({
    a: '\\"'.repeat(250_000),
    b: Array.from({ length: 20_000 }, (_, n) => ({ [`k${n}`]: 'v' })),
  })

  const read = readJson(Buffer.from(text))

  assert.ok(!isFault(read))
})
