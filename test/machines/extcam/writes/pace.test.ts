import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Allowance, Complaints } from '../../../../machines/extcam/writes/pace.ts'

test('what is wrong fifty times a second is said at once and every ten seconds, with how often it was', () => {
  const complaints = new Complaints()
  const said: [number, number][] = []
  for (let ms = 1_000; ms < 26_000; ms += 20) {
    const times = complaints.times('crop', ms)
    if (times !== undefined) said.push([ms, times])
  }

  assert.deepEqual(said, [
    [1_000, 1],
    [11_000, 500],
    [21_000, 500],
  ])
  assert.equal(complaints.times('pipeline', 25_000), 1, 'another key is said at once')
})

test('a few pass at once, and then one each second', () => {
  const allowance = new Allowance()
  const passed: number[] = []
  for (let ms = 500_000; ms < 510_000; ms += 20) {
    if (allowance.waitMs(ms) > 0) continue
    allowance.took(ms)
    passed.push(ms - 500_000)
  }

  assert.deepEqual(passed.slice(0, 4), [0, 20, 40, 60])
  assert.ok(passed.length >= 13 && passed.length <= 14, `${passed}`)
})

test('who has to wait is told for how long', () => {
  const allowance = new Allowance()
  for (let n = 0; n < 4; n++) allowance.took(9_000)

  const waitMs = allowance.waitMs(9_250)

  assert.equal(waitMs, 750)
  assert.equal(allowance.waitMs(9_250 + waitMs), 0)
})
