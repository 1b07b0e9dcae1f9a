// The link to a peer: what follows on what, and how soon.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { initialTransition, transition } from 'xstate'
import type { Fault } from '../../../machines/errors/fault.ts'
import { pauseMs, peerLinkMachine, peerLinkState, refusedPauseMs } from '../../../machines/peers/peer-link-machine.ts'
import { type Sample, type Step, walk } from '../../support/walk.ts'

const AWAY = 150 // so many attempts in a row that nobody takes
const address = { origin: 'https://10.12.34.11:5801', fingerprint: null, token: null }
const input = { address, seed: 0.5, greeted: null }
const unreachable: Fault = { code: 'peer.unreachable', detail: 'nothing answers' }
const refuses: Fault = { code: 'peer.refuses_us', detail: 'not you' }
const native = { kind: 'native', hello: {}, agreement: {} }
const legacy = { kind: 'legacy', why: 'it has no hello' }
const done = (id: string, output?: unknown): Sample => ({ type: `xstate.done.actor.${id}`, output })
const failed = (id: string, error: Fault): Sample => ({ type: `xstate.error.actor.${id}`, error })
const over = (fault: Fault): Sample => done('holdSession', fault)

const after = (...events: readonly Sample[]) =>
  events.reduce(
    (snapshot, event) => transition(peerLinkMachine, snapshot, event as never)[0],
    initialTransition(peerLinkMachine, input)[0],
  )
const linked = [
  ...[{ type: 'peer.connected' }, done('greet', native)],
  ...[{ type: 'session.opened' }, done('readWhole')],
] as const

test('the link is walked over all its paths: it never has a session and none, and what is wrong is said', () => {
  const others = [{ ...address, token: 'other' }, address]

  const { configurations } = walk(peerLinkMachine, {
    input,
    samples: [
      ...others.flatMap((each) =>
        [null, native, legacy].map((greeted) => ({ type: 'address.set', address: each, greeted })),
      ),
      ...[done('greet', native), done('greet', legacy), over(unreachable), over(refuses)],
      { type: 'events.contradicted', fault: refuses },
      ...['greet', 'readWhole', 'readAgain'].flatMap((id) => [failed(id, unreachable), failed(id, refuses)]),
    ],
    sameAs: ({ context: { tries, failedSinceCall, seed: _, ...rest } }) => ({
      ...rest,
      tries: Math.min(tries, 2),
      wasThere: failedSinceCall < AWAY,
    }),
    check: ({ before, event, snapshot, actions }: Step) => {
      const state = peerLinkState(snapshot.value)
      const has = (id: string) => snapshot.children[id] !== undefined
      assert.equal(has('holdSession'), ['synchronising', 'linked', 'stale'].includes(state), state)
      assert.equal(has('greet'), ['dialling', 'greeting'].includes(state), state)
      assert.ok(!(has('readWhole') && has('readAgain')))
      const refuted = actions.filter(({ type }) => type === 'xstate.sendTo')
      assert.equal(refuted.length, Number(event.type === 'events.contradicted'), 'its session is told why it is over')
      assert.equal(snapshot.context.greeted, null, 'it is used once')
      if (state === 'refused') assert.equal(snapshot.context.fault?.code, 'peer.refuses_us')
      if (state === 'backing-off') assert.ok(snapshot.context.failedSinceCall < AWAY)
      if (state === 'offline') assert.equal(snapshot.context.failedSinceCall, AWAY)
      if (['offline', 'backing-off'].includes(state)) assert.equal(snapshot.context.fault?.code, 'peer.unreachable')
      if (state === 'legacy') assert.equal(snapshot.context.fault, null)
      if (state === 'linked') assert.equal(snapshot.context.fault !== null, snapshot.context.readFailed)
      // Whoever has another address has lost nothing: it is another link.
      if (before && before.context.address !== snapshot.context.address && !has('holdSession'))
        assert.equal(snapshot.context.failedSinceCall, AWAY)
    },
  })

  assert.ok(configurations > 30)
})

test('a device is called, greeted and read before it counts as linked', () => {
  const states = linked.map((_, n) => peerLinkState(after(...linked.slice(0, n)).value))

  assert.deepEqual(
    [...states, peerLinkState(after(...linked).value)],
    [...['dialling', 'greeting', 'synchronising', 'synchronising', 'linked']],
  )
})

test('an address that somebody else has just greeted is not asked again, at the start or without a link', () => {
  const begun = (greeted: unknown) => initialTransition(peerLinkMachine, { ...input, greeted } as never)[0]
  const told = (before: readonly Sample[], greeted: unknown, aimed = address) =>
    peerLinkState(after(...before, { type: 'address.set', address: aimed, greeted }).value)
  const moved = { ...address, origin: 'https://10.12.34.12:5801' }
  const refused = [failed('greet', refuses)]

  assert.deepEqual(
    [native, legacy, null].map((greeted) => peerLinkState(begun(greeted).value)),
    ['synchronising', 'legacy', 'dialling'],
  )
  assert.deepEqual(
    [told(refused, native), told(refused, legacy), told(refused, null), told([], native)],
    ['synchronising', 'legacy', 'refused', 'synchronising'],
  )
  assert.deepEqual(
    [told(linked, native), told(linked, legacy), told(linked, native, moved), told(linked, null, moved)],
    ['linked', 'linked', 'synchronising', 'dialling'],
  )
})

