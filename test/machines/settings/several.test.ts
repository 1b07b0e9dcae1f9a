// Several orders to the settings as one: all of them, or none.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isFault } from '../../../machines/errors/fault.ts'
import { NT4_DOCUMENT, nt4Collection } from '../../../machines/nt4/settings.ts'
import { ROBOT, rigCollection } from '../../../machines/rig/robot.ts'
import { collectionsByName } from '../../../machines/settings/collection.ts'
import {
  decide,
  deleteOrder,
  isUnchanged,
  mergeOrder,
  putOrder,
  severalOrder,
} from '../../../machines/settings/commit.ts'
import { noSettings, type Settings, withCommit } from '../../../machines/settings/store.ts'

const collections = collectionsByName([nt4Collection, rigCollection])

const decided = (settings: Settings, ...orders: Parameters<typeof severalOrder>[0][number][]) =>
  decide(collections, settings, { ...severalOrder(orders), ask: 1 })

/** The settings after them. */
const after = (settings: Settings, ...orders: Parameters<typeof severalOrder>[0][number][]): Settings => {
  const decision = decided(settings, ...orders)
  assert.ok(!isFault(decision) && !isUnchanged(decision))
  return withCommit(settings, decision)
}

const robot = putOrder(rigCollection, ROBOT, { length_m: 0.8 })
const team = mergeOrder(nt4Collection, NT4_DOCUMENT, { target: 'team:1234' })

test('all of them are one commit, each as if those before it had been carried out', () => {
  const settings = after(noSettings, robot, mergeOrder(rigCollection, ROBOT, { width_m: 0.7 }), team)

  assert.deepEqual(settings.documents.rig?.[ROBOT], { revision: 2, value: { length_m: 0.8, width_m: 0.7 } })
  assert.deepEqual(settings.documents.nt4?.[NT4_DOCUMENT], { revision: 1, value: { target: 'team:1234' } })
  assert.deepEqual(settings.revisions, { rig: 2, nt4: 1 })
})

test('where one is refused none is carried out, whichever it is', () => {
  const wrong = mergeOrder(nt4Collection, NT4_DOCUMENT, { publish_period_ms: 1 })

  for (const orders of [
    [robot, wrong],
    [wrong, robot],
    [robot, team, wrong],
  ]) {
    const decision = decided(noSettings, ...orders)
    assert.ok(isFault(decision) && decision.code === 'document.invalid')
  }
})

test('those that change nothing are left out, and where none does nothing is stored', () => {
  const settings = after(noSettings, robot, team)

  const again = decided(settings, robot, team)
  const some = decided(settings, robot, deleteOrder(nt4Collection, NT4_DOCUMENT))
  const none = decided(settings)

  assert.ok(!isFault(again) && isUnchanged(again) && !isFault(none) && isUnchanged(none))
  assert.ok(!isFault(some) && !isUnchanged(some))
  assert.deepEqual([some.collection, some.others], ['nt4', []])
})
