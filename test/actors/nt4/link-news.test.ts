// What everybody hears of the link to the robot.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import { createActor } from 'xstate'
import { createEventBus } from '../../../actors/events/event-bus.ts'
import { LinkNews } from '../../../actors/nt4/link-news.ts'
import { nt4LinkActor } from '../../../actors/nt4/nt4-link-actor.ts'
import { endEffects } from '../../../actors/run.ts'
import { eventSchema } from '../../../machines/events/event.ts'
import { Latest } from '../../../machines/latest.ts'
import { nt4Link } from '../../../machines/nt4/events.ts'
import type { Nt4LinkView } from '../../../machines/nt4/link-view.ts'
import { nt4LinkStatus } from '../../../machines/nt4/nt4-link-machine.ts'
import { validatorOf } from '../../../machines/schema/errors.ts'
import { FakeNt4Port } from '../../../native/nt4/fake.ts'
import type { Nt4Session } from '../../../native/nt4/port.ts'
import { settle, simulatedClock, untilState } from '../../support/clock/clock.ts'

const MAX_CYCLE_MS = 1_250
const misfits = validatorOf(eventSchema(nt4Link))

/** A link whose news are heard. */
const heard = (t: TestContext, target: string, nt4 = new FakeNt4Port()) => {
  const events = createEventBus({ epoch: 'test', nowMs: () => 0 })
  const told: Nt4LinkView[] = []
  events.subscribe((event) => {
    assert.deepEqual(misfits(event), [])
    told.push(event.data as Nt4LinkView)
  })
  const link = new Latest<Nt4Session | undefined>()
  const clock = simulatedClock()
  const actor = createActor(nt4LinkActor({ nt4, slot: link, record: () => {} }), {
    input: { target, clientName: 'vedette', server: null, seed: 0.5 },
    clock,
  })
  const news = new LinkNews({ events, link })
  news.follow(actor)
  actor.start()
  t.after(async () => {
    await Effect.runPromise(endEffects(actor))
    actor.stop()
  })
  const state = (name: string) =>
    untilState(actor, (snapshot) => nt4LinkStatus(snapshot).state === name, `a link that is ${name}`)
  return { actor, nt4, clock, told, news, state }
}

test('everybody hears that the robot is called, is there, was lost and why, and is there again', async (t) => {
  const { nt4, clock, told, state } = heard(t, '10.0.0.2')
  await state('connected')

  nt4.session?.drop()
  await state('dialling')
  await settle()
  clock.increment(MAX_CYCLE_MS)
  await state('connected')

  const nowhere = { address: '10.0.0.2:5810', protocol: null, round_trip_us: null, server_offset_us: null }
  const there = { ...nowhere, protocol: '4.1', round_trip_us: 1_000, server_offset_us: 0 }
  const reason = { code: 'nt4.silent', detail: 'the fake robot has gone silent' }
  const { next_try_in_ms, ...lost } = told[2] as Nt4LinkView
  assert.deepEqual(told.toSpliced(2, 1), [
    { ...nowhere, state: 'dialling', next_try_in_ms: null, fault: null },
    { ...there, state: 'connected', next_try_in_ms: null, fault: null },
    { ...there, state: 'connected', next_try_in_ms: null, fault: null },
  ])
  assert.deepEqual(lost, { ...nowhere, state: 'dialling', fault: reason })
  assert.ok(next_try_in_ms !== null && next_try_in_ms >= 750 && next_try_in_ms <= MAX_CYCLE_MS)
})

test('a robot that is off is told of once, however often it is called', async (t) => {
  const nt4 = new FakeNt4Port()
  nt4.unreachable = { code: 'nt4.unreachable', detail: 'nothing answers' }
  const { actor, clock, told } = heard(t, '10.0.0.2', nt4)

  for (let round = 1; round <= 20; round++) {
    await untilState(actor, () => nt4.dialled.length === round)
    await settle()
    clock.increment(MAX_CYCLE_MS)
  }

  assert.deepEqual(
    told.map(({ state, fault }) => [state, fault?.code]),
    [
      ['dialling', undefined],
      ['dialling', 'nt4.unreachable'],
    ],
  )
})

test('a link whose part is down, and one that is not wanted, are told of', async (t) => {
  const { actor, told, news, state } = heard(t, '10.0.0.2')
  await state('connected')

  actor.send({ type: 'target.set', target: 'off', clientName: 'vedette' })
  news.down('restarting', null)
  news.down('failed', { code: 'child.failed', detail: 'nt4-link failed' })

  assert.deepEqual(
    told.map(({ state, fault }) => [state, fault?.code]),
    [
      ['dialling', undefined],
      ['connected', undefined],
      ['off', undefined],
      ['restarting', undefined],
      ['failed', 'child.failed'],
    ],
  )
})