test('changes that come together are read once, and those that come while that is read once more', () => {
  const changed = { type: 'inventory.changed' }
  const gathering = after(...linked, changed, changed)
  const [reading] = transition(peerLinkMachine, gathering, {
    type: 'xstate.after.gather.peer-link.session.linked.gathering',
  } as never)
  const [again] = transition(peerLinkMachine, reading, changed as never)
  const [behind] = transition(peerLinkMachine, again, done('readAgain') as never)
  const [settled] = transition(peerLinkMachine, reading, done('readAgain') as never)
  const values = [gathering, reading, again, behind, settled].map(({ value }) => value)

  assert.deepEqual(
    values,
    ['gathering', 'reading', 'reading', 'gathering', 'settled'].map((linked) => ({ session: { linked } })),
  )
})

test('a change during the first reading is read as soon as there is a link', () => {
  const [, , opened] = linked
  const snapshot = after(...linked.slice(0, 2), opened as Sample, { type: 'inventory.changed' }, done('readWhole'))

  assert.deepEqual(snapshot.value, { session: { linked: 'gathering' } })
})

test('a silent device is stale, and read anew when it is heard again', () => {
  const stale = after(...linked, { type: 'peer.silent' })
  const [heard] = transition(peerLinkMachine, stale, { type: 'peer.heard' } as never)

  assert.equal(peerLinkState(stale.value), 'stale')
  assert.equal(peerLinkState(heard.value), 'synchronising')
})

test('a link that was lost is looked for with pauses below 2 s, and so is a device that never was there', () => {
  const lost = after(...linked, over(unreachable))
  const never = after(failed('greet', unreachable))

  assert.equal(peerLinkState(lost.value), 'backing-off')
  assert.equal(peerLinkState(never.value), 'offline')
  for (const [snapshot, name] of [
    [lost, 'backing-off'],
    [never, 'offline'],
  ] as const) {
    const [next] = transition(peerLinkMachine, snapshot, { type: `xstate.after.pause.peer-link.${name}` } as never)
    assert.equal(peerLinkState(next.value), 'dialling')
  }
  for (let tries = 1; tries <= 150; tries++)
    for (const seed of [0, 0.3, 0.7, 0.999])
      for (const code of ['peer.unreachable', 'peer.too_slow'] as const) {
        const pause = pauseMs({ tries, seed, fault: { code, detail: '' } })
        assert.ok(pause > 100 && pause <= 2_000, `${tries}: ${pause}`)
      }
  const pauses = [0.1, 0.6].map((seed) => pauseMs({ tries: 1, seed, fault: unreachable }))
  assert.notEqual(pauses[0], pauses[1], 'two links do not dial in step')
})

test('who takes a call and makes no link of it is no device that is away, also where there was none before', () => {
  const called = (...connected: readonly Sample[]) => after(...connected, failed('greet', unreachable))
  const states = [
    called(),
    called({ type: 'peer.connected' }),
    after(...linked.slice(0, 2), over(unreachable)),
    after(...linked.slice(0, 3), failed('readWhole', unreachable)),
    after(...linked, over(unreachable)),
  ].map(({ value }) => value)

  assert.deepEqual(states, ['offline', 'backing-off', 'backing-off', 'backing-off', 'backing-off'])
})

test('who is away for minutes is offline, until it takes a call', () => {
  const away = Array.from({ length: AWAY - 1 }, () => [
    { type: 'xstate.after.pause.peer-link.backing-off' },
    failed('greet', unreachable),
  ])
  const lost = [...linked, over(unreachable)]
  const [shortly, gone] = [away.slice(1), away].map((calls) => after(...lost, ...calls.flat()))
  const [calling] = transition(
    peerLinkMachine,
    gone as never,
    {
      type: 'xstate.after.pause.peer-link.offline',
    } as never,
  )
  const [taken] = transition(peerLinkMachine, calling, { type: 'peer.connected' } as never)
  const [back] = transition(peerLinkMachine, taken, failed('greet', unreachable) as never)

  assert.deepEqual(
    [shortly, gone, back].map((snapshot) => snapshot?.value),
    ['backing-off', 'offline', 'backing-off'],
  )
})

test('who loses each link at once is called less and less often, and one whose link has held as soon as can be', () => {
  const tries = [{ type: 'xstate.after.pause.peer-link.backing-off' }, ...linked, over(unreachable)]
  const again = after(...linked, over(unreachable), ...tries, ...tries, ...tries)
  const held = after(
    ...[...linked, over(unreachable), ...tries, ...tries.slice(0, -1)],
    ...[{ type: 'xstate.after.lasting.peer-link.session.linked' }, over(unreachable)],
  )

  assert.deepEqual(
    [again.value, again.context.tries, held.value, held.context.tries],
    ['backing-off', 4, 'backing-off', 1],
  )
})

test('a device that floods its link is called again later each time, until a link has lasted', () => {
  const flooding = over({ code: 'peer.floods', detail: 'more than can be followed' })
  const call = { type: 'xstate.after.refusedPause.peer-link.refused' }
  const lasting = { type: 'xstate.after.lasting.peer-link.session.linked' }
  const floods = (count: number) => Array.from({ length: count }, () => [...linked, flooding, call]).flat()
  const pause = (...before: readonly Sample[]) => refusedPauseMs(after(...before, ...linked, flooding).context)

  assert.deepEqual(
    [0, 1, 2, 6, 7, 20].map((count) => pause(...floods(count))),
    [5_000, 10_000, 20_000, 320_000, 320_000, 320_000],
  )
  assert.equal(pause(...floods(3), ...linked, lasting), 5_000)
  assert.equal(refusedPauseMs(after(...floods(3), failed('greet', refuses)).context), 5_000)
})
