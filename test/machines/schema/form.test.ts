// What forms say of fields: by their names, and where that is not enough by what stands beside them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { controlLabelOf } from '../../../machines/cameras/control-label.ts'
import { nodeTypes } from '../../../machines/pipeline/registry.ts'
import { schemaErrors } from '../../../machines/schema/errors.ts'
import { formOf } from '../../../machines/schema/form.ts'
import { labelOf } from '../../../machines/schema/label.ts'
import Type from '../../../machines/schema/type.ts'

interface FormField {
  readonly title: string
  readonly 'x-unit'?: string
  readonly 'x-step'?: number
  readonly 'x-order': number
}

const fieldsOf = (type: string) => {
  const { params, labels } = nodeTypes[type] as (typeof nodeTypes)[string]
  return formOf(params, labels).properties as unknown as Readonly<Record<string, FormField>>
}

test('a label follows from the name: the unit is its last word, and a bound comes first', () => {
  const labels = ['exposure_us', 'timeout_ms', 'hue_min_deg', 'max_ambiguity', 'x_px', 'tolerance_share', 'ids', 'm']

  assert.deepEqual(
    labels.map((name) => Object.values(labelOf(name))),
    [
      ['Exposure', 'µs'],
      ['Timeout', 'ms'],
      ['Minimum hue', 'deg'],
      ['Maximum ambiguity', null],
      ['X', 'px'],
      ['Tolerance', null],
      ['IDs', null],
      ['M', null],
    ],
  )
})

test('every parameter of every node has a label in sentence case, and its place', () => {
  for (const type of Object.keys(nodeTypes)) {
    const fields = Object.values(fieldsOf(type))
    for (const { title } of fields) assert.match(title, /^[A-Z][^_.]*$/, `${type}: ${title}`)
    assert.deepEqual(
      fields.map((field) => field['x-order']),
      fields.map((_, n) => n),
    )
    assert.equal(new Set(fields.map(({ title }) => title)).size, fields.length, `${type} has a label twice`)
  }
})

test('what is said beside a node is said of a parameter that it has', () => {
  for (const [type, { params, labels = {} }] of Object.entries(nodeTypes))
    for (const name of Object.keys(labels)) assert.ok(name in params.properties, `${type} has no ${name}`)
})

test('a number has steps that are finer than its range, and an integer has those of its kind', () => {
  const { decimate, threads } = fieldsOf('apriltag')
  const { tag_size_m } = fieldsOf('tag-pose')
  const { hue_min_deg } = fieldsOf('hsv-threshold')

  assert.deepEqual([decimate?.['x-step'], threads?.['x-step']], [0.5, undefined])
  assert.deepEqual([tag_size_m?.['x-step'], tag_size_m?.['x-unit']], [0.001, 'm'])
  assert.deepEqual([hue_min_deg?.['x-step'], hue_min_deg?.['x-unit']], [1, 'deg'])
})

test('a form takes what its schema takes, and the schema is as it was', () => {
  const schema = Type.Object({ exposure_us: Type.Integer({ minimum: 1 }) }, { additionalProperties: false })
  const before = JSON.stringify(schema)

  const form = formOf(schema)

  assert.equal(JSON.stringify(schema), before)
  for (const value of [{ exposure_us: 1 }, { exposure_us: 0 }, {}, { exposure_us: 1, gain: 1 }])
    assert.deepEqual(schemaErrors(form, value), schemaErrors(schema, value))
})

test('the controls of a camera have labels, also those that no list knows', () => {
  assert.deepEqual(controlLabelOf('exposure_time_us'), { title: 'Exposure time', unit: 'µs' })
  assert.deepEqual(controlLabelOf('white_balance_temperature'), { title: 'White balance', unit: 'K' })
  assert.deepEqual(controlLabelOf('led1_mode'), { title: 'Led1 mode', unit: null })
})
