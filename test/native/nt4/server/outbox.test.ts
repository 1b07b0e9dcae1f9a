// The pace at which one client is sent to.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Congestion } from '../../../../native/nt4/server/congestion.ts'
import { ValueOutbox } from '../../../../native/nt4/server/outbox.ts'
import { settle } from '../../../support/clock/clock.ts'

const EVERY = { periodMs: 10, all: true }
const STEP_MS = 10

/** An outbox whose time passes only when it is told to. */
const outbox = (t: TestContext) => {
  let nowMs = 1000
  t.mock.timers.enable({ apis: ['setTimeout'] })
  t.mock.method(performance, 'now', () => nowMs)
  const sent: string[] = []
  const sink = { buffered: 0, stalled: false }
  const congestion = new Congestion(
    () => sink.buffered,
    () => {
      sink.stalled = true
    },
  )
  const box = new ValueOutbox({
    takes: (atMs) => congestion.takes(atMs),
    send: (values) => sent.push(values.map(({ message }) => Buffer.from(message).toString()).join('')),
  })
  t.after(() => box.stop())
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += STEP_MS) {
      nowMs += STEP_MS
      t.mock.timers.tick(STEP_MS)
    }
    await settle()
  }
  return {
    box,
    sent,
    sink,
    pass,
    offer: (topic: number, text: string, pace = EVERY) => box.offer(topic, Buffer.from(text), pace),
  }
}

test('what is offered in one turn goes out in one frame, in order', async (t) => {
  const { sent, offer } = outbox(t)

  for (const text of ['a', 'b', 'c']) offer(text.charCodeAt(0), text)
  await settle()

  assert.deepEqual(sent, ['abc'])
})

test('a value within the period waits, and only the latest of them is sent', async (t) => {
  const { sent, offer, pass } = outbox(t)
  const pace = { periodMs: 60, all: false }
  offer(1, 'first', pace)
  await settle()

  for (const text of ['second', 'third', 'fourth']) offer(1, text, pace)
  offer(2, 'other', pace)
  await pass(50)
  assert.deepEqual(sent, ['first', 'other'])
  await pass(10)

  assert.deepEqual(sent, ['first', 'other', 'fourth'])
})

test('a congested client keeps only the latest value of each topic until it reads again', async (t) => {
  const { sent, sink, offer, pass } = outbox(t)
  sink.buffered = 2 * 1024 * 1024
  offer(1, 'a0')
  await pass(30)

  for (let n = 1; n <= 5; n++) offer(1, `a${n}`)
  offer(2, 'b')
  await pass(30)
  assert.deepEqual(sent, [])
  sink.buffered = 0
  await pass(10)

  assert.deepEqual(sent, ['a5b'])
  assert.equal(sink.stalled, false)
})

test('a client that has not read for more than 5 s is given up', async (t) => {
  const { sent, sink, offer, pass } = outbox(t)
  sink.buffered = 2 * 1024 * 1024
  offer(1, 'a')
  await settle()

  await pass(5_000)
  assert.equal(sink.stalled, false)
  await pass(20)

  assert.equal(sink.stalled, true)
  assert.deepEqual(sent, [])
})

test('a topic that is gone is not sent any more', async (t) => {
  const { box, sent, offer } = outbox(t)
  offer(1, 'gone')
  offer(2, 'here')

  box.forget(1)
  await settle()

  assert.deepEqual(sent, ['here'])
})
