import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ShownPipeline } from '../../../machines/extcam/shown-pipeline.ts'

const slots = [1, 2, 3].map((slot) => ({ slot, graph_id: `graph-${slot}` }))
const slot = (active_slot: number) => ({ revision: active_slot, value: { slots, active_slot } })

test('a robot reads its new slot with the first frame that began after the engine switched', () => {
  const shown = new ShownPipeline(slot(1))

  shown.follow(slot(2), 150)

  assert.equal(shown.number(149), 1, 'a frame that has waited is of the one before')
  assert.deepEqual([shown.number(150), shown.number(-1)], [2, 2])
})

test('a frame that is older than two switches keeps its number', () => {
  const shown = new ShownPipeline(slot(1))

  shown.follow(slot(2), 150)
  shown.follow(slot(3), 160)

  assert.deepEqual(
    [149, 150, 160].map((startedUs) => shown.number(startedUs)),
    [1, 2, 3],
  )
})

test('what is taken up anew under the same number is no switch', () => {
  const shown = new ShownPipeline(slot(1))

  shown.follow({ ...slot(1), revision: 7 }, 150)
  shown.follow(slot(2), 160)

  assert.deepEqual(
    [149, 159, 160].map((startedUs) => shown.number(startedUs)),
    [1, 1, 2],
  )
})

test('before any engine has taken something up there is no number, and its first frame may overtake the answer', () => {
  const shown = new ShownPipeline(undefined)
  const before = shown.number(-1)

  shown.follow(slot(2), 150)

  assert.deepEqual([before, shown.number(140), shown.number(-1)], [-1, 2, 2])
})

test('what stands in for a pipeline that cannot be made is no slot', () => {
  const shown = new ShownPipeline(slot(1))

  shown.follow({ ...slot(2), revision: null }, 150)

  assert.deepEqual([shown.number(149), shown.number(150)], [1, -1])
})

test('the pipeline of a stream alone is number 0, unless that is a slot', () => {
  assert.equal(new ShownPipeline({ revision: 1, value: {} }).number(-1), 0)
  const given = { slots: [{ slot: 0, graph_id: 'other' }] }
  assert.equal(new ShownPipeline({ revision: 1, value: given }).number(-1), -1)
})
