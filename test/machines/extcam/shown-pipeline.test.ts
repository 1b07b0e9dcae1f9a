import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ShownPipeline } from '../../../machines/extcam/shown-pipeline.ts'

const slots = [1, 2].map((slot) => ({ slot, graph_id: `graph-${slot}` }))
const stored = (revision: number, active_slot?: number) => ({
  revision,
  value: { slots, ...(active_slot === undefined ? {} : { active_slot }) },
})

test('a robot reads the slot that it has switched to once the engine runs that', () => {
  const shown = new ShownPipeline(stored(4, 1))

  assert.equal(shown.number(stored(4, 1), 4), 1)
  const switched = stored(5, 2)
  assert.equal(shown.number(switched, 4), 1)
  assert.equal(shown.number(switched, 5), 2)
})

test('another name that is stored while the engine switches keeps nobody waiting', () => {
  const shown = new ShownPipeline(stored(4, 1))
  shown.number(stored(5, 2), 4)

  const renamed = stored(6, 2)

  assert.equal(shown.number(renamed, 4), 1)
  assert.equal(shown.number(renamed, 5), 2)
})

test('what is stored before any engine began is what it is about to run', () => {
  assert.equal(new ShownPipeline(stored(1, 2)).number(stored(1, 2), undefined), 2)
})

test('the pipeline of a stream alone is number 0, unless that is a slot', () => {
  const alone = { revision: 1, value: {} }
  const beside = { revision: 1, value: { slots: [{ slot: 0, graph_id: 'other' }] } }

  assert.equal(new ShownPipeline(alone).number(alone, 1), 0)
  assert.equal(new ShownPipeline(beside).number(beside, 1), -1)
})
