// What everybody hears of an update, and how often.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEventBus } from '../../../actors/events/event-bus.ts'
import { RecordKeeper } from '../../../actors/update/record-keeper.ts'
import { UpdateNews } from '../../../actors/update/update-news.ts'
import type { EventDocument } from '../../../machines/events/event.ts'
import type { UpdateState } from '../../../machines/update/update-state.ts'
import { FakeUpdateRecords } from '../../../native/update/fake.ts'
import { HandClock } from '../../support/clock/hand-clock.ts'
import { FakeDevice } from '../../support/update/fake-device.ts'

test('of progress that is made all the time four events a second are told, and the newest always', async (t) => {
  const device = new FakeDevice(t)
  const clock = new HandClock()
  const events = createEventBus({ epoch: 'e', nowMs: clock.nowMs })
  const told: EventDocument[] = []
  events.subscribe((event) => told.push(event))
  const run = await device.start()
  const news = new UpdateNews({
    directory: { actor: () => run.actor as never, events, clock },
    keeper: new RecordKeeper(new FakeUpdateRecords(), clock.nowMs),
    progress: device.progress,
    backend: device.backend,
    later: clock.later,
  })
  news.follow(run.actor)
  clock.advance(1_000)
  await run.upload('vedette 1.5.0')
  await run.until('ready')
  clock.advance(1_000)
  const before = told.length

  for (let at = 0; at < 1_000; at += 1) {
    device.progress.set({ bytes: at, totalBytes: 1_000 })
    run.actor.send({ type: 'device.seen', robotEnabled: false, busyWith: [`${at}`] })
    clock.advance(1)
  }
  await run.cancel()
  clock.advance(1_000)

  const states = told.map(({ data }) => (data as UpdateState).state)
  assert.ok(told.length - before <= 5, `${told.length - before} in two seconds`)
  assert.equal(states.at(-1), 'idle')
  news.end()
  assert.equal(clock.timers, 0)
})
