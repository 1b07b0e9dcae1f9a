// Pairing: who may go on when, what ends it, and that nobody is entered whom two people have not seen.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as Effect from 'effect/Effect'
import { type AnyMachineSnapshot, createActor, initialTransition, transition } from 'xstate'
import { fromEffect } from '../../../actors/run.ts'
import type { Fault } from '../../../machines/errors/fault.ts'
import { type Called, pairingMachine, pairingState } from '../../../machines/pairing/pairing-machine.ts'
import { findPresent } from '../../../machines/supervision/child.ts'
import { simulatedClock, untilState } from '../../support/clock/clock.ts'
import { repliesIn, type Sample, type Step, walk } from '../../support/walk.ts'

const OTHER = { fingerprint: 'ab'.repeat(32), device_id: '0d0c2a5e-9c1b-4a52-8c0f-3f2b7c1d9e10', name: 'Back' }
const STRANGER = 'cd'.repeat(32)
const RUN = { pairing_id: '3c'.repeat(16), other: OTHER, nonce: '5a'.repeat(32), commitment: 'c0'.repeat(32) }
const CALLEE = { base_url: 'https://10.12.34.11:5801', name: null }
const [CODE, WRONG] = ['271828', '314159']
const TRUST_ID = 'certificate-abababababababab'
const DISTURBED: Fault = { code: 'pairing.disturbed', detail: 'it did not keep its promise' }
const UNREACHABLE: Fault = { code: 'peer.unreachable', detail: 'nothing answers' }

const open = { type: 'pairing.open', ask: 1, atMs: 5 }
const begin = { type: 'pairing.begin', ask: 1, callee: CALLEE }
const close = { type: 'pairing.close', ask: 1 }
const confirm = (code: string) => ({ type: 'pairing.confirm', ask: 1, code })
const calls = { type: 'other.calls', ask: 2, run: RUN }
const ofRun = { ask: 2, pairing_id: RUN.pairing_id, fingerprint: OTHER.fingerprint }
const reveals = { type: 'other.reveals', ...ofRun, nonce: RUN.nonce, atMs: 9 }
const asks = (confirmed: boolean) => ({ type: 'other.asks', ...ofRun, confirmed })
const ends = { type: 'other.ends', ...ofRun }
const byPromise = { fingerprint: OTHER.fingerprint, commitment: RUN.commitment }
const withdraws = { type: 'other.withdraws', ask: 2, ...byPromise }
const begun = { type: 'call.begun', ...byPromise }
const told = (state: string) => ({ type: 'other.told', state })
const done = (id: string, output?: unknown): Sample => ({ type: `xstate.done.actor.${id}`, output })
const failed = (id: string, error: Fault): Sample => ({ type: `xstate.error.actor.${id}`, error })
const wasCalled = done('callOther', { run: { ...RUN, commitment: null }, code: CODE, atMs: 9 })
const isKept = done('checkReveal', CODE)
const isStored = done('storeTrust', { trust_id: TRUST_ID, peer_id: null })

/** The events that bring either side to the comparison. */
const called = [open, calls, reveals, isKept] as const
const calling = [begin, wasCalled] as const

const after = (...events: readonly Sample[]) => {
  let [snapshot] = initialTransition(pairingMachine)
  const actions: Step['actions'][number][] = []
  for (const event of events) {
    const [next, executed] = transition(pairingMachine, snapshot, event as never)
    snapshot = next
    actions.push(...executed)
  }
  return {
    snapshot,
    actions,
    replies: repliesIn(actions),
    state: pairingState(snapshot.value),
    context: snapshot.context,
  }
}
const isAsked = ({ type }: Sample): boolean => /^(pairing|other)\./.test(type) && type !== 'other.told'

