// What people are told about a document that does not fit, and that nothing which does not fit is ever taken for
// fitting.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type, { type TSchema } from 'typebox'
import { StoredSessions } from '../../../machines/http/session.ts'
import { FieldMap } from '../../../machines/localization/field-map.ts'
import { nodeTypes } from '../../../machines/pipeline/registry.ts'
import { firstError, MAX_ERRORS, schemaErrors, validatorOf } from '../../../machines/schema/errors.ts'
import { oneLine } from '../../../machines/schema/one-line.ts'
import { StreamManifest } from '../../../machines/stream/manifest.ts'
import { allEndpoints } from '../../support/api/api.ts'

const said = (schema: TSchema, value: unknown): string[] =>
  validatorOf(schema)(value).map(({ pointer, message }) => `${pointer} ${message}`)

const manifestErrors = (source: unknown, more = {}) => said(StreamManifest, { source, ...more })

const unknownKeys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`key${n}`, n]))

test('a document is not accepted for having many unknown keys', () => {
  const wrong = { id: '../../x', alias: { a: 1 }, source: 5 }

  for (const count of [0, 1, 255, 256, 257, 300, 5000])
    assert.notEqual(validatorOf(StreamManifest)({ ...unknownKeys(count), ...wrong }).length, 0, `${count} keys`)
})

test('what is wrong with fields that are known is said before what is not known', () => {
  const [first] = manifestErrors(5, unknownKeys(5000))

  assert.equal(first, '/source must be an object, not 5')
})

test('what nothing can be said about is refused all the same', () => {
  const odd = Type.Unsafe<string>({ type: 'string', format: 'ipv4' })

  assert.deepEqual(said(odd, '1.2.3'), [' does not fit its schema'])
})

test('of a union only the branch that was meant is spoken of', () => {
  assert.deepEqual(manifestErrors({ backend: 'images', path: 7 }), ['/source/path must be text or a list, not 7'])
  assert.deepEqual(manifestErrors({ backend: 'images', path: [7] }), ['/source/path/0 must be text, not 7'])
  assert.deepEqual(manifestErrors({ backend: 'images' }), ['/source/path is missing'])
  assert.deepEqual(manifestErrors({ backend: 'synthetic', path: '/x' }), ['/source/path is not known here; remove it'])
  assert.deepEqual(manifestErrors({ backend: 'webcam' }), [
    '/source/backend must be "synthetic" or "images" or "v4l2" or "url" or "file" or "peer", not "webcam"',
  ])
  assert.deepEqual(manifestErrors({ fps: 3 }), [
    '/source/backend is missing; it is "synthetic" or "images" or "v4l2" or "url" or "file" or "peer"',
  ])
  assert.deepEqual(manifestErrors({ backend: 'synthetic', motion: 'fly' }), [
    '/source/motion must be "patrol" or "orbit" or "still" or "drive", not "fly"',
  ])
  assert.deepEqual(manifestErrors('synthetic'), ['/source must be an object, not "synthetic"'])
})

test('everything that is wrong is named at once, with its place', () => {
  assert.deepEqual(manifestErrors({ backend: 'synthetic', fps: 0, noise: '2' }, { id: 'Front', 'a/b~c': 1 }), [
    '/id must be 1 to 40 lower-case letters, digits, - and _, beginning with a letter, not "Front"',
    '/source/fps must be at least 0.1, not 0',
    '/source/noise must be a number, not "2"',
    '/a~1b~0c is not known here; remove it',
  ])
})

test('each limit is said in words', () => {
  const list = Type.Array(Type.Integer(), { minItems: 1, maxItems: 3, uniqueItems: true })

  assert.deepEqual(said(Type.Number({ exclusiveMinimum: 0 }), 0), [' must be above 0, not 0'])
  assert.deepEqual(said(Type.Number({ maximum: 7 }), 8), [' must be at most 7, not 8'])
  assert.deepEqual(said(Type.Number(), Number.POSITIVE_INFINITY), [' must be a number, not Infinity'])
  assert.deepEqual(said(Type.Integer(), 1.5), [' must be a whole number, not 1.5'])
  assert.deepEqual(said(Type.String({ minLength: 1 }), ''), [' is empty'])
  assert.deepEqual(said(Type.String({ maxLength: 2 }), 'abc'), [' must have at most 2 characters, not "abc"'])
  assert.deepEqual(said(Type.String({ maxLength: 2 }), '🙂🙂'), [])
  assert.deepEqual(said(list, []), [' is an empty list'])
  assert.deepEqual(said(list, [1, 2, 3, 4]), [' must have at most 3 entries, not 4'])
  assert.deepEqual(said(list, [1, 2, 1]), [' has 1 twice; each may stand there once'])
  assert.deepEqual(said(Type.Object({ a: Type.Null() }), {}), ['/a is missing'])
  assert.deepEqual(said(Type.Object({}, { minProperties: 1 }), {}), [' is empty; give at least one field'])
  assert.deepEqual(said(Type.Record(Type.String(), Type.Number(), { maxProperties: 1 }), { a: 1, b: '2' }), [
    ' must have at most 1 fields, not 2',
    '/b must be a number, not "2"',
  ])
})

