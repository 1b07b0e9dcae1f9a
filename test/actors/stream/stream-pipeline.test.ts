// The pipeline of a stream in one engine, and what changes while that is still at it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as Effect from 'effect/Effect'
import { StreamPipeline } from '../../../actors/stream/stream-pipeline.ts'
import type { Fault } from '../../../machines/errors/fault.ts'
import type { Plan } from '../../../machines/pipeline/graph.ts'
import { PipelineRecord } from '../../../machines/stream/pipeline-record.ts'
import { planOf, tagsAs } from '../../support/engine/graphs.ts'
import { storedStream } from '../../support/engine/stream-runtime.ts'

const pipeline = tagsAs('tags')
const { value: manifest } = storedStream(1, { id: 'front', source: { backend: 'synthetic' }, pipeline })

/** An engine that is done with a plan when the test says so. */
const slowEngine = () => {
  const made: { readonly plan: Plan; readonly done: () => void }[] = []
  const setPlan = (plan: Plan): Effect.Effect<void, Fault> =>
    Effect.callback((resume) => {
      made.push({ plan, done: () => resume(Effect.void) })
    })
  return { made, engine: { setPlan, tryPlan: setPlan, setParams: () => {} } }
}

test('a model that is stored while the engine makes the plan is read by the next one', async () => {
  const { made, engine } = slowEngine()
  const stream = new StreamPipeline(engine, new PipelineRecord(() => 0))
  const first = Effect.runPromise(stream.switchedTo(manifest))

  stream.hasReadOther()
  made[0]?.done()
  await first
  const second = Effect.runPromise(stream.switchedTo(manifest))
  made[1]?.done()
  await second

  assert.equal(made.length, 2)
})

test('a model that is stored while the camera is opened is read by the next plan', async () => {
  const { made, engine } = slowEngine()
  const stream = new StreamPipeline(engine, new PipelineRecord(() => 0))
  const plan = planOf(pipeline)
  const opening = Effect.runPromise(stream.opened(manifest, plan, engine.setPlan(plan)))

  stream.hasReadOther()
  made[0]?.done()
  await opening
  const second = Effect.runPromise(stream.switchedTo(manifest))
  made[1]?.done()
  await second

  assert.equal(made.length, 2)
})

test('a plan that runs already is not made once more', async () => {
  const { made, engine } = slowEngine()
  const stream = new StreamPipeline(engine, new PipelineRecord(() => 0))
  const first = Effect.runPromise(stream.switchedTo(manifest))
  made[0]?.done()
  await first

  await Effect.runPromise(stream.switchedTo(manifest))

  assert.equal(made.length, 1)
})
