// The error history with a store in memory and a clock that only the test moves.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as Effect from 'effect/Effect'
import { createActor } from 'xstate'
import { askNow } from '../../../actors/ask.ts'
import { errorKeeperActor, errorRecorder } from '../../../actors/errors/error-keeper-actor.ts'
import { createEventBus } from '../../../actors/events/event-bus.ts'
import type { Fault } from '../../../machines/errors/fault.ts'
import {
  createErrorHistoryStore,
  type ErrorEntry,
  errorsOf,
  type KeptErrors,
} from '../../../machines/errors/history.ts'
import type { EventDocument } from '../../../machines/events/event.ts'
import { FakeDocuments } from '../../../native/documents/fake.ts'
import { settle, simulatedClock } from '../../support/clock/clock.ts'

const lost: Fault = { code: 'camera.lost', detail: 'unplugged', resource: 'streams/front' }
const slow: Fault = { code: 'nt4.silent', detail: 'slow' }

const entry: ErrorEntry = {
  code: lost.code,
  resource: 'streams/front',
  detail: 'earlier',
  count: 5,
  first_at_ms: 1,
  last_at_ms: 2,
}

const kept = async (port = new FakeDocuments(), faultAtStart: Fault | null = null) => {
  const documents = await Effect.runPromise(Effect.scoped(port.open))
  port.fault = faultAtStart
  const clock = simulatedClock()
  const store = createErrorHistoryStore()
  const events = createEventBus({ epoch: 'e', nowMs: () => clock.now() })
  const published: EventDocument[] = []
  events.subscribe((event) => published.push(event))
  const record = errorRecorder({ store, events, nowMs: () => clock.now() })
  const actor = createActor(errorKeeperActor({ store, events, documents }), { clock }).start()
  await settle()
  if (!faultAtStart) port.errorSaves.length = 0
  const advance = async (ms: number) => {
    clock.increment(ms)
    await settle()
  }
  const counts = () => port.errorSaves.map(({ entries }) => entries.map(({ code, count }) => `${code} ${count}`))
  return { port, store, published, record, actor, advance, counts }
}

test('a new fault is on disk at once and published', async () => {
  const { record, counts, published } = await kept()

  record(lost)
  record(slow)
  await settle()

  assert.deepEqual(counts().at(-1), ['camera.lost 1', 'nt4.silent 1'])
  assert.deepEqual(
    published.map(({ kind, data }) => [kind, (data as ErrorEntry).code, (data as ErrorEntry).count]),
    [
      ['error_recorded', 'camera.lost', 1],
      ['error_recorded', 'nt4.silent', 1],
    ],
  )
})

test('what happened several times since it was last told counts as often', async () => {
  const { store, record } = await kept()

  record(lost, 240)
  record(lost)

  assert.deepEqual(
    errorsOf(store).map(({ code, count }) => [code, count]),
    [['camera.lost', 241]],
  )
})

test('a fault that repeats is written at most once a second', async () => {
  const { record, counts, advance } = await kept()
  record(lost)
  await advance(1000)
  await advance(1000)

  for (let n = 0; n < 100; n += 1) {
    record(lost)
    await advance(100)
  }

  assert.ok(counts().length <= 12, `${counts().length} writes in 10 s`)
  await advance(1000)
  assert.deepEqual(counts().at(-1), ['camera.lost 101'])
})

test('a disk that refuses is never noticed by those who record, and all is saved once there is room', async () => {
  const { port, record, store, actor, advance, counts } = await kept()
  port.fault = { code: 'storage.full', detail: 'no room' }

  record(lost)
  await advance(1000)
  record(lost)
  await advance(2000)
  assert.equal(actor.getSnapshot().status, 'active')
  assert.equal(errorsOf(store)[0]?.count, 2)
  assert.deepEqual(counts(), [])

  port.fault = null
  record(lost)
  await advance(2000)
  assert.deepEqual(counts().at(-1), ['camera.lost 3'])
})

test('what was kept is there after a restart', async () => {
  const { port, record, actor, advance } = await kept()
  record(lost)
  await advance(1000)
  actor.stop()
  const next = new FakeDocuments()
  next.errorSaves.push(port.errorSaves.at(-1) as KeptErrors)

  const again = await kept(next)
  again.record(lost)

  assert.equal(errorsOf(again.store)[0]?.count, 2)
})

test('what could not be read at the start is there once it can, and no revision is used again', async () => {
  const port = new FakeDocuments()
  port.errorSaves.push({ revision: 7, entries: [entry] })
  const { record, store } = await kept(port, { code: 'storage.failed', detail: 'unreadable' })

  port.fault = null
  record(lost)
  await settle()

  assert.equal(errorsOf(store)[0]?.count, 6)
  const saved = port.errorSaves.at(-1)
  assert.ok(saved && saved.revision > 7, `${saved?.revision}`)
})

test('clearing is done when the disk is empty too', async () => {
  const { record, actor, store, counts, published } = await kept()
  record(lost)

  const reply = await askNow(actor, { type: 'errors.clear' })

  assert.equal(reply.outcome, 'done')
  assert.deepEqual(errorsOf(store), [])
  assert.deepEqual(counts().at(-1), [])
  assert.equal(published.at(-1)?.kind, 'errors_cleared')
})

test('a clearing that the disk refuses fails and leaves the history as it was', async () => {
  const { port, record, actor, store } = await kept()
  record(lost)
  await settle()
  port.fault = { code: 'storage.full', detail: 'no room' }

  const reply = await askNow(actor, { type: 'errors.clear' })

  assert.ok(reply.outcome === 'failed')
  assert.equal(reply.fault.code, 'storage.full')
  assert.equal(errorsOf(store).length, 1)
})
