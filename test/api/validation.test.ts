// What people are told about a document that does not fit.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { readJson } from '../../api/json-body.ts'
import { queryFromText, validatorOf } from '../../api/validation.ts'
import { isFault } from '../../machines/fault.ts'
import { StreamManifest } from '../../machines/stream-manifest.ts'

const manifestErrors = (source: unknown, more = {}) =>
  validatorOf(StreamManifest)({ source, ...more }).map(({ pointer, message }) => `${pointer} ${message}`)

test('of a union only the branch that was meant is spoken of', () => {
  assert.deepEqual(manifestErrors({ backend: 'images', path: 7 }), ['/source/path must be string or array, not 7'])
  assert.deepEqual(manifestErrors({ backend: 'images' }), ['/source/path is missing'])
  assert.deepEqual(manifestErrors({ backend: 'synthetic', path: '/x' }), ['/source/path is not known here; remove it'])
  assert.deepEqual(manifestErrors({ backend: 'webcam' }), [
    '/source/backend must be "synthetic" or "images", not "webcam"',
  ])
  assert.deepEqual(manifestErrors({ backend: 'synthetic', motion: 'fly' }), [
    '/source/motion must be "patrol" or "orbit" or "still", not "fly"',
  ])
  assert.deepEqual(manifestErrors('synthetic'), ['/source must be object, not "synthetic"'])
})

test('everything that is wrong is named at once, with its place', () => {
  const errors = manifestErrors({ backend: 'synthetic', fps: 0, noise: '2' }, { id: 'Front', 'a/b~c': 1 })

  assert.deepEqual(errors.toSorted(), [
    '/a~1b~0c is not known here; remove it',
    '/id must match pattern "^[a-z][a-z0-9_-]{0,39}$", not "Front"',
    '/source/fps must be >= 0.1, not 0',
    '/source/noise must be number, not "2"',
  ])
})

test('a flood of mistakes is cut short', () => {
  const flood = Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`key${n}`, 'x'.repeat(1000)]))

  const errors = validatorOf(StreamManifest)(flood)

  assert.ok(errors.length <= 16)
  assert.ok(JSON.stringify(errors).length < 3000)
})

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
