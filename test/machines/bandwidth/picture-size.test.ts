// What is expected of the size of pictures that nobody has seen yet.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type KnownSize, sizesOf, smallerWidths, withSeen } from '../../../machines/bandwidth/picture-size.ts'

const full = { width_px: 1280, height_px: 800 }

test('a picture is made smaller in even widths, to a quarter at most, and stays large enough to see', () => {
  assert.deepEqual(smallerWidths(1280), [1076, 906, 762, 640, 538, 452, 380, 320])
  assert.deepEqual(smallerWidths(640), [538, 452, 380, 320])
  assert.deepEqual(smallerWidths(320), [])
})

test('what was seen counts, rises at once and falls slowly', () => {
  let known: KnownSize = {}
  for (const bytes of [60_000, 90_000, 50_000]) known = withSeen(known, { width_px: null, bytes }, 1280)

  const [asked] = sizesOf(known, full)

  assert.equal(asked, 82_000)
})

test("the size of a camera's own picture follows that of its small one, when only that is seen", () => {
  let known: KnownSize = withSeen({}, { width_px: null, bytes: 120_000 }, 1280)
  known = withSeen(known, { width_px: 640, bytes: 16_000 }, 1280)
  const [before] = sizesOf(known, full)
  known = withSeen(known, { width_px: 640, bytes: 24_000 }, 1280)
  const [after] = sizesOf(known, full)

  assert.equal(Math.round(before), 120_000)
  assert.equal(Math.round(after), 180_000)
})

test('a smaller picture is never expected to have more bytes', () => {
  const seen = fc.record({
    width_px: fc.constantFrom(null, 1076, 640, 320),
    bytes: fc.integer({ min: 500, max: 500_000 }),
  })

  fc.assert(
    fc.property(fc.array(seen, { maxLength: 12 }), (all) => {
      const known = all.reduce<KnownSize>((size, each) => withSeen(size, each, full.width_px), {})
      const sizes = sizesOf(known, full)
      assert.equal(sizes.length, smallerWidths(full.width_px).length + 1)
      for (const [n, bytes] of sizes.entries()) assert.ok(bytes > 0 && (n === 0 || bytes <= (sizes[n - 1] as number)))
    }),
  )
})
