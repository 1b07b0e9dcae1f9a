// What is thrown where nobody can answer for it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Fault } from '../../../machines/errors/fault.ts'
import { bugRecorder } from '../../../supervisors/supervision/bugs.ts'

const recorder = () => {
  let nowMs = 1_767_225_600_000
  const [faults, logged]: [Fault[], string[]] = [[], []]
  const recordBugs = bugRecorder({
    record: (fault) => faults.push(fault),
    log: (_level, message) => logged.push(message),
    nowMs: () => nowMs,
  })
  const advanceMs = (ms: number) => {
    nowMs += ms
  }
  return { faults, logged, recordBugs, advanceMs }
}

test('a bug is recorded with the resource it was about, and logged with its stack', () => {
  const { faults, logged, recordBugs } = recorder()

  recordBugs('streams/front')(new TypeError('no such thing'))

  assert.deepEqual(faults, [{ code: 'actor.crashed', detail: 'TypeError: no such thing', resource: 'streams/front' }])
  assert.match(logged[0] ?? '', /TypeError: no such thing\n +at /)
})

test('bugs with each frame are recorded once a second per resource, also when the clock is set back', () => {
  const { faults, recordBugs, advanceMs } = recorder()
  const [front, rear] = [recordBugs('streams/front'), recordBugs('streams/rear')]
  const bug = new Error('again')
  const framesFor = (seconds: number) => {
    for (let n = 0; n < 20 * seconds; n++) {
      front(bug)
      rear(bug)
      advanceMs(50)
    }
  }

  framesFor(3)
  assert.equal(faults.length, 6)

  advanceMs(-3_600_000)
  framesFor(1)
  assert.equal(faults.length, 8)
})
