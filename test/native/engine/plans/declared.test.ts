// What the addon was compiled with, against what graphs are checked and results are read by.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RESULT_FIELDS } from '../../../../machines/engine/result.ts'
import { FAMILY_SIZES, TAG_FAMILIES } from '../../../../machines/engine/tag-families.ts'
import { MAX_SLOTS } from '../../../../machines/pipeline/graph.ts'
import type { PortType } from '../../../../machines/pipeline/node-type.ts'
import { nodeTypes } from '../../../../machines/pipeline/registry.ts'
import { MADE_FIELDS } from '../../../../machines/plugins/nodes/row-fields.ts'
import { loadAddon } from '../../../../native/engine/process/addon.ts'

test('the addon has the node types, result rows and families of the registry, and the same limits', () => {
  const ports = (list: readonly PortType[]) =>
    list.map(({ name, kind, format, optional }) => {
      const pixels = format ? ` (${format})` : ''
      return `${name}: ${kind}${pixels}${optional ? ', optional' : ''}`
    })

  const declared = loadAddon().declared()

  assert.deepEqual(declared.node_types, {
    ...Object.fromEntries(
      Object.entries(nodeTypes).map(([name, { inputs, outputs }]) => [
        name,
        { inputs: ports(inputs), outputs: ports(outputs) },
      ]),
    ),
    plugin: { inputs: [], outputs: [] }, // each of its steps has those that a plugin declares
  })
  assert.deepEqual(
    declared.row_widths,
    Object.fromEntries(Object.entries(RESULT_FIELDS).map(([kind, fields]) => [kind, fields.length])),
  )
  assert.deepEqual(
    declared.families,
    TAG_FAMILIES.map((name) => ({ name, ...FAMILY_SIZES[name] })),
  )
  assert.equal(declared.max_slots, MAX_SLOTS)
})

test('rows that programs of plugins give have as many numbers as they are told', () => {
  const { plugins } = loadAddon()
  const kinds = Object.keys(MADE_FIELDS)

  const told = kinds.map((kind) => {
    const { number, outputs } = plugins.open(['image gray'], [kind])
    plugins.close(number)
    return [kind, outputs[0]?.row_numbers]
  })

  assert.deepEqual(
    told,
    Object.entries(MADE_FIELDS).map(([kind, fields]) => [kind, fields?.length]),
  )
})
