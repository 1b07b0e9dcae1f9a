import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LogThrottle } from '../../../machines/limits/log-throttle.ts'

test('what is wrong fifty times a second is said at once and every ten seconds, with how often it was', () => {
  const throttle = new LogThrottle()
  const said: [number, number][] = []
  for (let ms = 1_000; ms < 26_000; ms += 20) {
    const times = throttle.times('crop', ms)
    if (times !== undefined) said.push([ms, times])
  }

  assert.deepEqual(said, [
    [1_000, 1],
    [11_000, 500],
    [21_000, 500],
  ])
  assert.equal(throttle.times('pipeline', 25_000), 1, 'another key is said at once')
})
