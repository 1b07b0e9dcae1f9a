// The declaration of a collection says what its documents are, to the compiler and to those who hear of them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { referenceTo } from '../../../machines/events/kind.ts'
import { NT4_DOCUMENT, nt4Collection } from '../../../machines/nt4/settings.ts'
import { mergeOrder, putOrder } from '../../../machines/settings/commit.ts'
import { createSettingsStore, documentOf } from '../../../machines/settings/store.ts'
import { streamCollection } from '../../../machines/stream/collection.ts'
import { collectionsOf } from '../../../supervisors/composition/compose.ts'
import { tree } from '../../../supervisors/tree.ts'

const storedCollections = collectionsOf(tree)

test('a document is referred to by the field that its event declares, not by a word made from its name', () => {
  assert.deepEqual(referenceTo(streamCollection.changed, 'front'), { stream_id: 'front' })
  assert.deepEqual(referenceTo(nt4Collection.changed, NT4_DOCUMENT), {})
})

test('no two collections share a name or an event', () => {
  const declared = [...storedCollections.values()]

  assert.equal(new Set(declared.map(({ name }) => name)).size, declared.length)
  assert.equal(new Set(declared.map(({ changed }) => changed)).size, declared.length)
})

test('readers and orders have the type that their collection declares', () => {
  const store = createSettingsStore()

  const alias: string | undefined = documentOf(store, streamCollection, 'front')?.value.alias
  // @ts-expect-error a manifest has no colour
  const colour = documentOf(store, streamCollection, 'front')?.value.colour
  // @ts-expect-error a name is no declaration
  const byName = () => documentOf(store, 'streams', 'front')
  // @ts-expect-error an NT4 setting is no manifest
  const strange = putOrder(streamCollection, 'front', { target: 'off' })
  // @ts-expect-error the settings know no robot
  const misspelt = mergeOrder(nt4Collection, NT4_DOCUMENT, { robot: 1234 })

  assert.deepEqual(
    [alias, colour, strange.type, misspelt.type],
    [undefined, undefined, 'document.put', 'document.merge'],
  )
  assert.equal(typeof byName, 'function')
})
