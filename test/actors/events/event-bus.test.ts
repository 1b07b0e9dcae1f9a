// Publishing, listening and catching up.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEventBus } from '../../../actors/events/event-bus.ts'
import { errorRecorded, errorsCleared } from '../../../machines/errors/events.ts'
import { eventSchema, RING_CAPACITY } from '../../../machines/events/event.ts'
import { schemaErrors } from '../../../machines/schema/errors.ts'
import { streamChanged, streamFigures, streamState } from '../../../machines/stream/events.ts'

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
      events.publish(streamChanged, { resource_ref: { stream_id: 'front' }, revision: n, data: { deleted: false } })
  }
  return { events, publish, bugs }
}

const seqs = (caughtUp: ReturnType<ReturnType<typeof bus>['events']['since']>) =>
  caughtUp.type === 'events' ? caughtUp.events.map(({ seq }) => seq) : caughtUp

test('an event is a fact with its number, time and epoch', () => {
  const { events } = bus()

  const data = { state: 'live', fault: null, pipeline_fault: null } as const
  const event = events.publish(streamState, { resource_ref: { stream_id: 'front' }, data })

  assert.deepEqual(event, {
    seq: 1,
    epoch: 'e1',
    timestamp_ms: 1001,
    kind: 'stream_state',
    resource_ref: { stream_id: 'front' },
    revision: null,
    data,
  })
  assert.deepEqual(schemaErrors(eventSchema(streamState), event), [])
})

test('what a kind does not declare cannot be published', () => {
  const { events } = bus()
  const front = { stream_id: 'front' }

  const refused = () => {
    // @ts-expect-error a kind is not known by its name alone
    events.publish('stream_state', { resource_ref: front, data: { state: 'live', fault: null } })
    // @ts-expect-error a stream is referred to by its stream_id
    events.publish(streamState, { resource_ref: { streams_id: 'front' }, data: { state: 'live', fault: null } })
    // @ts-expect-error there is no such state
    events.publish(streamState, { resource_ref: front, data: { state: 'asleep', fault: null } })
    // @ts-expect-error its data is missing
    events.publish(streamState, { resource_ref: front })
    // @ts-expect-error a state has no revision
    events.publish(streamState, { resource_ref: front, revision: 3, data: { state: 'live', fault: null } })
    // @ts-expect-error the history has one
    events.publish(errorsCleared, { resource_ref: {} })
    // @ts-expect-error that it is empty is all there is to tell
    events.publish(errorsCleared, { resource_ref: {}, revision: 3, data: { count: 0 } })
    // @ts-expect-error an entry has more than a code
    events.publish(errorRecorded, { resource_ref: {}, revision: 3, data: { code: 'engine.hung' } })
  }

  assert.equal(typeof refused, 'function') // judged by the compiler
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

test('an event that is not kept takes no number, and pushes none that is kept out of the ring', () => {
  const { events, publish } = bus(2)
  const heard: string[] = []
  events.subscribe(({ kind, seq }) => heard.push(`${kind} ${seq}`))
  publish(2)

  for (let n = 0; n < 100; n += 1) events.publish(streamFigures, { resource_ref: {}, data: { streams: [] } })
  publish(1)

  assert.equal(heard.filter((each) => each === 'stream_figures 2').length, 100)
  assert.equal(heard.at(-1), 'stream_changed 3')
  assert.deepEqual(seqs(events.since(1, 'e1')), [2, 3])
  assert.equal(events.last(), 3)
})

test('an event that is not kept fits its schema also before the first that is', () => {
  const { events } = bus()

  const event = events.publish(streamFigures, { resource_ref: {}, data: { streams: [] } })

  assert.equal(event.seq, 0)
  assert.deepEqual(schemaErrors(eventSchema(streamFigures), event), [])
})

test('whoever tells what costs something knows how many listen', () => {
  const { events } = bus()
  const counts: number[] = []
  events.audience.subscribe((count) => counts.push(count))

  const leave = [events.attend(), events.attend()]
  for (const each of [...leave, ...leave]) each()

  assert.deepEqual(counts, [1, 2, 1, 0])
})
