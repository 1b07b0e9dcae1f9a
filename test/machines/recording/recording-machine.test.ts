// The recording of a stream as a machine: every order is answered once, and what was lost is told and gone on with.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AnyMachineSnapshot, initialTransition, transition } from 'xstate'
import type { Fault, Reply } from '../../../machines/errors/fault.ts'
import type { RecordedFile } from '../../../machines/recording/order.ts'
import { noProgress } from '../../../machines/recording/progress.ts'
import { recordingMachine } from '../../../machines/recording/recording-machine.ts'
import { type Sample, walk } from '../../support/walk.ts'

const full: Fault = { code: 'storage.full', detail: 'no room' }
const broken: Fault = { code: 'recording.failed', detail: 'no pictures' }
const otherSize: Fault = { code: 'recording.other_size', detail: 'larger now' }
const crashed: Fault = { code: 'engine.crashed', detail: 'SIGSEGV' }
const fileNamed = (name: string): RecordedFile => ({ name, since_ms: 7 })

const start: Sample = {
  type: 'recording.start',
  ask: 1,
  name: 'match',
  rewinds: true,
  endsAtOnce: false,
  library: null,
}
const clip: Sample = { ...start, endsAtOnce: true }
const stop: Sample = { type: 'recording.stop', ask: 2 }
const stopToo: Sample = { type: 'recording.stop', ask: 3 }
const begun = (name: string): Sample => ({ type: 'xstate.done.actor.begin', output: fileNamed(name) })
const begunAgain = (name: string): Sample => ({ type: 'xstate.done.actor.beginAgain', output: fileNamed(name) })
const finished: Sample = { type: 'xstate.done.actor.finish', output: null }
const brokenOff: Sample = { type: 'xstate.done.actor.finishShort', output: null }
const came: Sample = { type: 'pictures.came' }
const went: Sample = { type: 'pictures.went' }
const lost: Sample = { type: 'engine.gone', fault: crashed }
const endedBy = (fault: Fault): Sample => ({ type: 'recording.ended', fault, progress: null })

interface Context {
  readonly request: { readonly rewinds: boolean }
  readonly asks: readonly number[]
  readonly file: RecordedFile | null
  readonly earlier: readonly string[]
  readonly fault: Fault | null
}

test('on all paths each order is answered once, and nothing is recorded that nobody ordered', () => {
  const walked = walk(recordingMachine, {
    samples: [
      ...[
        start,
        clip,
        stop,
        stopToo,
        begun('a'),
        begunAgain('b'),
        finished,
        brokenOff,
        lost,
        endedBy(full),
        endedBy(otherSize),
      ],
      { type: 'clock.set', by_ms: 0 },
      ...[came, went],
      { type: 'recording.progressed', progress: { ...noProgress, pictures: 3 } },
      ...['begin', 'beginAgain'].flatMap((id) =>
        [full, broken].map((error) => ({ type: `xstate.error.actor.${id}`, error })),
      ),
      { type: 'xstate.done.actor.finish', output: broken },
      ...['finish', 'finishShort'].map((id) => ({ type: `xstate.error.actor.${id}`, error: full })),
    ],
    sameAs: ({ context }) => [
      ...[context.asks.length, context.file, context.earlier.length > 0, context.fault?.code, context.end],
      context.hasPictures,
    ],
    check: ({ before, event, snapshot, actions }) => {
      const replies = actions
        .filter(({ type }) => type === 'xstate.emit')
        .map(({ params }) => (params as { event: Reply }).event)
      const [waited = 0, waits = 0] = [before, snapshot].map(
        (each) => (each?.context as Context | undefined)?.asks.length ?? 0,
      )
      const isOrder = [start, clip, stop, stopToo].includes(event as Sample)
      // Who asks is answered now, or waits; who waited is answered when nobody waits any more.
      assert.equal(replies.length + waits, (isOrder ? 1 : 0) + waited)
      if (waits > 0) assert.ok(['starting', 'stopping', 'breaking-off', 'continuing'].includes(`${snapshot.value}`))
      if (snapshot.matches('idle')) assert.equal((snapshot.context as Context).file, null)
      if (snapshot.matches('recording')) assert.ok((snapshot.context as Context).file)
      if (snapshot.matches('failed')) assert.ok((snapshot.context as Context).fault)
      assert.equal(snapshot.status, 'active')
    },
  })

  assert.deepEqual([...walked.reached].sort(), [
    ...['breaking-off', 'continuing', 'failed', 'idle', 'recording', 'starting', 'stopping', 'waiting'],
  ])
})

/** The state and the context after these events, one after the other, and what was answered. */
const after = (...events: readonly Sample[]) => {
  let [snapshot] = initialTransition(recordingMachine) as [AnyMachineSnapshot, unknown]
  const replies: Reply[] = []
  for (const event of events) {
    const [next, actions] = transition(recordingMachine, snapshot as never, event as never)
    snapshot = next as AnyMachineSnapshot
    for (const { type, params } of actions as readonly { type: string; params?: unknown }[])
      if (type === 'xstate.emit') replies.push((params as { event: Reply }).event)
  }
  return { state: snapshot.value, replies, ...(snapshot.context as Context) }
}

