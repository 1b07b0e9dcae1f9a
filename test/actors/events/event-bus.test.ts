// Publishing, listening and catching up.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Check } from 'typebox/value'
import { createEventBus } from '../../../actors/events/event-bus.ts'
import { EventDocument, RING_CAPACITY } from '../../../machines/events/event.ts'

const bus = (capacity?: number) => {
  let nowMs = 1000
  const bugs: unknown[] = []
  const events = createEventBus({
    epoch: 'e1',
    nowMs: () => {
      nowMs += 1
      return nowMs
    },
    onBug: (bug) => bugs.push(bug),
    ...(capacity === undefined ? {} : { capacity }),
  })
  const publish = (count: number) => {
    for (let n = 0; n < count; n += 1)
      events.publish({ kind: 'streams.changed', resource_ref: { stream_id: 'front' }, revision: n })
  }
  return { events, publish, bugs }
}

const seqs = (caughtUp: ReturnType<ReturnType<typeof bus>['events']['since']>) =>
  caughtUp.type === 'events' ? caughtUp.events.map(({ seq }) => seq) : caughtUp

test('an event is a fact with its number, time and epoch', () => {
  const { events } = bus()

  const event = events.publish({ kind: 'errors.changed', resource_ref: {}, data: { count: 2 } })

  assert.deepEqual(event, {
    seq: 1,
    epoch: 'e1',
    timestamp_ms: 1001,
    kind: 'errors.changed',
    resource_ref: {},
    revision: null,
    data: { count: 2 },
  })
  assert.ok(Check(EventDocument, event))
})

test('a client that comes back gets exactly what it missed', () => {
  const { events, publish } = bus()
  publish(5)

  assert.deepEqual(seqs(events.since(2, 'e1')), [3, 4, 5])
  assert.deepEqual(seqs(events.since(0, 'e1')), [1, 2, 3, 4, 5])
  assert.deepEqual(seqs(events.since(5, 'e1')), [])
})

test('a client of another epoch, of the future, or too far behind starts over', () => {
  const { events, publish } = bus(4)
  publish(10)

  assert.deepEqual(seqs(events.since(6, 'e1')), [7, 8, 9, 10])
  for (const caughtUp of [
    events.since(5, 'e1'),
    events.since(11, 'e1'),
    events.since(-1, 'e1'),
    events.since(8, 'e0'),
  ]) {
    assert.deepEqual(caughtUp, { type: 'reset', seq: 10, epoch: 'e1' })
  }
})

test('the ring keeps at least 2,048 events', () => {
  const { events, publish } = bus()
  publish(3 * RING_CAPACITY)

  assert.equal((seqs(events.since(2 * RING_CAPACITY, 'e1')) as number[]).length, RING_CAPACITY)
  assert.ok(RING_CAPACITY >= 2048)
})

test('listeners hear events in order until they stop', () => {
  const { events, publish } = bus()
  const heard: string[] = []
  const stopA = events.subscribe(({ seq }) => heard.push(`a${seq}`))
  events.subscribe(({ seq }) => heard.push(`b${seq}`))

  publish(1)
  stopA()
  publish(1)

  assert.deepEqual(heard, ['a1', 'b1', 'b2'])
})

test('a listener that throws is reported and called again; the others and the publisher go on', () => {
  const { events, publish, bugs } = bus()
  const heard: number[] = []
  events.subscribe(() => {
    throw new Error('deaf')
  })
  events.subscribe(({ seq }) => heard.push(seq))

  publish(2)

  assert.deepEqual(heard, [1, 2])
  assert.equal(bugs.length, 2)
})