test('on all its paths pairing has a code only while people compare, and enters nobody unconfirmed', () => {
  const confirmed = new WeakMap<AnyMachineSnapshot, boolean>()

  const { configurations } = walk(pairingMachine, {
    samples: [
      ...[open, begin, close, confirm(CODE), confirm(WRONG), calls, reveals, asks(false), asks(true), ends],
      ...[withdraws, begun],
      { ...asks(true), fingerprint: STRANGER },
      { ...reveals, fingerprint: STRANGER },
      { ...withdraws, fingerprint: STRANGER },
      ...['comparing', 'confirmed', 'done', 'failed'].map(told),
      ...[wasCalled, isKept, isStored, failed('callOther', UNREACHABLE), failed('checkReveal', DISTURBED)],
      ...['storeTrust', 'followComparing', 'followConfirmed'].map((id) => failed(id, UNREACHABLE)),
      ...['leaveClosed', 'leaveInviting', 'leaveCalling', 'leaveUnpaired'].map((id) => done(id)),
    ],
    check: ({ before, event, snapshot, actions }) => {
      const state = pairingState(snapshot.value)
      const { code, run, reason, paired, callee, calling: isCalled, runs } = snapshot.context
      const has = (id: string) => snapshot.children[id] !== undefined
      const wasConfirmed = (before && confirmed.get(before)) ?? false
      const isConfirmed =
        event.type === 'pairing.confirm' && event.code === CODE && pairingState(before?.value) === 'comparing'
      confirmed.set(snapshot, state === 'confirmed' && (wasConfirmed || isConfirmed))
      assert.equal(code !== null, ['comparing', 'confirmed', 'storing'].includes(state), state)
      assert.equal(reason !== null, state === 'failed', state)
      assert.equal(paired !== null, state === 'done', state)
      if (['comparing', 'confirmed', 'storing', 'done'].includes(state)) assert.ok(run)
      assert.equal(has('followComparing'), state === 'comparing')
      assert.equal(has('followConfirmed'), state === 'confirmed')
      assert.equal(has('storeTrust'), state === 'storing')
      assert.equal(has('callOther'), state === 'calling')
      if (isCalled) assert.equal(state, 'calling')
      assert.ok(runs <= 3)
      if (state === 'storing' && pairingState(before?.value) !== 'storing') {
        assert.ok(wasConfirmed || isConfirmed, `entered without a confirmation here, on ${event.type}`)
        if (callee) assert.deepEqual(event, told('done'))
        else assert.ok(snapshot.context.otherConfirmed)
      }
      const answered = repliesIn(actions).length
      if (isAsked(event) && !has('checkReveal')) assert.equal(answered, 1, `${event.type} in ${state}`)
      assert.ok(answered <= 1)
    },
  })

  assert.ok(configurations > 30)
})

test('the device that waits is called, sees the promise kept, and trusts when both have confirmed', () => {
  const states = [...called, asks(false), confirm(CODE), asks(true), isStored].map(
    (_, n, all) => after(...all.slice(0, n + 1)).state,
  )

  assert.deepEqual(states, ['open', 'waiting', 'waiting', 'comparing', 'comparing', 'confirmed', 'storing', 'done'])
})

test('the device that calls trusts when the other one has', () => {
  const states = [...calling, told('comparing'), confirm(CODE), told('confirmed'), told('done'), isStored].map(
    (_, n, all) => after(...all.slice(0, n + 1)).state,
  )

  assert.deepEqual(states, ['calling', 'comparing', 'comparing', 'confirmed', 'confirmed', 'storing', 'done'])
})

test('a wrong code ends it on either side, and the right one afterwards is of no use', () => {
  for (const before of [called, calling]) {
    const { state, context, replies } = after(...before, confirm(WRONG), confirm(CODE))

    assert.equal(state, 'failed')
    assert.equal(context.reason?.code, 'pairing.wrong_code')
    assert.deepEqual(
      replies.slice(-2).map((reply) => reply.outcome === 'refused' && reply.fault.code),
      ['pairing.wrong_code', 'pairing.no_code'],
    )
  }
})

test('who has no part in a run is told the same, whatever there is', () => {
  const guesses: readonly Sample[] = [
    { ...asks(true), fingerprint: STRANGER },
    { ...asks(true), pairing_id: '00'.repeat(16) },
    { ...reveals, fingerprint: STRANGER },
    { ...ends, fingerprint: STRANGER },
    { ...withdraws, fingerprint: STRANGER },
    { ...withdraws, commitment: '00'.repeat(32) },
  ]
  const situations: readonly (readonly Sample[])[] = [
    [],
    [open],
    [open, calls],
    called,
    [...called, confirm(CODE)],
    [...called, confirm(WRONG)],
  ]

  for (const situation of situations)
    for (const guess of guesses) {
      const before = after(...situation)
      const { replies, context, state } = after(...situation, guess)
      const [last] = replies.slice(-1)
      assert.equal(last?.outcome === 'refused' && last.fault.code, 'pairing.no_run')
      assert.deepEqual([state, context], [before.state, before.context])
    }
  for (const situation of situations.filter((each) => each.length !== 1)) {
    const [last] = after(...situation, calls).replies.slice(-1)
    assert.equal(last?.outcome === 'refused' && last.fault.code, 'pairing.not_open')
  }
})