test('a recording is begun, and ended, for whoever ordered it', () => {
  const { state, replies, file } = after(start, begun('match-1.mp4'), stop, finished)

  assert.deepEqual([state, file], ['idle', null])
  assert.deepEqual(
    replies.map(({ ask, outcome }) => [ask, outcome]),
    [
      [1, 'done'],
      [2, 'done'],
    ],
  )
  assert.deepEqual((replies[0] as { value?: unknown }).value, { id: 'match-1.mp4' })
})

test('a recording of what was kept ends by itself, and is answered when it is whole', () => {
  const writes = after(clip, begun('goal.mp4'))
  const whole = after(clip, begun('goal.mp4'), finished)
  const short = after(clip, lost, begun('goal.mp4'), { ...finished, output: broken })

  assert.deepEqual([writes.state, writes.replies], ['stopping', []])
  assert.deepEqual([whole.state, whole.file], ['idle', null])
  assert.deepEqual(whole.replies, [{ type: 'reply', ask: 1, outcome: 'done', value: { id: 'goal.mp4' } }])
  assert.deepEqual([short.state, short.replies[0]?.outcome], ['idle', 'failed'])
})

test('an engine that is lost costs a file its end, and the recording goes on in another', () => {
  const lostOnce = after(start, begun('a.mp4'), lost)
  const goesOn = after(start, begun('a.mp4'), lost, brokenOff, came, begunAgain('b.mp4'))

  assert.deepEqual([lostOnce.state, lostOnce.fault], ['breaking-off', crashed])
  assert.deepEqual([goesOn.state, goesOn.file?.name, goesOn.earlier], ['recording', 'b.mp4', ['a.mp4']])
  assert.equal(goesOn.fault, null)
  assert.deepEqual(
    [lostOnce.request.rewinds, goesOn.request.rewinds],
    [true, false],
    'what was kept stands in the first file',
  )
  assert.equal(goesOn.replies.length, 1)
})

test('a file that ended before it was known to have begun is ended as any other', () => {
  const ended = after(start, endedBy(full), begun('a.mp4'))
  const next = after(start, begun('a.mp4'), lost, brokenOff, came, lost, begunAgain('b.mp4'))

  assert.deepEqual([ended.state, ended.fault, ended.replies[0]?.outcome], ['breaking-off', full, 'done'])
  assert.deepEqual([next.state, next.fault, next.file?.name], ['breaking-off', crashed, 'b.mp4'])
  assert.equal(
    after(start, endedBy(full), { type: 'xstate.error.actor.begin', error: broken }, start, begun('a.mp4')).state,
    'recording',
  )
})

test('pictures of another size go into another file at once, a full disk ends the recording', () => {
  assert.equal(after(start, begun('a.mp4'), endedBy(otherSize), brokenOff).state, 'continuing')
  const ended = after(start, begun('a.mp4'), endedBy(full), brokenOff)

  assert.deepEqual([ended.state, ended.fault, ended.earlier], ['failed', full, ['a.mp4']])
  assert.equal(after(start, begun('a.mp4'), endedBy(full), brokenOff, stop).state, 'idle')
})

test('whoever begins a second one is refused, and told what is being recorded', () => {
  const { replies, state } = after(start, begun('a.mp4'), { ...start, ask: 3 })

  const [, refusal] = replies
  assert.equal(state, 'recording')
  assert.ok(refusal?.outcome === 'refused' && refusal.ask === 3)
  assert.match(refusal.fault.detail, /already, as a\.mp4/)
})

test('whoever stops it while it is being stopped waits for the same end, and is answered with it', () => {
  const answers = (...events: readonly Sample[]) =>
    after(start, begun('a.mp4'), ...events).replies.map(({ ask, outcome }) => `${ask} ${outcome}`)
  const failed: Sample = { type: 'xstate.done.actor.finish', output: broken }

  assert.deepEqual(answers(stop, stopToo), ['1 done'])
  assert.deepEqual(answers(stop, stopToo, finished), ['1 done', '2 done', '3 done'])
  assert.deepEqual(answers(stop, stopToo, failed), ['1 done', '2 failed', '3 failed'])
  assert.deepEqual(answers(lost, stop, stopToo, brokenOff), ['1 done', '2 failed', '3 failed'])
  assert.deepEqual(answers(lost, brokenOff, came, stop, stopToo, begunAgain('b.mp4'), finished), [
    '1 done',
    '2 done',
    '3 done',
  ])
})

test('why it was broken off stays shown while there are no pictures to go on with', () => {
  const failsAgain: Sample = { type: 'xstate.error.actor.beginAgain', error: broken }
  const waits = after(start, begun('a.mp4'), lost, brokenOff, came, went, failsAgain)
  const cannot = after(start, begun('a.mp4'), lost, brokenOff, came, failsAgain)

  assert.deepEqual([waits.state, waits.fault], ['waiting', crashed])
  assert.deepEqual([cannot.state, cannot.fault], ['waiting', broken], 'there are pictures, and something else is wrong')
})

test('whoever stops a recording that waits for pictures is done at once', () => {
  const { state, replies } = after(start, begun('a.mp4'), lost, brokenOff, stop)

  assert.deepEqual([state, replies.at(-1)?.outcome], ['idle', 'done'])
})
