// A change of the network as a machine: each command is answered once, and whatever happens in the middle, the change
// ends as kept or as undone, and never as neither.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { initialTransition, transition } from 'xstate'
import { networkMachine } from '../../../machines/network/network-machine.ts'
import type { ChangeRecord } from '../../../machines/network/record.ts'
import { repliesIn, type Sample, walk } from '../../support/walk.ts'

const change = { interface: 'eth0', method: 'dhcp' } as const
const record: ChangeRecord = {
  job_id: 'a-1',
  change,
  prepared: { profile_uuid: 'new', previous_uuid: 'old', previous_addresses: ['10.9.9.9'] },
  phase: 'ordered',
  checkpoint: null,
  ordered_over: '10.9.9.9',
  outcome: null,
}
const failed = { code: 'device.failed', detail: 'it said no' } as const
const restored = (next: string) => ({ record, next, remainingMs: 1_000, reason: 'the service ended' })

const samples: readonly Sample[] = [
  ...['nothing', 'wait', 'keep', 'undo'].map((next) => ({
    type: 'xstate.done.actor.restore',
    output: next === 'nothing' ? { ...restored(next), record: null } : restored(next),
  })),
  { type: 'xstate.done.actor.order', output: record },
  { type: 'xstate.done.actor.apply', output: { path: '/1', owner: ':1.1' } },
  { type: 'xstate.done.actor.watchKeeper', output: 'NetworkManager was restarted' },
  ...['restore', 'check', 'order', 'apply', 'watchKeeper', 'judge', 'keep', 'undo'].map((effect) => ({
    type: `xstate.error.actor.${effect}`,
    error: failed,
  })),
  { type: 'network.change', ask: 1, change, over: '10.9.9.9' },
  { type: 'network.confirm', ask: 2, over: '10.2.54.11' },
  { type: 'change.cancelled', jobId: 'a-1' },
  { type: 'change.cancelled', jobId: 'b-7' },
  { type: 'network.seen', missing: 'eth0 has no cable' },
  { type: 'network.seen', missing: null },
]

test('on all paths each command is answered once, and a change ends as kept or as undone', () => {
  walk(networkMachine, {
    samples,
    check: ({ before, event, snapshot, actions }) => {
      const replies = repliesIn(actions).filter((reply) => reply.ask !== 0)
      const { ask, record: now, outcome, fault } = snapshot.context
      const isCommand = event.type === 'network.change' || event.type === 'network.confirm'
      const owed = (before?.context.ask == null ? 0 : 1) + (isCommand ? 1 : 0)
      assert.equal(replies.length, owed - (ask === null ? 0 : 1), `${event.type} in ${JSON.stringify(before?.value)}`)
      assert.ok(replies.every((reply) => reply.outcome !== 'done' || reply.ask === before?.context.ask))
      assert.equal(snapshot.status, 'active')

      const ended = actions.some(({ type, params }) => type === 'show' && (params as { step: string }).step === 'ended')
      if (ended) {
        assert.equal(now?.phase, 'ended')
        assert.deepEqual(now?.outcome, outcome)
        assert.equal(outcome?.kept, before?.value === 'keeping', 'it is kept only after it was confirmed')
      }
      if (snapshot.matches('keeping')) assert.equal(outcome?.kept, true)
      if (snapshot.matches('undoing') || snapshot.matches('stuck')) assert.equal(outcome?.kept, false)
      if (snapshot.matches('idle')) assert.notEqual(fault?.code, 'device.failed')
      if (snapshot.matches('idle') && now) assert.equal(now.phase === 'ended' || before?.matches('ordering'), true)
    },
  })
})

const after = (...events: readonly Sample[]) =>
  events.reduce(
    ([snapshot], event) => transition(networkMachine, snapshot, event as never),
    initialTransition(networkMachine),
  )

const [idle, , , order] = [
  samples[0],
  samples[1],
  samples[2],
  { type: 'network.change', ask: 1, change, over: '10.9.9.9' },
]
const ordered = [idle, order, { type: 'xstate.done.actor.check' }, samples[4]] as readonly Sample[]
const inForce = [...ordered, { type: 'xstate.after.answerTime.network.answered' }, samples[5]] as readonly Sample[]

test('an order is answered before anything changes, and then tried', () => {
  const [answered, actions] = after(...ordered)
  assert.equal(answered.value, 'answered')
  assert.ok(actions.some(({ type }) => String(type) === 'xstate.emit'))
  assert.ok(!actions.some((action) => JSON.stringify(action).includes('"apply"')))

  const [tried] = after(...inForce)
  assert.deepEqual(tried.value, { tried: { 'in-force': 'waiting' } })
})

test('a change that nobody confirms is undone with that reason', () => {
  const [snapshot] = after(...inForce, { type: 'xstate.after.limit.network.tried' })

  assert.equal(snapshot.value, 'undoing')
  assert.match(String(snapshot.context.outcome?.reason), /nobody confirmed/)
})

test('a confirmation that does not count leaves the change as it is, with its time running on', () => {
  const [snapshot, actions] = after(
    ...inForce,
    { type: 'network.confirm', ask: 2, over: '10.9.9.9' },
    { type: 'xstate.error.actor.judge', error: { code: 'network.wrong_way', detail: 'no' } },
  )

  assert.deepEqual(snapshot.value, { tried: { 'in-force': 'waiting' } })
  assert.deepEqual(
    actions.filter(({ type }) => ['xstate.cancel', 'xstate.raise'].includes(String(type))),
    [],
    'no timer was touched',
  )
})

test('what a killed run left is gone on with: waited for, kept or undone', () => {
  const nextTo = (next: string) => after({ type: 'xstate.done.actor.restore', output: restored(next) })[0].value

  assert.deepEqual(
    [nextTo('wait'), nextTo('keep'), nextTo('undo'), nextTo('nothing')],
    [{ tried: { 'in-force': 'waiting' } }, 'keeping', 'undoing', 'idle'],
  )
})
