// H.264 and MJPEG within one budget: what they never do together.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { bytesPerSecondOf } from '../../../machines/bandwidth/budget.ts'
import type { Preview } from '../../../machines/bandwidth/ladder.ts'
import { rateOfAll, share } from '../../../machines/bandwidth/share.ts'
import { leftByVideo, noRoomForVideo, videoRateOf } from '../../../machines/bandwidth/video.ts'
import { oneLine } from '../../../machines/schema/one-line.ts'

const anyBudget = fc.double({ min: 0.1, max: 40, noNaN: true })

const anyPreviews: fc.Arbitrary<readonly Preview[]> = fc
  .array(
    fc.record({
      priority: fc.integer({ min: 1, max: 10 }),
      source_fps: fc.integer({ min: 1, max: 120 }),
      viewers: fc.array(fc.constantFrom(5, 30, Number.POSITIVE_INFINITY), { minLength: 1, maxLength: 3 }),
      sizes_bytes: fc
        .array(fc.integer({ min: 1_000, max: 300_000 }), { minLength: 1, maxLength: 9 })
        .map((sizes) => sizes.sort((one, other) => other - one) as [number, ...number[]]),
    }),
    { maxLength: 5 },
  )
  .map((previews) => previews.map((each, n) => ({ id: `p${n}`, ...each })))

/** How many are let in of those who come one after the other. */
const letIn = (coming: number, budget_mbit_s: number): number => {
  let viewers = 0
  for (let n = 0; n < coming; n += 1) if (noRoomForVideo(viewers, budget_mbit_s) === undefined) viewers += 1
  return viewers
}

test('all videos together stay within the budget, unless every MJPEG preview has its minimum', () => {
  fc.assert(
    fc.property(anyPreviews, anyBudget, fc.nat(20), (previews, budget_mbit_s, coming) => {
      const bytesPerS = bytesPerSecondOf(budget_mbit_s)
      const viewers = letIn(coming, budget_mbit_s)

      const { grants } = share(previews, leftByVideo(viewers, bytesPerS))

      assert.ok(videoRateOf(viewers) <= bytesPerS)
      if (videoRateOf(viewers) + rateOfAll(previews, grants) <= bytesPerS) return
      for (const { id, sizes_bytes } of previews)
        assert.deepEqual(grants.get(id), { fps: 1, size: sizes_bytes.length - 1 })
    }),
  )
})

test('somebody is turned away only when there is no room for what he may take', () => {
  assert.deepEqual(
    [1, 2, 3, 4.5, 10].map((budget_mbit_s) => letIn(20, budget_mbit_s)),
    [0, 0, 1, 2, 4],
  )
})

test('who is turned away hears why, and what to do', () => {
  assert.equal(
    noRoomForVideo(0, 1),
    oneLine`
      each viewer of H.264 over the network may take 2.15 Mbit/s, and 1 is the budget that the service was started with.
      Watch without codec=h264: such previews are made slower and smaller until they fit
    `,
  )
  assert.match(
    noRoomForVideo(1, 3) ?? '',
    /; one watches already\. Close one of these previews, or watch without codec=h264/,
  )
  assert.match(noRoomForVideo(2, 5) ?? '', /; 2 watch already/)
})
