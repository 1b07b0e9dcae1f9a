// Sampling how the device does: while somebody needs it, and never else.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import * as Scope from 'effect/Scope'
import { createActor } from 'xstate'
import { ConditionKeeper } from '../../../actors/system/condition-keeper.ts'
import { MetricsSource } from '../../../actors/system/metrics-source.ts'
import { systemActor } from '../../../actors/system/system-actor.ts'
import type { Fault } from '../../../machines/errors/fault.ts'
import type { SystemMetrics } from '../../../machines/system/metrics.ts'
import { FakeClock } from '../../../native/clock/fake.ts'
import { FakeSystem } from '../../../native/system/fake.ts'
import { settle, untilState } from '../../support/clock/clock.ts'

const weak: SystemMetrics['throttling'] = { now: true, reasons: ['under-voltage'], since_start: ['under-voltage'] }
const well: SystemMetrics['throttling'] = { now: false, reasons: [], since_start: [] }

const watched = (t: TestContext, throttling = well) => {
  const clock = new FakeClock()
  const told: unknown[] = []
  const recorded: Fault[] = []
  const port = new FakeSystem({ nowUs: clock.monotonicUs })
  port.reading = { throttling }
  const source = new MetricsSource({ clock })
  const conditions = new ConditionKeeper({
    events: {
      publish: (kind, fact) => {
        told.push([kind.kind, fact.data])
        return {} as never
      },
    },
    record: (fault) => recorded.push(fault),
  })
  const processes = () => [{ part: 'control', stream_id: null, pid: 1 } as const]
  const actor = createActor(systemActor({ port, source, conditions, clock, processes })).start()
  t.after(() => actor.stop())
  const sampled = () =>
    new Promise<SystemMetrics>((resolve) => {
      const stop = source.latest.subscribe((sample) => {
        if (!sample) return
        stop()
        resolve(sample)
      })
    })
  return { clock, port, source, actor, told, recorded, sampled }
}

test('nothing is read while nobody needs it, and the reader is given back when the last one has gone', async (t) => {
  const { port, source, actor, sampled } = watched(t)
  await settle()
  assert.deepEqual([port.opened, port.readings], [0, 0])

  const [one, other] = [Scope.makeUnsafe(), Scope.makeUnsafe()]
  await Effect.runPromise(Scope.provide(source.need, one))
  await Effect.runPromise(Scope.provide(source.need, other))
  const sample = await sampled()
  await Effect.runPromise(Scope.close(one, Exit.void))

  assert.equal(sample.processes[0]?.part, 'control')
  assert.deepEqual([port.opened, actor.getSnapshot().value], [1, 'sampling'])
  await Effect.runPromise(Scope.close(other, Exit.void))
  await untilState(actor, (snapshot) => snapshot.matches('quiet'))
  await settle()
  assert.deepEqual([port.opened, source.latest.value], [0, undefined])
})

test('who asks once has samples for half a minute, and who asks again for longer', async (t) => {
  const { clock, source, actor } = watched(t)
  source.needForAWhile()
  assert.equal(actor.getSnapshot().value, 'sampling')

  clock.advanceMs(20_000)
  source.needForAWhile()
  clock.advanceMs(20_000)
  source.forget()
  assert.equal(actor.getSnapshot().value, 'sampling')
  clock.advanceMs(10_001)
  source.forget()
  assert.equal(actor.getSnapshot().value, 'quiet')
})

test('a weak supply is a fault of this part, an event and in the history, also while nobody asks', async (t) => {
  const { actor, told, recorded } = watched(t, weak)

  await untilState(actor, (snapshot) => snapshot.context.fault !== null)

  assert.equal(actor.getSnapshot().context.fault?.code, 'system.under_voltage')
  assert.deepEqual(told, [
    ['power_changed', { under_voltage: true, times: 1 }],
    ['throttling_changed', { slowed: true, reasons: ['under-voltage'] }],
  ])
  assert.deepEqual(
    recorded.map(({ code, resource }) => [code, resource]),
    [['system.under_voltage', 'system']],
  )
})
