// One timer for all who are asked whether they are there.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Heartbeat } from '../../../actors/peers/heartbeat.ts'

test('all are called at the same moments, whenever they came, until they leave', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const heartbeat = new Heartbeat(5_000)
  const called: string[] = []

  const leave = heartbeat.add(() => called.push('first'))
  t.mock.timers.tick(3_000)
  heartbeat.add(() => called.push('second'))
  t.mock.timers.tick(2_000)
  assert.deepEqual(called, ['first', 'second'])

  leave()
  t.mock.timers.tick(5_000)
  assert.deepEqual(called, ['first', 'second', 'second'])
})

test('there is no timer while there is nobody, and whoever comes then waits for a whole period at most', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const heartbeat = new Heartbeat(5_000)
  const called: string[] = []
  heartbeat.add(() => called.push('first'))()
  t.mock.timers.tick(4_000)

  const leave = heartbeat.add(() => called.push('second'))
  t.mock.timers.tick(1_000)
  assert.deepEqual(called, [])
  t.mock.timers.tick(4_000)
  assert.deepEqual(called, ['second'])

  leave()
  t.mock.timers.tick(10_000)
  assert.deepEqual(called, ['second'])
})
