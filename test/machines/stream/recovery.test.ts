// What is told of a camera that came back.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oneLine } from '../../../machines/schema/one-line.ts'
import { type Recovery, recoveryText, withStep } from '../../../machines/stream/recovery.ts'

const began: Recovery = { code: 'camera.lost', beganMs: 1000, steps: [] }

test('what was tried is told with its times, in its order', () => {
  const recovery = [
    { what: 'open', device: '/dev/video0', atMs: 1500 },
    { what: 'reset', why: 'it may not', atMs: 2600 },
    { what: 'open', device: null, atMs: 2700 },
    { what: 'power', why: null, atMs: 2900 },
    { what: 'open', device: '/dev/video4', atMs: 3100 },
  ].reduce((sum, step) => withStep(sum, step as Recovery['steps'][number]), began)

  assert.equal(
    recoveryText(recovery, 3300),
    oneLine`
      The camera gives pictures again, 2.30 s after camera.lost: opened /dev/video0 after 0.50 s, could not reset its
      USB device (it may not) after 1.60 s, looked for it after 1.70 s,
      switched its USB port off and on after 1.90 s, opened /dev/video4 after 2.10 s.
    `,
  )
})

test('of many steps the first and the newest are kept', () => {
  const steps = Array.from({ length: 50 }, (_, n) => ({ what: 'open', device: null, atMs: n }) as const)

  const { steps: kept } = steps.reduce(withStep, began)

  assert.deepEqual(
    kept.map(({ atMs }) => atMs),
    [0, 1, 2, 3, 46, 47, 48, 49],
  )
})
