// A heading that is said over HTTP.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HttpHeading } from '../../../actors/extcam/http-heading.ts'
import { HandClock } from '../../support/clock/hand-clock.ts'
import { streamRuntime } from '../../support/engine/stream-runtime.ts'

test('what is said over HTTP holds until two seconds after it was said last, and leaves nothing behind', () => {
  const clock = new HandClock()
  const stream = streamRuntime({ id: 'front', source: { backend: 'images', path: '/pictures' } })
  const heading = new HttpHeading(stream.robot, clock.monotonicUs, clock.later)
  const now = () => [
    stream.robot.isHeadingByHttp,
    stream.robot.heading.value?.yaw_deg,
    stream.robot.heading.value?.yaw_rate_dps,
  ]

  heading.say(90, 12)
  const said = now()
  clock.advance(1_900)
  const held = now()
  heading.say(91, 0)
  clock.advance(1_900)
  const again = now()
  clock.advance(200)

  assert.deepEqual(
    [said, held, again],
    [
      [true, 90, 12],
      [true, 90, 0],
      [true, 91, 0],
    ],
  )
  assert.deepEqual([now(), clock.timers], [[false, undefined, undefined], 0])
})
