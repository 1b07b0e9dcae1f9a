// What a form says of the values of a JSON schema.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nodeTypes } from '../../machines/pipeline/registry.ts'
import {
  controlOf,
  inner,
  labelOf,
  numbersOf,
  rangeOf,
  type Schema,
  stepOf,
  unitOf,
  wrongNumber,
  wrongNumbers,
  wrongText,
} from '../../ui/parts/schema-words.ts'

const properties = Object.entries(nodeTypes).flatMap(([type, { params }]) =>
  Object.entries((params as Schema).properties ?? {}).map(([key, schema]) => ({ of: `${type}.${key}`, key, schema })),
)

test('each parameter of the registry has a control, and only lists of places are typed as JSON', () => {
  const typed = properties.filter(({ schema }) => controlOf(schema) === 'document').map(({ of }) => of)

  assert.ok(properties.length > 100)
  assert.deepEqual(typed, ['keystone.corners', 'mask.polygons'])
})

test('each default of the registry is a value that its own control takes', () => {
  const wrong = properties.flatMap(({ of, schema }) => {
    const value = schema.default
    if (typeof value === 'number') return [wrongNumber(schema, value)].filter(Boolean).map((why) => `${of}: ${why}`)
    if (typeof value === 'string' && !schema.enum)
      return [wrongText(schema, value)].filter(Boolean).map((why) => `${of}: ${why}`)
    return []
  })

  assert.deepEqual(wrong, [])
})

test('a name says the unit where the schema does not', () => {
  assert.deepEqual([labelOf('hue_min_deg', {}), unitOf('hue_min_deg', {})], ['Hue min', '°'])
  assert.deepEqual([labelOf('radius_px', {}), unitOf('radius_px', {})], ['Radius', 'px'])
  assert.deepEqual([labelOf('threads', {}), unitOf('threads', {})], ['Threads', undefined])
  assert.equal(labelOf('area_share_min', { title: 'Least area' }), 'Least area')
  assert.equal(unitOf('exposure', { 'x-unit': 'µs' }), 'µs')
  assert.equal(unitOf('hue_min_deg', { 'x-unit': 'deg' }), '°')
})

test('a slider has some two hundred places, at round numbers', () => {
  assert.equal(stepOf({ type: 'number', minimum: 0, maximum: 1 }), 0.005)
  assert.equal(stepOf({ type: 'number', minimum: 0, maximum: 360 }), 2)
  assert.equal(stepOf({ type: 'integer', minimum: 0, maximum: 4 }), 1)
  assert.equal(stepOf({ type: 'integer', minimum: 0, maximum: 255 }), 2)
  assert.equal(stepOf({ type: 'number', minimum: 1, maximum: 8 }), 0.05)
})

test('what may be null is a control that can be left to the service', () => {
  const schema: Schema = {
    anyOf: [{ type: 'null' }, { type: 'number', minimum: 0, maximum: 255 }],
    default: null,
    description: 'Least decision margin.',
  }

  assert.equal(controlOf(schema), 'maybe')
  assert.deepEqual(inner(schema), { type: 'number', minimum: 0, maximum: 255, description: 'Least decision margin.' })
})

test('a wrong value is refused with what would be right', () => {
  assert.equal(wrongNumber({ type: 'integer', minimum: 1, maximum: 4 }, 5), 'It takes 1 to 4.')
  assert.equal(wrongNumber({ type: 'integer' }, 1.5), 'A whole number is wanted.')
  assert.equal(wrongNumber({ type: 'number', exclusiveMinimum: 0 }, 0), 'It takes more than 0.')
  assert.equal(wrongNumber({ type: 'number' }, Number.NaN), 'A number is wanted.')
  assert.equal(wrongText({ minLength: 1 }, ''), 'It cannot be empty.')
  assert.equal(wrongText({ pattern: '^[a-z]+$', description: 'Lower-case letters.' }, 'A'), 'Lower-case letters.')
  assert.equal(rangeOf({ minimum: 0 }), '0 or more')
})

test('a list of numbers is read as people write it', () => {
  const schema: Schema = { type: 'array', items: { type: 'integer', minimum: 0 }, maxItems: 3, uniqueItems: true }

  assert.deepEqual(numbersOf(' 1, 2;3 '), [1, 2, 3])
  assert.deepEqual(numbersOf(''), [])
  assert.equal(numbersOf('1, two'), undefined)
  assert.equal(wrongNumbers(schema, [1, 1]), 'One of them stands there twice.')
  assert.equal(wrongNumbers(schema, [1, -1]), 'It takes 0 or more.')
  assert.equal(wrongNumbers(schema, [1, 2, 3, 4]), 'It takes at most 3.')
})
