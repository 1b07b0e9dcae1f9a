// How a restart ended, by what the next run finds; and what has to be waited for.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { waitsFor } from '../../../machines/restart/device-use.ts'
import { endOfRestart, isRestartNote, type RestartNote } from '../../../machines/restart/restart-order.ts'

const note = (target: RestartNote['target']): RestartNote => ({ target, boot_id: 'one', ordered_us: 1e6 })
const same = { bootId: 'one', nowUs: 3.5e6 }
const other = { bootId: 'two', nowUs: 1e6 }

test('the next run says whether the service or the whole device has started again', () => {
  assert.deepEqual(endOfRestart('service', note('service'), same), {
    target: 'service',
    took_ms: 2500,
    detail: 'The service has started again.',
  })
  const whole = endOfRestart('service', note('service'), other)
  assert.match(whole.detail, /and the whole device with it/)
  assert.equal(endOfRestart('device', note('device'), other).detail, 'The device has started again.')
  assert.match(endOfRestart('device', note('device'), same).detail, /^only the service has started again/)
  assert.match(endOfRestart('device', note('device'), { ...other, bootId: null }).detail, /^only the service/)
})

test('one that was not ordered yet when the service ended is told as that', () => {
  for (const left of [null, note('device')]) {
    const end = endOfRestart('service', left, same)
    assert.equal('code' in end && end.code, 'job.interrupted')
  }
  assert.match(endOfRestart('stream', null, same).detail, /^The whole service was started again/)
})

test('what is no note is none', () => {
  assert.ok(isRestartNote(note('device')))
  for (const kept of [null, 7, [], {}, { ...note('device'), target: 'moon' }]) assert.ok(!isRestartNote(kept))
})

test('a robot that is enabled is waited for whenever it is ordered, other things only when there is time', () => {
  const use = { robotEnabled: true, busyWith: ['front is being recorded'] }

  assert.deepEqual(waitsFor(use, 'now'), ['the robot is enabled'])
  assert.deepEqual(waitsFor(use, 'idle'), ['the robot is enabled', 'front is being recorded'])
  assert.deepEqual(waitsFor({ robotEnabled: false, busyWith: use.busyWith }, 'now'), [])
})