test('what a text must be is told as it is described, an abbreviation as one', () => {
  const described = (description: string) => Type.String({ pattern: '^a$', description })

  assert.deepEqual(said(described('A letter. The first.'), 'b'), [' must be a letter, not "b"'])
  assert.deepEqual(said(described('SHA-256 of nothing.'), 'b'), [' must be SHA-256 of nothing, not "b"'])
})

test('the first error is a sentence with its place, and the number of the others', () => {
  assert.equal(firstError([{ pointer: '/fps', message: 'is missing' }], 'the body'), '/fps of the body is missing')
  assert.equal(
    firstError(schemaErrors(StreamManifest, { source: [], x: 1, y: 2 }, '/spec'), 'the body'),
    '/spec/source of the body must be an object, not a list, and 2 more',
  )
})

test('a flood of mistakes is cut short, whatever its parts', () => {
  const long = 'x'.repeat(100_000)
  const floods = [
    Object.fromEntries(Array.from({ length: 999 }, (_, n) => [`key${n}`, long.slice(0, 1000)])),
    { [long]: 1, [`${long}2`]: 2 },
    { alias: long, id: long, source: { backend: long } },
    { source: { backend: 'images', path: Array.from({ length: 9000 }, () => ({})) } },
    { source: Array.from({ length: 9000 }, () => long) },
  ]

  for (const flood of floods) {
    const errors = validatorOf(StreamManifest)(flood)
    assert.ok(errors.length > 0 && errors.length <= MAX_ERRORS)
    assert.ok(JSON.stringify(errors).length < 3000)
  }
})

test('a search for mistakes ends with the last that will be named', () => {
  let looks = 0
  const watched = new Proxy(
    Array.from({ length: 9000 }, () => 7),
    {
      get: (list, key, self) => {
        if (typeof key === 'string' && /^\d+$/.test(key)) looks += 1
        return Reflect.get(list, key, self)
      },
    },
  )

  const errors = validatorOf(StreamManifest)({ source: { backend: 'images', path: watched } })

  assert.equal(errors.length, MAX_ERRORS)
  assert.ok(looks <= MAX_ERRORS + 1, `${looks} entries were looked at`) // the one more is the check's
})

test('a value is quoted without the characters that would change the sentence around it', () => {
  const [error] = validatorOf(Type.Null())('a\u202eb\u0000\n')

  assert.equal(error?.message, 'must be null, not "a\\u{202e}b\\u0000\\n"')
})

/** Every schema that a value from outside is held against, and their parts. */
const schemas = (): Record<string, unknown>[] => {
  const found: Record<string, unknown>[] = []
  const collect = (schema: unknown): void => {
    if (typeof schema !== 'object' || schema === null) return
    const { properties = {}, patternProperties = {}, items, anyOf = [] } = schema as Record<string, never>
    found.push(schema as Record<string, unknown>)
    for (const part of [...Object.values(properties), ...Object.values(patternProperties), items, ...anyOf])
      collect(part)
  }
  for (const { body, query } of allEndpoints()) for (const schema of [body?.schema, query]) collect(schema)
  for (const { params } of Object.values(nodeTypes)) collect(params)
  for (const schema of [FieldMap, StoredSessions]) collect(schema)
  return found
}

const EXPLAINED = new Set(
  oneLine`
    type anyOf const enum properties required additionalProperties patternProperties minProperties maxProperties items
    minItems maxItems uniqueItems minLength maxLength pattern minimum maximum exclusiveMinimum title description
    default examples readOnly writeOnly x-default-by-family x-default-by-dictionary
  `.split(' '),
)

test('no pattern is ever told to people', () => {
  const [told] = validatorOf(Type.String({ pattern: '^a{3}$', description: 'Three times a. What for.' }))('b')
  const [untold] = validatorOf(Type.String({ pattern: '^a{3}$' }))('b')

  assert.equal(told?.message, 'must be three times a, not "b"')
  assert.equal(untold?.message, 'must be text of another form, not "b"')
})

test('every keyword of every schema is one that can be explained', () => {
  const strange = schemas().flatMap((schema) => Object.keys(schema).filter((keyword) => !EXPLAINED.has(keyword)))

  assert.deepEqual([...new Set(strange)], [])
})

test('every pattern is described in words, and tells a long text from a short one in one pass', () => {
  const patterned = schemas().filter(({ pattern }) => pattern !== undefined)
  assert.ok(patterned.length > 5)

  for (const { pattern, description } of patterned) {
    assert.match(String(description), /^[A-Z0-9][^.]{10,}\./, `${pattern} has no words`)
    assert.match(String(pattern), /^\^.*\$$/, `${pattern} is not held at both ends`)
    // Only a repetition that nothing limits can be split in many ways.
    assert.doesNotMatch(
      String(pattern).replace(/\\.|\[[^\]]*\]/g, 'x'),
      /[*+]|,\}/,
      `${pattern} repeats without a limit`,
    )
  }
})

test('a sentence about a text with a pattern begins with its characters, also in custom descriptions', () => {
  const madeOf = /\b(characters|letters|digits|id|UUID|JSON Pointer)\b|`320x240`/
  const first = ({ description }: Record<string, unknown>) => String(description).split(/\.(?: |$)/, 1)[0] ?? ''
  const patterned = schemas().filter(({ pattern }) => pattern !== undefined)

  assert.deepEqual(
    [...new Set(patterned.map(first))].filter((words) => !madeOf.test(words)),
    [],
  )
})
