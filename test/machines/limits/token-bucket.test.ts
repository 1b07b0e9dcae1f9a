import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TokenBucket } from '../../../machines/limits/token-bucket.ts'

test('a bucket is used up and comes back; a clock that is set back gives nothing and takes nothing', () => {
  const bucket = new TokenBucket({ capacity: 3, perSecond: 2 })
  const taken = (nowMs: number, cost = 1) => bucket.take(cost, nowMs)

  assert.deepEqual([taken(0), taken(0, 3), taken(0, 2), taken(0)], [true, false, true, false])
  assert.deepEqual([taken(400), taken(500), taken(500)], [false, true, false])
  assert.deepEqual([taken(-60_000), taken(-59_500), taken(-59_500)], [false, true, false])
  assert.deepEqual([taken(1e9, 3), taken(1e9)], [true, false])
})

test('a few pass at once, and then one each second', () => {
  const bucket = new TokenBucket({ capacity: 4, perSecond: 1 })
  const passed: number[] = []
  for (let ms = 500_000; ms < 510_000; ms += 20) {
    if (bucket.waitMs(1, ms) > 0) continue
    bucket.takeAtMost(1, ms)
    passed.push(ms - 500_000)
  }

  assert.deepEqual(passed.slice(0, 4), [0, 20, 40, 60])
  assert.ok(passed.length >= 13 && passed.length <= 14, `${passed}`)
})

test('who has to wait is told for how long', () => {
  const bucket = new TokenBucket({ capacity: 4, perSecond: 1 })
  for (let n = 0; n < 4; n++) bucket.takeAtMost(1, 9_000)

  const waitMs = bucket.waitMs(1, 9_250)

  assert.equal(waitMs, 750)
  assert.equal(bucket.waitMs(1, 9_250 + waitMs), 0)
})