test('a right run id with a wrong certificate is recorded in the error history, a guessed run id is not', () => {
  const recordedBy = (...events: readonly Sample[]) =>
    after(...events).actions.flatMap(({ type, params }) => (type === 'record' ? [(params as Fault).code] : []))
  const known = [asks(true), reveals, ends, withdraws].map((each) => ({ ...each, fingerprint: STRANGER }))
  const guessed = [{ ...known[0], pairing_id: '00'.repeat(16) } as Sample, { ...known[3], commitment: '00' } as Sample]

  for (const before of [[open, calls], called, [...called, confirm(CODE)]]) {
    for (const each of known) assert.deepEqual(recordedBy(...before, each), ['pairing.wrong_certificate'], each.type)
    for (const each of [...guessed, asks(false), ends]) assert.deepEqual(recordedBy(...before, each), [], each.type)
  }
  assert.deepEqual(
    known.flatMap((each) => recordedBy(each)),
    [],
  )
})

test('a promise that is not kept is recorded; after three of them pairing is closed', () => {
  const broken = [calls, reveals, failed('checkReveal', DISTURBED)]

  assert.deepEqual(
    [1, 2, 3].map((times) => after(open, ...Array.from({ length: times }, () => broken).flat()).state),
    ['open', 'open', 'failed'],
  )
  assert.equal(after(open, ...broken, ...broken, ...broken).context.reason?.code, 'pairing.disturbed')
  assert.equal(after(open, ...broken, ...broken, ...broken, open).context.runs, 0)
})

test('what is being stored is not interrupted', () => {
  for (const event of [open, begin, close]) {
    const { state, replies } = after(...called, confirm(CODE), asks(true), event)
    const [last] = replies.slice(-1)

    assert.equal(state, 'storing')
    assert.equal(last?.outcome === 'refused' && last.fault.code, 'actor.not_now')
  }
})

/** Either side with a code, and the test's time. Nobody confirms, nobody asks. */
const comparing = async (...[first, ...others]: readonly Sample[]) => {
  const clock = simulatedClock()
  const actor = createActor(
    pairingMachine.provide({
      actors: {
        callOther: fromEffect(() => Effect.succeed<Called>({ run: RUN, code: CODE, atMs: 0 })),
        checkReveal: fromEffect(() => Effect.succeed(CODE)),
        followOther: fromEffect(() => Effect.never),
      },
    }),
    { clock },
  ).start()
  for (const event of [first, ...others]) actor.send(event as never)
  await untilState(actor, ({ value }) => pairingState(value) === 'comparing')
  const end = () => [pairingState(actor.getSnapshot().value), actor.getSnapshot().context.reason?.code ?? null]
  return { actor, clock, end }
}

test('a device that waits is closed again after two minutes, also when strangers call meanwhile', () => {
  const clock = simulatedClock()
  const actor = createActor(pairingMachine, { clock }).start()
  actor.send({ type: 'pairing.open', ask: 1, atMs: 0 })

  clock.increment(100_000)
  actor.send(calls as never)
  assert.equal(pairingState(actor.getSnapshot().value), 'waiting')
  clock.increment(10_000)
  assert.equal(pairingState(actor.getSnapshot().value), 'open', 'the promise was not shown in time')
  clock.increment(10_000)

  assert.equal(pairingState(actor.getSnapshot().value), 'failed')
  assert.equal(actor.getSnapshot().context.reason?.code, 'pairing.timed_out')
})

test('either side gives up when nothing is heard of the other for ten seconds', async () => {
  for (const [events, word] of [
    [[open, calls, reveals], asks(false)],
    [[begin], told('comparing')],
  ] as const) {
    const { actor, clock, end } = await comparing(...events)

    clock.increment(9_000)
    actor.send(word as never)
    clock.increment(9_000)
    assert.deepEqual(end(), ['comparing', null])
    clock.increment(1_000)

    assert.deepEqual(end(), ['failed', 'pairing.lost'])
  }
})

