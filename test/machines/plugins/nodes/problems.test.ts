// What is wrong with nodes that manifests declare, and what is made of those that are good.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NodeDeclaration } from '../../../../machines/plugins/node-declaration.ts'
import { pluginNodeTypes } from '../../../../machines/plugins/nodes/node-types.ts'
import { nodeProblems } from '../../../../machines/plugins/nodes/problems.ts'
import { validatorOf } from '../../../../machines/schema/errors.ts'
import { nodePlugin } from '../../../support/plugins/node-plugin.ts'

const node = (changes: object): NodeDeclaration => ({
  type: 'look',
  title: 'Look',
  description: 'Looks.',
  program: { runtime: 'python', path: 'node.py' },
  inputs: [{ name: 'image', kind: 'image', format: 'gray' }],
  outputs: [{ name: 'values', kind: 'values' }],
  params: {},
  ...changes,
})

const description = 'How much.'
const level = (changes: object) => ({ type: 'integer', minimum: 0, maximum: 9, default: 1, description, ...changes })

test('a good node has no problems', () => {
  const params = {
    level: level({}),
    sharp: { type: 'boolean', default: true, description },
    text: { type: 'string', default: 'a', maxLength: 3, description },
    mode: { type: 'string', enum: ['fast', 'slow'], default: 'fast', description },
  }

  assert.deepEqual(validatorOf(NodeDeclaration)(node({ params })), [])
  assert.deepEqual(nodeProblems([node({ params })]), [])
})

const BAD: readonly (readonly [what: string, nodes: readonly NodeDeclaration[], pointer: string])[] = [
  ['a type twice', [node({}), node({})], '/1/type'],
  ['a port twice', [node({ inputs: [...node({}).inputs, ...node({}).inputs] })], '/0/inputs/1/name'],
  ['texts that it cannot be given', [node({ inputs: [{ name: 'codes', kind: 'barcodes' }] })], '/0/inputs/0/kind'],
  ['what cannot be checked', [node({ outputs: [{ name: 'pose', kind: 'field_pose' }] })], '/0/outputs/0/kind'],
  ['rows with pixels', [node({ outputs: [{ name: 'v', kind: 'values', format: 'gray' }] })], '/0/outputs/0/format'],
  ['an input like the first', [node({ inputs: [{ name: 'i', kind: 'image', format: 'same' }] })], '/0/inputs/0/format'],
  [
    'pictures of none',
    [node({ inputs: [{ name: 'tags', kind: 'detections' }], outputs: [{ name: 'm', kind: 'image', format: 'mask' }] })],
    '/0/outputs',
  ],
  ['the limit that all have', [node({ params: { timeout_ms: level({}) } })], '/0/params/timeout_ms'],
  ['a name that objects have', [node({ params: { constructor: level({}) } })], '/0/params/constructor'],
  ['a default out of range', [node({ params: { level: level({ default: 10 }) } })], '/0/params/level/default'],
  ['a range the wrong way round', [node({ params: { level: level({ minimum: 10 }) } })], '/0/params/level/default'],
  ['half an integer', [node({ params: { level: level({ maximum: 2.5 }) } })], '/0/params/level'],
  [
    'a long default',
    [node({ params: { t: { type: 'string', maxLength: 1, default: 'ab', description } } })],
    '/0/params/t/default',
  ],
  [
    'no choice',
    [node({ params: { mode: { type: 'string', enum: ['a'], default: 'b', description } } })],
    '/0/params/mode/default',
  ],
]

for (const [what, nodes, pointer] of BAD)
  test(`refused: ${what}`, () => {
    assert.deepEqual(
      nodeProblems(nodes).map((problem) => problem.pointer),
      [pointer],
    )
  })

test('what a schema is not made of is refused by the schema of manifests', () => {
  const errors = (param: object) => validatorOf(NodeDeclaration)(node({ params: { level: param } }))

  for (const param of [
    { type: 'object', properties: {} },
    level({ $ref: '#' }),
    level({ pattern: '(a+)+$' }),
    level({ maximum: 1e300 }),
    { type: 'string', default: 'a', pattern: '(a+)+$', description },
    { type: 'string', enum: Array.from({ length: 65 }, String), default: '1', description },
    { anyOf: [] },
  ])
    assert.notDeepEqual(errors(param), [], JSON.stringify(param))
})

test('of a declaration a type is made that has nothing else of the package in it', (t) => {
  const params = {
    level: level({}),
    mode: { type: 'string', enum: ['fast', 'slow'], default: 'fast', description },
  } as never
  const types = pluginNodeTypes([nodePlugin(t, { source: '', params })])

  const type = types['trial.look']

  assert.deepEqual(Object.keys(types), ['trial.look'])
  assert.deepEqual(
    [type?.category, type?.description, type?.live],
    ['plugins', 'Look. Looks.', ['level', 'mode', 'timeout_ms']],
  )
  const { properties, additionalProperties } = JSON.parse(JSON.stringify(type?.params))
  assert.equal(additionalProperties, false)
  assert.deepEqual(properties.level, { type: 'integer', minimum: 0, maximum: 9, default: 1, description })
  assert.deepEqual(properties.mode, { enum: ['fast', 'slow'], default: 'fast', description })
})
