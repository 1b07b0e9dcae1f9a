// Whether the robot is enabled, by its own word.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { watchRobotMode } from '../../../actors/nt4/robot-mode.ts'
import { Latest } from '../../../machines/latest.ts'
import { CONTROL_WORD_TOPIC, isEnabled, ROBOT_WORD_HOLDS_MS } from '../../../machines/nt4/control-word.ts'
import { FakeNt4Session } from '../../../native/nt4/fake.ts'
import type { Nt4Session } from '../../../native/nt4/port.ts'
import { HandClock } from '../../support/clock/hand-clock.ts'

const watched = () => {
  const clock = new HandClock()
  const [link, enabled] = [new Latest<Nt4Session | undefined>(), new Latest<boolean>()]
  const stop = watchRobotMode({ link, enabled, later: clock.later })
  return { clock, link, enabled, stop }
}

test('only the lowest bit of the control word says that a robot is enabled, whatever number it comes as', () => {
  assert.deepEqual([0x33, 0x21, 1n, 1].map(isEnabled), [true, true, true, true])
  assert.deepEqual([0x32, 0, 2n, '1', true, [1], undefined].map(isEnabled), Array(7).fill(false))
})

test('a robot is followed on each link, and one that never says anything is not enabled', () => {
  const { link, enabled, stop } = watched()
  const session = new FakeNt4Session()

  link.set(session)
  const silent = enabled.value ?? false
  session.deliver(CONTROL_WORD_TOPIC, 'int', 0x31)
  const on = enabled.value
  session.deliver(CONTROL_WORD_TOPIC, 'int', 0x30)
  const off = enabled.value
  stop()
  session.deliver(CONTROL_WORD_TOPIC, 'int', 0x31)

  assert.deepEqual([silent, on, off, enabled.value], [false, true, false, false])
})

test('a robot that was enabled counts as that for three minutes after it is not heard any more', () => {
  const { clock, link, enabled, stop } = watched()
  const [session, next] = [new FakeNt4Session(), new FakeNt4Session()]
  link.set(session)
  session.deliver(CONTROL_WORD_TOPIC, 'int', 1)

  link.set(undefined)
  clock.advance(ROBOT_WORD_HOLDS_MS - 1)
  const held = enabled.value
  clock.advance(1)
  const over = enabled.value
  session.deliver(CONTROL_WORD_TOPIC, 'int', 1)
  link.set(next)
  next.deliver(CONTROL_WORD_TOPIC, 'int', 1)
  link.set(undefined)
  link.set(session)
  session.deliver(CONTROL_WORD_TOPIC, 'int', 0)
  stop()

  assert.deepEqual([held, over, enabled.value, clock.timers], [true, false, false, 0])
})
