// The link: who is dialled when, and what is said about it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { initialTransition, transition } from 'xstate'
import type { Fault } from '../../../machines/errors/fault.ts'
import { type Nt4LinkEvent, nt4LinkMachine, nt4LinkStatus } from '../../../machines/nt4/nt4-link-machine.ts'
import { type Step, walk } from '../../support/walk.ts'

const unreachable: Fault = { code: 'nt4.unreachable', detail: 'nothing answers' }
const given = { clientName: 'vedette', server: null, seed: 0.5 }
const opened = (index = 0): Nt4LinkEvent => ({ type: 'candidate.opened', index })
const failed = (index = 0, fault = unreachable): Nt4LinkEvent => ({ type: 'candidate.failed', index, fault })
const lost = (index = 0): Nt4LinkEvent => ({
  type: 'candidate.lost',
  index,
  fault: unreachable,
  pauseMs: 900,
})

/** Which candidates are at it, by the children that the machine has. */
const candidates = (snapshot: Step['snapshot']) =>
  Object.entries(snapshot.children)
    .filter(([, child]) => child !== undefined)
    .map(([id]) => id)
    .toSorted()

test('the link is walked over all its paths: a session is offered when it comes up, and only then', () => {
  const target = (text: string) => ({ type: 'target.set', target: text, clientName: 'vedette' })

  const { configurations } = walk(nt4LinkMachine, {
    input: { ...given, target: 'nonsense:' },
    samples: [
      ...['off', 'serve', 'team:1234', 'robot.local', 'nonsense:'].map(target),
      { type: 'server.listening', at: { host: '0.0.0.0', port: 5810 } },
      ...[0, 2].flatMap((index) => [
        { type: 'candidate.opened', index },
        { type: 'candidate.failed', index, fault: unreachable },
        { type: 'candidate.lost', index, fault: unreachable, pauseMs: 900 },
      ]),
      { type: 'candidate.failed', index: 1, fault: unreachable },
    ],
    check: (step) => {
      const { context } = step.snapshot
      const status = nt4LinkStatus(step.snapshot)
      const isUp = status.state === 'connected'
      const wasUp = step.before ? nt4LinkStatus(step.before).state === 'connected' : false
      assert.equal(step.actions.filter(({ type }) => type === 'offerSession').length, Number(isUp && !wasUp))
      assert.equal(context.failures.length, context.addresses.length)
      const wanted = isUp ? [context.index] : status.state === 'dialling' ? [...context.addresses.keys()] : []
      // A sample may open a candidate that the target does not have: then there is none to keep.
      if (context.index < context.addresses.length)
        assert.deepEqual(
          candidates(step.snapshot),
          wanted.map((index) => `candidate-${index}`),
        )
      if (isUp) assert.deepEqual([status.fault, status.nextTryInMs], [null, null])
      if (status.state === 'dialling' && context.index < context.addresses.length) assert.notEqual(status.address, null)
      if (status.state === 'parked') {
        assert.equal(status.fault?.code, 'nt4.bad_target')
        assert.match(status.fault.detail ?? '', /^the NT4 target cannot be used: it must be serve, /)
        assert.match(status.fault.errors?.[0]?.message ?? '', /^must be serve, /)
      }
    },
  })

  assert.ok(configurations > 20)
})

test('all addresses of a team are dialled at once, the first that answers stays, and is the only one', () => {
  const [dialling] = initialTransition(nt4LinkMachine, { ...given, target: 'team:1234' })
  const [connected] = transition(nt4LinkMachine, dialling, opened(2))
  const [tooLate] = transition(nt4LinkMachine, connected, opened(1))
  const [again] = transition(nt4LinkMachine, tooLate, lost(2))

  assert.deepEqual(
    dialling.context.addresses.map(({ host }) => host),
    ['10.12.34.2', 'roboRIO-1234-FRC.local', '172.22.11.2'],
  )
  assert.deepEqual(candidates(dialling), ['candidate-0', 'candidate-1', 'candidate-2'])
  assert.deepEqual(candidates(connected), ['candidate-2'])
  assert.equal(nt4LinkStatus(connected).address, '172.22.11.2:5810')
  assert.deepEqual(tooLate.context, connected.context)
  assert.deepEqual(candidates(again), ['candidate-0', 'candidate-1', 'candidate-2'])
  assert.equal(again.children['candidate-2'], dialling.children['candidate-2'], 'it paces itself')
  assert.deepEqual([nt4LinkStatus(again).state, nt4LinkStatus(again).address], ['dialling', '172.22.11.2:5810'])
})