test('people have two minutes to compare, however much the devices talk', async () => {
  const { actor, clock, end } = await comparing(begin)

  for (let n = 0; n < 23; n += 1) {
    clock.increment(5_000)
    actor.send(told('comparing') as never)
  }
  assert.deepEqual(end(), ['comparing', null])
  clock.increment(5_000)

  assert.deepEqual(end(), ['failed', 'pairing.timed_out'])
})

test('a device whose run was ended says so to the other one', async () => {
  const { end, actor } = await comparing(begin)

  actor.send(told('failed') as never)

  assert.deepEqual(end(), ['failed', 'pairing.ended_there'])
})

test('a device that is called hears at once that the other one has ended the run', () => {
  for (const before of [called, [...called, confirm(CODE)]]) {
    const { state, context, replies } = after(...before, ends)

    assert.deepEqual([state, context.reason?.code], ['failed', 'pairing.ended_there'])
    assert.equal(replies.at(-1)?.outcome, 'done')
  }
})

test('a call that ends before there is a code is over at once and counts; the device waits for the next', () => {
  const { state, context, replies } = after(open, calls, withdraws)
  assert.deepEqual([state, context.run, context.runs], ['open', null, 1])
  assert.deepEqual(replies.at(-1), { type: 'reply', ask: 2, outcome: 'done', value: 'failed' })

  const third = after(open, calls, withdraws, calls, withdraws, calls, withdraws)
  assert.deepEqual([third.state, third.context.reason?.code], ['failed', 'pairing.ended_there'])
})

test('a caller that gives up before it has heard that there is a code ends the run at the device that has one', () => {
  for (const before of [called, [...called, confirm(CODE)]]) {
    const { state, context } = after(...before, withdraws)

    assert.deepEqual([state, context.reason?.code], ['failed', 'pairing.ended_there'])
  }
})

test('another run begun or pairing closed tells the callee of the run left behind, and nobody else', () => {
  const elsewhere = { ...begin, callee: { ...CALLEE, base_url: 'https://10.12.34.12:5801' } }
  const left = (...events: readonly Sample[]) => after(...events).context.left
  const { fingerprint } = OTHER
  const run = { callee: CALLEE, fingerprint, run: { pairing_id: RUN.pairing_id } }
  const call = { callee: CALLEE, fingerprint, run: { commitment: RUN.commitment } }
  const refused: Fault = { code: 'pairing.refused_there', detail: 'it does not wait' }

  for (const another of [elsewhere, open, close]) {
    for (const before of [calling, [...calling, confirm(CODE)]]) assert.deepEqual(left(...before, another), run)
    for (const before of [[], [begin], called, [...calling, told('failed')]])
      assert.equal(left(...before, another), null)
    assert.deepEqual(left(begin, begun, another), call)
    assert.deepEqual(left(begin, begun, failed('callOther', UNREACHABLE), another), call)
    assert.equal(left(begin, begun, failed('callOther', refused), another), null, 'it has no run')
  }
  assert.equal(left(...calling, confirm(WRONG), done('leaveUnpaired'), elsewhere), null)
  assert.equal(left(...calling, elsewhere, done('leaveCalling')), null)
  assert.deepEqual(left(...calling, elsewhere, failed('callOther', UNREACHABLE)), run)
})

test('a device that asks how far a run is hears what became of it', () => {
  const heard = [[...called], [...called, confirm(CODE)], [...called, confirm(CODE), asks(true), isStored]]

  const values = [...heard, [...called, confirm(WRONG)]].map((before) => after(...before, asks(true)).replies.at(-1))

  assert.deepEqual(
    values,
    ['comparing', 'confirmed', 'done', 'failed'].map((value) => ({ type: 'reply', ask: 2, outcome: 'done', value })),
  )
})

test('what came of it is shown for ten minutes', async () => {
  const { actor, clock, end } = await comparing(begin)
  actor.send(confirm(WRONG) as never)

  clock.increment(599_000)
  assert.deepEqual(end(), ['failed', 'pairing.wrong_code'])
  clock.increment(1_000)

  assert.deepEqual(end(), ['closed', null])
})

test('a pairing that came to nothing is no part of the service that has failed', () => {
  const { snapshot, state } = after(...calling, confirm(WRONG))
  const child = { id: 'pairing', state: 'running', since_ms: 0, restarts: 0, fault: null } as const

  const { state: shown, fault } = findPresent(child, snapshot)

  assert.deepEqual([state, shown, fault], ['failed', 'unpaired', null])
})
