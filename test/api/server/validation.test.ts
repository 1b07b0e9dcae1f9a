// Requests as they are read: queries made of text, JSON bodies, and what people are told about those that cannot be
// read.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import Type from 'typebox'
import { readJson } from '../../../api/json-body/read.ts'
import { queryFromText } from '../../../api/server/validation.ts'
import { isFault } from '../../../machines/errors/fault.ts'

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

/** How the refusal of a body reads. */
const refusal = (text: string | Uint8Array): string => {
  const read = readJson(Buffer.from(text))
  assert.ok(isFault(read), String(text).slice(0, 100))
  assert.equal(read.code, 'body.malformed')
  return read.detail
}

test('what is no JSON is refused with its line and column', () => {
  const flaws: readonly (readonly [text: string, said: string])[] = [
    ['{"a":NaN}', 'line 1, column 6: a value is expected, not "NaN"'],
    ['{\n  "a": 1,\n}', 'line 3, column 1: a key in double quotes is expected, not "}"'],
    ["{'a': 1}", 'line 1, column 2: a key in double quotes is expected, not "\'a\'"'],
    ['{"a" 1}', 'line 1, column 6: a colon is expected, not "1"'],
    ['["\x7f\x9f" 2]', 'line 1, column 7: a comma or ] is expected, not "2"'],
    ['[1 2]', 'line 1, column 4: a comma or ] is expected, not "2"'],
    ['{"a":1 "b"}', 'line 1, column 8: a comma or } is expected, not "\\"b\\""'],
    ['[01]', 'line 1, column 3: a comma or ] is expected, not "1"'],
    ['{}\n x', 'line 2, column 2: the end of the text is expected, not "x"'],
    ['["a', 'line 1, column 4: the text ends where the closing quote of a string is expected'],
    ['["a\tb"]', 'line 1, column 4: an escape for this character is expected, not "\\t"'],
    ['["\\x"]', 'line 1, column 3: an escape such as \\" or \\n or \\u00e9 is expected, not "\\\\x\\""'],
    ['\n[1,', 'line 2, column 4: the text ends where a value is expected'],
    ['\ufeff{}', 'line 1, column 1: it begins with a byte order mark; leave that out'],
  ]

  for (const [text, said] of flaws) assert.equal(refusal(text), `the body is not JSON: ${said}`)
})

test('a place is found in every text that cannot be parsed, and in no other', () => {
  const text = '{"a":[1,-2.5e3,{"b\\u00e9\\n\\"":null}],\n"c":true, "d":""}'
  const signs = ['', ...'{}[]:,"\\ 0-e.tn\u0001\n']

  for (let at = 0; at < text.length; at++) {
    for (const sign of signs) {
      const changed = text.slice(0, at) + sign + text.slice(at + 1)
      const read = readJson(Buffer.from(changed))
      if (isFault(read)) assert.throws(() => JSON.parse(changed), SyntaxError, changed)
      if (isFault(read)) assert.match(read.detail, /^the body is not JSON: line [123], column \d+: /)
      else assert.deepEqual(read.value, JSON.parse(changed))
    }
  }
})

test('objects of 1000 keys and 32 levels are read, wider and deeper ones refused', () => {
  const wide = (count: number) =>
    JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, n])))
  const deep = (levels: number) => '{"a":['.repeat(levels / 2) + ']}'.repeat(levels / 2)

  assert.ok(!isFault(readJson(Buffer.from(wide(1000)))))
  assert.ok(!isFault(readJson(Buffer.from(`[${wide(1000)},${wide(1000)}]`))))
  assert.ok(!isFault(readJson(Buffer.from(deep(32)))))
  assert.match(refusal(wide(1001)), /more than 1000 keys/)
  assert.match(refusal(`{"a":${wide(1000)},"b":[${wide(1001)}]}`), /more than 1000 keys/)
  assert.match(refusal(deep(34)), /deeper than 32/)
  assert.match(refusal(`[${'['.repeat(1_000_000)}`), /column 33: a value no deeper than 32 is expected/)
  assert.match(refusal('['.repeat(500_000) + ']'.repeat(500_000)), /deeper than 32/)
})

test('brackets, colons and quotes within strings are only text', () => {
  const odd = [
    ...['{[:', ':'.repeat(2000), '['.repeat(100), '"', '\\', '\\"', `${'x'.repeat(40)}\\"{[`],
    ...['\\'.repeat(65), '\\"'.repeat(99), `${'x'.repeat(31)}\\`, `${'x'.repeat(32)}"`, `${'x'.repeat(33)}\\\\"]`],
  ]

  for (const text of odd)
    assert.deepEqual(readJson(Buffer.from(JSON.stringify({ [text]: text }))), { value: { [text]: text } })
})

test('a key that stands twice is named, however it is written', () => {
  const twice = (place: string, key: string) => `line 1, column ${place}: the key "${key}" stands twice in one object`

  assert.equal(refusal('{"a":1,"\\u0061":2}'), twice('8', 'a'))
  assert.equal(refusal('[{"a":1},{"b":{"a":1},"a":[],"c":":","b":0}]'), twice('38', 'b'))
  assert.equal(refusal('{"a:":"::","b":1,"b":":"}'), twice('18', 'b'))
  assert.equal(refusal('{"a":"\\u003a","b":1,"b":""}'), twice('21', 'b'))
  assert.ok(!isFault(readJson(Buffer.from('{"a":"\\u003a","a\\u003A":":"}'))))
  assert.equal(refusal('{"__proto__":1,"__proto__":2}'), 'line 1, column 2: the key "__proto__" is not possible')
  assert.equal(refusal('[{},\n{"\\u005f_proto__":1}]'), 'line 2, column 2: the key "__proto__" is not possible')
})

test('an empty body is said to be missing', () => {
  assert.match(refusal(''), /^the body is missing/)
  assert.match(refusal(' \r\n\t'), /^the body is missing/)
})

test('what parses, and yet is no text, is refused with its line and column too', () => {
  const half = 'a string holds half of a surrogate pair'

  assert.equal(refusal('{\n"a":"\\ud83d\\ude00 \\udc00"}'), `line 2, column 19: ${half}`)
  assert.equal(refusal('["\\\\ud800\\ud800x"]'), `line 1, column 10: ${half}`)
  assert.equal(refusal('["\\ud800\\n\\udc00"]'), `line 1, column 3: ${half}`)
  assert.equal(refusal(Uint8Array.from([0x5b, 0x0a, 0x22, 0xff])), 'the body is not UTF-8: line 2, column 2')
  assert.equal(refusal(Buffer.from('{"a":1}', 'utf16le')), 'the body looks like UTF-16; send it in UTF-8')
  assert.match(refusal(`\n${'['.repeat(33)}${']'.repeat(33)}`), /^line 2, column 33: a value no deeper than 32/)
})

test('a compressed body is told from broken text, also when nothing says that it is compressed', () => {
  for (const [name, bytes] of [
    ['gzip', gzipSync('{}')],
    ['zlib', deflateSync('{}')],
    ['zstd', zstdCompressSync('{}')],
  ] as const) {
    const read = readJson(bytes)
    assert.ok(isFault(read))
    assert.equal(read.code, 'media_type.unsupported')
    assert.equal(read.detail, `the body looks compressed (${name}); send it as it is`)
  }
})
