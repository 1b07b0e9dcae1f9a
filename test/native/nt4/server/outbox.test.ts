// The pace at which one client is sent to.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Outbox } from '../../../../native/nt4/server/outbox.ts'
import { eventually } from '../../../support/nt4.ts'

const EVERY = { periodMs: 10, all: true }

const outbox = (t: TestContext) => {
  const sent: string[] = []
  const sink = { buffered: 0, stalled: false }
  const box = new Outbox({
    buffered: () => sink.buffered,
    send: (frame) => sent.push(Buffer.from(frame).toString()),
    stalled: () => {
      sink.stalled = true
    },
  })
  t.after(() => box.stop())
  return {
    box,
    sent,
    sink,
    offer: (topic: number, text: string, pace = EVERY) => box.offer(topic, Buffer.from(text), pace),
  }
}

test('what is offered in one turn goes out in one frame, in order', async (t) => {
  const { sent, offer } = outbox(t)

  for (const text of ['a', 'b', 'c']) offer(text.charCodeAt(0), text)
  await eventually(() => sent.length > 0)

  assert.deepEqual(sent, ['abc'])
})

test('a value within the period waits, and only the latest of them is sent', async (t) => {
  const { sent, offer } = outbox(t)
  const pace = { periodMs: 60, all: false }
  offer(1, 'first', pace)
  await eventually(() => sent.length === 1)

  for (const text of ['second', 'third', 'fourth']) offer(1, text, pace)
  offer(2, 'other', pace)
  await eventually(() => sent.length === 3)

  assert.deepEqual(sent, ['first', 'other', 'fourth'])
})

test('a congested client keeps only the latest value of each topic until it reads again', async (t) => {
  const { sent, sink, offer } = outbox(t)
  sink.buffered = 2 * 1024 * 1024
  offer(1, 'a0')
  await new Promise((resolve) => setTimeout(resolve, 30))

  for (let n = 1; n <= 5; n++) offer(1, `a${n}`)
  offer(2, 'b')
  assert.deepEqual(sent, [])
  sink.buffered = 0
  await eventually(() => sent.length > 0)

  assert.deepEqual(sent, ['a5b'])
  assert.equal(sink.stalled, false)
})

test('a topic that is gone is not sent any more', async (t) => {
  const { box, sent, offer } = outbox(t)
  offer(1, 'gone')
  offer(2, 'here')

  box.forget(1)
  await eventually(() => sent.length > 0)

  assert.deepEqual(sent, ['here'])
})
