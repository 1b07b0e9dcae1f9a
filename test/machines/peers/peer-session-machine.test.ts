// The events of a peer: what is taken, what is told to the link, and what ends the session.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { initialTransition, transition } from 'xstate'
import type { Fault } from '../../../machines/errors/fault.ts'
import { peerSessionMachine } from '../../../machines/peers/peer-session-machine.ts'
import { type Sample, type Step, walk } from '../../support/walk.ts'

const input = { origin: 'https://10.12.34.11:5801', fingerprint: null, token: null }
const unreachable: Fault = { code: 'peer.unreachable', detail: 'it has closed the connection' }
const floods: Fault = { code: 'peer.floods', detail: 'more than can be followed' }

const asked = (since: object | null): Sample => ({ type: 'events.asked', since })
const opened: Sample = { type: 'socket.opened' }
const greeting = (type: 'hello' | 'reset', seq: number, more: object = {}): Sample => ({
  type: 'greeting.heard',
  greeting: { type, epoch: 'first', seq, resumed: false, tellsTime: false, ...more },
})
const told = (seq: number): Sample => ({
  type: 'event.heard',
  event: { seq, kind: 'stream_changed', resource_ref: {}, revision: null },
})
const refuted: Sample = { type: 'session.refuted', fault: floods }
const ended: Sample = { type: 'xstate.error.actor.listen', error: unreachable }
const helloLimit: Sample = { type: 'xstate.after.helloLimit.peer-session.awaiting-hello.connected' }

/** The names of what was done; of a report what was told. */
const doneIn = (actions: Step['actions']): readonly string[] =>
  actions.flatMap(({ type, params }) => {
    if (type === 'report') return [(params as { type: string }).type]
    return ['takeGreeting', 'takeEvent', 'loseTrack'].includes(type) ? [type] : []
  })

const seqOf = (sample: Sample): number => (sample.event as { seq: number } | undefined)?.seq ?? 0

/** Plays events: what was done for each of them, and the snapshot after all. */
const play = (...events: readonly Sample[]) => {
  let [snapshot] = initialTransition(peerSessionMachine, input)
  const done = events.map((event) => {
    const [next, actions] = transition(peerSessionMachine, snapshot, event as never)
    snapshot = next
    return doneIn(actions as unknown as Step['actions'])
  })
  return { done, snapshot }
}

test('a session is walked over all its paths: it opens once, takes events in order, and is over with why', () => {
  const { configurations } = walk(peerSessionMachine, {
    input,
    samples: [
      ...[asked(null), asked({ epoch: 'first', seq: 2 }), opened, refuted, ended],
      ...[greeting('hello', 2, { resumed: true }), greeting('reset', 3), told(2), told(3)],
      ...['peer.heard', 'peer.silent', 'inventory.changed'].map((type) => ({ type })),
    ],
    check: ({ before, event, snapshot, actions }) => {
      const done = doneIn(actions)
      const begins = snapshot.matches('following') && before?.matches('following') !== true
      assert.equal(done.includes('session.opened'), begins)
      const last = before?.context.newest?.seq ?? 0
      const isInOrder = before?.matches('following') === true && seqOf(event) > last
      assert.equal(done.includes('takeEvent'), event.type === 'event.heard' && isInOrder)
      if (done.includes('takeEvent')) assert.equal(snapshot.context.newest?.seq, seqOf(event))
      assert.equal(snapshot.status === 'done', snapshot.value === 'over')
      if (snapshot.value !== 'over') assert.ok(!done.includes('loseTrack'))
      else
        assert.equal(
          done.includes('loseTrack'),
          ['session.refuted', 'event.heard'].includes(event.type),
          'a device that has only gone, or said nothing, is asked for what was missed',
        )
      if (snapshot.value === 'over')
        assert.equal(
          (snapshot.output as Fault).code,
          { [refuted.type]: 'peer.floods', [ended.type]: 'peer.unreachable' }[event.type] ?? 'peer.bad_answer',
        )
    },
  })

  assert.ok(configurations > 10)
})

test('a session opens with the first greeting, and what is heard after that is news', () => {
  const { done, snapshot } = play(
    ...[asked(null), opened, greeting('hello', 4), told(5), greeting('reset', 9), told(10)],
  )

  assert.deepEqual(done, [
    ...[[], [], ['takeGreeting', 'session.opened'], ['takeEvent']],
    ...[['takeGreeting', 'inventory.changed'], ['takeEvent']],
  ])
  assert.deepEqual(snapshot.context.newest, { epoch: 'first', seq: 10 })
})

test('a reset at the point of the greeting before it says nothing, and after an event it is one', () => {
  const repeated = play(asked(null), greeting('hello', 4), greeting('reset', 4), greeting('reset', 4), told(5))
  const later = play(asked(null), greeting('hello', 4), told(5), greeting('reset', 5))
  const other = play(asked(null), greeting('hello', 4), greeting('reset', 4, { epoch: 'second' }))

  assert.deepEqual(repeated.done.slice(2), [[], [], ['takeEvent']])
  assert.deepEqual(later.done.at(-1), ['takeGreeting', 'inventory.changed'])
  assert.deepEqual(other.done.at(-1), ['takeGreeting', 'inventory.changed'])
})

test('the numbers go on from the event that was asked for only where the device says so, and that can be', () => {
  const since = { epoch: 'first', seq: 4 }
  const after = (hello: Sample, from: object | null = since) => play(asked(from), hello).snapshot.context.newest

  assert.deepEqual(
    [
      after(greeting('hello', 9, { resumed: true })),
      after(greeting('hello', 9)),
      after(greeting('hello', 3, { resumed: true })),
      after(greeting('hello', 9, { resumed: true, epoch: 'second' })),
      after(greeting('reset', 9, { resumed: true })),
      after(greeting('hello', 9, { resumed: true }), null),
    ],
    [
      since,
      { epoch: 'first', seq: 9 },
      { epoch: 'first', seq: 3 },
      { epoch: 'second', seq: 9 },
      { epoch: 'first', seq: 9 },
      { epoch: 'first', seq: 9 },
    ],
  )
})

test('a device that does not begin with its hello is left: at the first event, or after the time that it has', () => {
  const events = play(asked(null), opened, told(1))
  const silence = play(asked(null), opened, helloLimit)
  const before = play(asked(null), opened, greeting('hello', 1), helloLimit)

  for (const { snapshot } of [events, silence])
    assert.match((snapshot.output as Fault).detail, /does not begin with its hello/)
  assert.deepEqual([events.done.at(-1), silence.done.at(-1), before.snapshot.status], [['loseTrack'], [], 'active'])
})

test('nothing is taken of a session that is over', () => {
  const { done, snapshot } = play(asked(null), greeting('hello', 4), told(4), told(5), greeting('reset', 9))

  assert.deepEqual(done.slice(2), [['loseTrack'], [], []])
  assert.match((snapshot.output as Fault).detail, /its event 4 comes after its event 4/)
})
