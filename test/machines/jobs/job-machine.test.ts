// One run of a job as a machine: its progress is shown now and then, its end once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AnyMachineSnapshot, initialTransition, transition } from 'xstate'
import { cancelled, type Ending, endingWith, progressOf } from '../../../machines/jobs/job.ts'
import { jobMachine } from '../../../machines/jobs/job-machine.ts'
import { type Sample, walk } from '../../support/walk.ts'

const percent = (value: number) => progressOf({ percent: value })
const reported = (value: number): Sample => ({ type: 'progress.reported', progress: percent(value) })
const worked = { type: 'xstate.done.actor.runWork', output: endingWith({ error_px: 0.2 }) }
const broken = { type: 'xstate.error.actor.runWork', error: new Error('a release that throws') }

test('on all paths a run ends once, says how, and says nothing afterwards', () => {
  const walked = walk(jobMachine, {
    samples: [reported(40), worked, broken],
    check: ({ before, snapshot, actions }) => {
      const ends = actions.filter(({ type }) => type === 'showEnd').map(({ params }) => params as Ending)
      assert.equal(ends.length, snapshot.status === 'done' ? 1 : 0)
      for (const { state, fault } of ends) assert.equal(state === 'failed', fault !== null)
      const shown = actions.filter(({ type }) => type === 'showProgress').length
      assert.ok(shown <= 1 && (shown === 0 || snapshot.matches({ running: 'showing' })))
      if (before?.matches({ running: 'quiet' }) && snapshot.matches({ running: 'showing' })) assert.equal(shown, 1)
    },
  })

  assert.deepEqual([...walked.reached].sort(), ['ended', 'running', 'running.quiet', 'running.showing'])
})

/** What is shown of a run that is told these things, one after the other. */
const shownOf = (...events: readonly Sample[]): readonly unknown[] => {
  let [snapshot] = initialTransition(jobMachine) as [AnyMachineSnapshot, unknown]
  return events.flatMap((event) => {
    const [next, actions] = transition(jobMachine, snapshot as never, event as never)
    snapshot = next
    return actions
      .filter(({ type }) => type === 'showProgress' || type === 'showEnd')
      .map(({ params }) => ('percent' in (params as object) ? (params as { percent: number }).percent : params))
  })
}
const halfSecond = { type: 'xstate.after.showEvery.job.running.showing' }

test('the first progress is shown at once, and of what follows the latest every half second', () => {
  assert.deepEqual(shownOf(reported(1), reported(2), reported(3)), [1])
  assert.deepEqual(shownOf(reported(1), reported(2), reported(3), halfSecond, reported(4), halfSecond), [1, 3, 4])
  assert.deepEqual(shownOf(reported(1), halfSecond, halfSecond, reported(2)), [1, 2])
})

test('the end carries the latest progress, shown or not', () => {
  const [first, end] = shownOf(reported(40), reported(100), worked)

  assert.equal(first, 40)
  assert.deepEqual(end, { state: 'done', result: { error_px: 0.2 }, fault: null, progress: percent(100) })
})

test('what cannot be progress is cut to size', () => {
  assert.deepEqual(progressOf({ percent: Number.NaN, stage: 'x'.repeat(100), message: 'y'.repeat(1000) }), {
    percent: null,
    stage: 'x'.repeat(64),
    message: 'y'.repeat(200),
  })
  assert.deepEqual([progressOf({ percent: -1 }).percent, progressOf({ percent: 101 }).percent], [0, 100])
})

test('a result that is longer than what is kept is a failure that says so, and one that is no JSON a throw', () => {
  const { state, fault, result } = endingWith('x'.repeat(65_536))

  assert.deepEqual([state, fault?.code, result], ['failed', 'job.result_too_long', null])
  assert.deepEqual([endingWith(undefined).result, endingWith('x'.repeat(65_534)).state], [null, 'done'])
  assert.throws(() => endingWith(10n), TypeError)
  assert.equal(cancelled.fault, null)
})
