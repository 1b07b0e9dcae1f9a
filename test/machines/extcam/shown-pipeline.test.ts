import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ShownPipeline } from '../../../machines/extcam/shown-pipeline.ts'

const slots = [1, 2].map((slot) => ({ slot, graph_id: `graph-${slot}` }))
const stored = (revision: number, active_slot?: number) => ({
  revision,
  value: { slots, ...(active_slot === undefined ? {} : { active_slot }) },
})

/** A frame that was begun then is there now; the engine runs that revision. */
const at = (
  shown: ShownPipeline,
  now: ReturnType<typeof stored>,
  takenUp: number | undefined,
  [startedUs, nowUs]: readonly [number, number],
) => {
  shown.follow({ stored: now, takenUp, nowUs: () => nowUs })
  return shown.number(startedUs)
}

test('a robot reads the slot that it has switched to with the first frame that was begun when the engine ran that', () => {
  const shown = new ShownPipeline(stored(4, 1))
  const switched = stored(5, 2)

  assert.equal(at(shown, stored(4, 1), 4, [100, 110]), 1)
  assert.equal(at(shown, switched, 4, [120, 130]), 1)
  assert.equal(at(shown, switched, 5, [140, 150]), 1, 'it was begun before that was known')
  assert.equal(at(shown, switched, 5, [160, 180]), 2)
  assert.equal(shown.number(149), 1, 'a frame that has waited is of the one before')
  assert.equal(shown.number(-1), 2)
})

test('another name that is stored while the engine switches keeps nobody waiting', () => {
  const shown = new ShownPipeline(stored(4, 1))
  const renamed = stored(6, 2)

  assert.equal(at(shown, renamed, 4, [100, 110]), 1)
  assert.equal(at(shown, renamed, 5, [120, 130]), 1)
  assert.equal(at(shown, renamed, 5, [131, 140]), 2)
})

test('who switches back before the engine has followed reads the same all along', () => {
  const shown = new ShownPipeline(stored(4, 1))
  at(shown, stored(5, 2), 4, [100, 110])

  assert.equal(at(shown, stored(6, 1), 5, [120, 130]), 1)
})

test('what is stored before any engine began is what it is about to run', () => {
  assert.equal(at(new ShownPipeline(stored(1, 2)), stored(1, 2), undefined, [-1, 10]), 2)
})

test('the pipeline of a stream alone is number 0, unless that is a slot', () => {
  assert.equal(new ShownPipeline({ revision: 1, value: {} }).number(-1), 0)
  assert.equal(new ShownPipeline({ revision: 1, value: { slots: [{ slot: 0, graph_id: 'other' }] } }).number(-1), -1)
})
