// Whether an engine can make a plan, and what is said when something comes between.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as Effect from 'effect/Effect'
import { planTrialOf } from '../../../actors/stream/plan-trial.ts'
import type { Fault } from '../../../machines/errors/fault.ts'
import { defaultGraph } from '../../../machines/pipeline/graph.ts'
import { PipelineRecord } from '../../../machines/stream/pipeline-record.ts'
import { runnable } from '../../support/engine/graphs.ts'
import { storedStream } from '../../support/engine/stream-runtime.ts'

const runs = runnable(defaultGraph)
const { value: manifest } = storedStream(1, { id: 'front', source: { backend: 'synthetic' } })

/** What a trial says whose engine answers with that. open: whether a camera is open before it, and after it. */
const said = (answer: Fault | null, open: readonly [boolean, boolean] = [true, true]) => {
  let asked = 0
  const tryPlan = () => (answer ? Effect.fail(answer) : Effect.void)
  const isOpen = () => open[asked++ === 0 ? 0 : 1]
  return planTrialOf({ engine: { tryPlan }, isOpen, manifest: () => manifest, record: new PipelineRecord(() => 0) })(
    runs,
  )
}

const refusal: Fault = { code: 'engine.bad_task', detail: 'no' }
const crash: Fault = { code: 'engine.crashed', detail: 'The vision engine of this stream stopped (SIGSEGV).' }
const hang: Fault = { code: 'engine.hung', detail: 'no answer' }

test('what the engine cannot make is refused, and nothing can be said while no camera is open', async () => {
  assert.deepEqual([await said(null), await said(refusal)], [null, refusal])
  assert.equal(await said(refusal, [false, false]), null)
})

test('a camera that goes away meanwhile leaves it open whether the plan can be made', async () => {
  assert.equal(await said(refusal, [true, false]), null)
  assert.equal(await said({ code: 'camera.lost', detail: 'gone' }, [true, false]), null)
})

test('a plan that ends the engine which tries it is refused, though no camera is open any more', async () => {
  assert.deepEqual([await said(crash, [true, false]), await said(hang, [true, false])], [crash, hang])
})
