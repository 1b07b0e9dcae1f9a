// How long one waits for a plan: as long as it is made, whatever else the engine computes.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import { LIMITS, LOOK_EVERY_MS } from '../../../../machines/engine/health.ts'
import type { Fault } from '../../../../machines/errors/fault.ts'
import type { GraphDocument } from '../../../../machines/pipeline/graph.ts'
import { withMovingHangLimit } from '../../../../native/engine/service/hang-limit.ts'
import { PlanQueue } from '../../../../native/engine/service/plan-queue.ts'
import { smallCamera, startEngine } from '../../../support/engine/engine-task.ts'
import { planOf } from '../../../support/engine/graphs.ts'

/** Plans may compute so long; everything else as long as ever. */
const engineFor = (t: TestContext, busyMs: number) => startEngine(t, { ...LIMITS, open: { ...LIMITS.open, busyMs } })

const hung = (detail: string): Fault => ({ code: 'engine.hung', detail })

const scripted = (source: string): GraphDocument => ({
  nodes: [
    { id: 'source', type: 'source' },
    { id: 'aim', type: 'script', params: { source } },
  ],
  edges: [],
  outputs: [{ port: 'aimed', from: 'aim.values' }],
})

test('what workers compute to get ready is not held against the plan', async (t) => {
  const { engine, open } = await engineFor(t, 400)
  await open(smallCamera)
  const slow = scripted('const end = Date.now() + 1500; while (Date.now() < end); const step = () => {}')

  const exit = await Effect.runPromise(Effect.exit(engine.tryPlan(planOf(slow))))

  assert.ok(Exit.isSuccess(exit), JSON.stringify(exit))
})

test('nobody is impatient for his turn, but for what is being made, be it his or what comes before', async () => {
  const queue = new PlanQueue()
  const nothing = { idleMs: 1, busyMs: 1, waitedMs: 1 }
  const waitFor = (program: Effect.Effect<string, Fault>) =>
    Effect.runPromise(Effect.exit(queue.wait(program, { pid: process.pid, threads: 'maker', limits: nothing }, hung)))
  const later = Effect.delay(Effect.succeed('made'), 3 * LOOK_EVERY_MS)

  const inTurn = await waitFor(later)
  queue.began(7)
  const inWork = await waitFor(Effect.never)
  queue.ended(7)
  const after = await waitFor(later)

  assert.deepEqual([inTurn, after].map(Exit.isSuccess), [true, true])
  assert.match(JSON.stringify(inWork), /engine\.hung.*it has stood still/)
})

test('what has been waited counts anew with each period', async () => {
  let looks = 0
  const watched = {
    period: () => Math.min(++looks, 6),
    load: () => ({ cpuMs: 0, isRunnable: true }),
    limits: () => ({ idleMs: 1000, busyMs: 1000, waitedMs: 100 }),
  }
  const fault = await Effect.runPromise(Effect.flip(withMovingHangLimit(Effect.never, hung, () => watched)))

  assert.equal(fault.code, 'engine.hung')
  assert.ok(looks > 6, `${looks}`)
})