test('a fault is recorded when a session is lost or all addresses failed once, not at each attempt', () => {
  let [snapshot] = initialTransition(nt4LinkMachine, { ...given, target: 'team:1234' })
  const recorded = (event: Nt4LinkEvent) => {
    const [next, actions] = transition(nt4LinkMachine, snapshot, event)
    snapshot = next
    return actions.some(({ type }) => type === 'record')
  }

  const events = [
    failed(2),
    failed(2),
    failed(0),
    failed(1),
    failed(0),
    failed(2),
    opened(1),
    lost(1),
    failed(0),
    failed(1),
    failed(2),
  ]
  const expected = [false, false, false, true, false, false, false, true, false, false, false]
  assert.deepEqual(events.map(recorded), expected)
})

test('what is shown while no address answers is what says most', () => {
  const other: Fault = { code: 'nt4.refused', detail: 'answers, but not as an NT4 server' }
  let [snapshot] = initialTransition(nt4LinkMachine, { ...given, target: 'team:1234' })
  const shown = (event: Nt4LinkEvent) => {
    ;[snapshot] = transition(nt4LinkMachine, snapshot, event)
    return nt4LinkStatus(snapshot).fault?.detail
  }
  const silent = (index: number) => failed(index, { code: 'nt4.unreachable', detail: `nothing at ${index}` })

  assert.deepEqual([silent(2), silent(1), silent(0), failed(1, other), silent(1), opened(0)].map(shown), [
    undefined,
    undefined,
    'nothing at 0',
    'answers, but not as an NT4 server',
    'nothing at 0',
    undefined,
  ])
})

test('a link that was lost says when the robot is called again: at once where it has other addresses', () => {
  const nextTryInMs = (target: string) => {
    const [dialling] = initialTransition(nt4LinkMachine, { ...given, target })
    const [connected] = transition(nt4LinkMachine, dialling, opened())
    const [again] = transition(nt4LinkMachine, connected, lost())
    return [dialling, connected, again].map((snapshot) => nt4LinkStatus(snapshot).nextTryInMs)
  }

  assert.deepEqual(nextTryInMs('robot.local'), [null, null, 900])
  assert.deepEqual(nextTryInMs('team:1234'), [null, null, 0])
})

test('the same target again leaves a running session alone, another one ends it', () => {
  const [dialling] = initialTransition(nt4LinkMachine, { ...given, target: 'robot.local' })
  const [connected] = transition(nt4LinkMachine, dialling, opened())
  const set = (target: string) =>
    transition(nt4LinkMachine, connected, { type: 'target.set', target, clientName: 'vedette' })

  const [same] = set('robot.local')
  const [other] = set('other.local')

  assert.equal(nt4LinkStatus(same).state, 'connected')
  assert.equal(nt4LinkStatus(other).state, 'dialling')
  assert.deepEqual(candidates(other), ['candidate-0'])
  assert.notEqual(other.children['candidate-0'], connected.children['candidate-0'])
})

test('a server of our own is dialled where it says it listens, and not before', () => {
  const [waiting] = initialTransition(nt4LinkMachine, { ...given, target: 'serve:0.0.0.0:0' })

  const [dialling] = transition(nt4LinkMachine, waiting, {
    type: 'server.listening',
    at: { host: '0.0.0.0', port: 4711 },
  })

  assert.equal(nt4LinkStatus(waiting).state, 'awaiting-server')
  assert.equal(nt4LinkStatus(dialling).address, '127.0.0.1:4711')
})
