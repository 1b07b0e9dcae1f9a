// The link: who is dialled when, and what is said about it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { initialTransition, transition } from 'xstate'
import { backOffMs, type Nt4LinkEvent, nt4LinkMachine, nt4LinkStatus } from '../../machines/nt4-link.ts'
import { type Step, walk } from '../support/walk.ts'

const facts = { protocol: '4.1', round_trip_us: 800, server_offset_us: 5 } as const
const unreachable = { code: 'nt4.unreachable', detail: 'nothing answers' }
const given = { clientName: 'vedette', server: null, seed: 0.5 }
const opened: Nt4LinkEvent = { type: 'session.opened', facts }
const failed = { type: 'xstate.error.actor.holdSession', error: unreachable } as unknown as Nt4LinkEvent

const said = ({ actions }: Pick<Step, 'actions'>, type: string) =>
  actions.filter(({ params }) => (params as { event?: { type: string } } | undefined)?.event?.type === type).length

test('the link is walked over all its paths: up and down alternate, and every command is answered', () => {
  const target = (text: string) => ({ type: 'target.set', ask: 1, target: text, clientName: 'vedette' })

  const { configurations } = walk(nt4LinkMachine, {
    input: { ...given, target: 'nonsense:' },
    samples: [
      ...['off', 'serve', 'team:1234', 'robot.local', 'nonsense:'].map(target),
      { type: 'server.listening', at: { host: '0.0.0.0', port: 5810 } },
      { type: 'session.opened', facts },
      { type: 'session.synced', facts: { ...facts, round_trip_us: 700 } },
      { type: 'xstate.error.actor.holdSession', error: unreachable },
    ],
    check: (step) => {
      const { context } = step.snapshot
      const status = nt4LinkStatus(step.snapshot)
      const isUp = status.state === 'connected'
      const wasUp = step.before ? nt4LinkStatus(step.before).state === 'connected' : false
      assert.equal(isUp, context.facts !== null)
      assert.equal(said(step, 'link.up') - said(step, 'link.down'), Number(isUp) - Number(wasUp))
      assert.equal(said(step, 'reply'), step.event.type === 'target.set' ? 1 : 0)
      assert.ok(context.failures <= 3 && context.index < Math.max(1, context.addresses.length))
      if (isUp) assert.equal(status.fault, null)
      if (status.state === 'dialling') assert.notEqual(status.address, null)
      if (status.state === 'parked') assert.equal(status.fault?.code, 'nt4.bad_target')
    },
  })

  assert.ok(configurations > 20)
})

test('all addresses of a team are tried before the link backs off, and the one that answered is dialled first again', () => {
  let [snapshot] = initialTransition(nt4LinkMachine, { ...given, target: 'team:1234' })
  const dialled: (string | null)[] = []
  const after = (event: Nt4LinkEvent) => {
    dialled.push(nt4LinkStatus(snapshot).address)
    ;[snapshot] = transition(nt4LinkMachine, snapshot, event)
  }

  after(failed)
  after(failed)
  after(opened)
  after(failed)

  assert.deepEqual(dialled.slice(0, 3), ['10.12.34.2:5810', 'roboRIO-1234-FRC.local:5810', '172.22.11.2:5810'])
  assert.deepEqual(
    [nt4LinkStatus(snapshot).state, nt4LinkStatus(snapshot).address],
    ['backing-off', '172.22.11.2:5810'],
  )
})

test('a fault is recorded when the link breaks and at the first failure, not at each attempt', () => {
  let [snapshot] = initialTransition(nt4LinkMachine, { ...given, target: 'robot.local' })
  const recorded = (event: Nt4LinkEvent | { readonly type: string }) => {
    const [next, actions] = transition(nt4LinkMachine, snapshot, event as Nt4LinkEvent)
    snapshot = next
    return actions.some(({ type }) => type === 'record')
  }
  const redial = { type: 'xstate.after.backOff.nt4-link.backing-off' }

  assert.deepEqual([failed, redial, failed, redial, opened, failed, redial, failed].map(recorded), [
    true,
    false,
    false,
    false,
    false,
    true,
    false,
    false,
  ])
})

test('the same target again leaves a running session alone, another one ends it', () => {
  const [dialling] = initialTransition(nt4LinkMachine, { ...given, target: 'robot.local' })
  const [connected] = transition(nt4LinkMachine, dialling, opened)
  const set = (target: string) =>
    transition(nt4LinkMachine, connected, { type: 'target.set', ask: 1, target, clientName: 'vedette' })

  const [same] = set('robot.local')
  const [other, actions] = set('other.local')

  assert.equal(nt4LinkStatus(same).state, 'connected')
  assert.equal(nt4LinkStatus(other).state, 'dialling')
  assert.ok(said({ actions: actions as Step['actions'] }, 'link.down') === 1)
})

test('a bad target is refused and the link stays as it is', () => {
  const [dialling] = initialTransition(nt4LinkMachine, { ...given, target: 'robot.local' })

  const [after, actions] = transition(nt4LinkMachine, dialling, {
    type: 'target.set',
    ask: 7,
    target: 'team:x',
    clientName: 'v',
  })

  const reply = actions
    .map(({ params }) => (params as { event?: Record<string, unknown> })?.event)
    .find((event) => event?.ask === 7)
  assert.equal(reply?.outcome, 'refused')
  assert.deepEqual(after.context, dialling.context)
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

test('the pause grows from one second to four, spread by a quarter', () => {
  for (const seed of [0, 0.3, 0.99])
    for (const [failures, ms] of [
      [1, 1_000],
      [2, 2_000],
      [3, 4_000],
    ] as const) {
      const pauseMs = backOffMs(failures, seed)
      assert.ok(pauseMs >= 0.75 * ms && pauseMs <= 1.25 * ms, `${failures}: ${pauseMs}`)
    }
  assert.notEqual(backOffMs(1, 0.1), backOffMs(1, 0.6))
})
