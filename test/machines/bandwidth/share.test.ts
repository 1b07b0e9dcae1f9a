// The sharing of the bandwidth as one pure function: what it never does, whoever watches what.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { EVERYTHING, type Grant, type Preview, rateOf } from '../../../machines/bandwidth/ladder.ts'
import { type Decision, rateOfAll, share } from '../../../machines/bandwidth/share.ts'

const MBIT = 125_000

/** A camera with 80 kB a picture, watched by one who wants all of it. */
const camera = (id: string, more: Partial<Preview> = {}): Preview => ({
  id,
  priority: 5,
  source_fps: 30,
  viewers: [Number.POSITIVE_INFINITY],
  sizes_bytes: [80_000, 45_000, 34_000, 26_000, 20_000, 15_000, 11_000],
  ...more,
})

const anyPreview = (id: string): fc.Arbitrary<Preview> =>
  fc.record({
    id: fc.constant(id),
    priority: fc.integer({ min: 1, max: 10 }),
    source_fps: fc.integer({ min: 1, max: 120 }),
    viewers: fc.array(fc.constantFrom(0.5, 5, 15, 30, Number.POSITIVE_INFINITY), { minLength: 1, maxLength: 4 }),
    sizes_bytes: fc
      .array(fc.integer({ min: 1_000, max: 300_000 }), { minLength: 1, maxLength: 9 })
      .map((sizes) => sizes.sort((one, other) => other - one) as [number, ...number[]]),
  })

const anyPreviews = fc
  .integer({ min: 1, max: 6 })
  .chain((count) => fc.tuple(...Array.from({ length: count }, (_, n) => anyPreview(`p${n}`))))

const anyBudget = fc.integer({ min: 10_000, max: 20_000_000 })

const grantOf = (grants: ReadonlyMap<string, Grant>, id: string): Grant => grants.get(id) ?? EVERYTHING

/** Whether one is at least as good as the other, in both. */
const isNoWorse = (one: Grant, other: Grant): boolean => one.fps >= other.fps && one.size <= other.size

const MIN_FPS = 1

const scaled = ([asked, ...smaller]: Preview['sizes_bytes'], factor: number): Preview['sizes_bytes'] => [
  asked * factor,
  ...smaller.map((bytes) => bytes * factor),
]

test('never is more shared than there is, unless everybody has the least there is', () => {
  fc.assert(
    fc.property(anyPreviews, anyBudget, (previews, budget) => {
      const { grants } = share(previews, budget)
      if (rateOfAll(previews, grants) <= budget) return
      for (const { id, sizes_bytes } of previews)
        assert.deepEqual(grantOf(grants, id), { fps: MIN_FPS, size: sizes_bytes.length - 1 })
    }),
  )
})

test('of two equal previews the higher priority never gets less, and the other nothing before it has all', () => {
  const two = anyPreview('a').map((first): readonly [Preview, Preview] => [first, { ...first, id: 'b' }])
  const priorities = fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 }))

  fc.assert(
    fc.property(two, priorities, anyBudget, anyPreviews, ([a, b], [low, more], budget, others) => {
      const high = Math.min(10, low + more)
      const { grants } = share([...others, { ...a, priority: low }, { ...b, priority: high }], budget)
      assert.ok(isNoWorse(grantOf(grants, 'b'), grantOf(grants, 'a')))
      const hasAll = rateOf(b, grantOf(grants, 'b')) === rateOf(b, EVERYTHING)
      if (low < high && !hasAll)
        assert.deepEqual(grantOf(grants, 'a'), { fps: MIN_FPS, size: a.sizes_bytes.length - 1 })
    }),
  )
})

test('more bandwidth makes nobody worse, whatever was decided before', () => {
  const anyBefore = fc.option(anyBudget, { nil: undefined })

  fc.assert(
    fc.property(anyPreviews, anyBudget, fc.nat(5_000_000), anyBefore, (previews, budget, more, then) => {
      const before = then === undefined ? undefined : share(previews, then).decision
      const [less, enough] = [share(previews, budget, before), share(previews, budget + more, before)]
      for (const { id } of previews) assert.ok(isNoWorse(grantOf(enough.grants, id), grantOf(less.grants, id)), id)
    }),
  )
})

test('pictures that differ by a few per cent change nothing', () => {
  const noise = fc.array(fc.double({ min: 0.96, max: 1.03, noNaN: true }), { minLength: 1, maxLength: 20 })

  fc.assert(
    fc.property(anyPreviews, anyBudget, noise, (previews, budget, factors) => {
      let { decision } = share(previews, budget)
      const first = decision
      for (const factor of factors) {
        const now = previews.map((each) => ({ ...each, sizes_bytes: scaled(each.sizes_bytes, factor) }))
        decision = share(now, budget, decision).decision
      }
      assert.deepEqual(decision, first)
    }),
  )
})

test('what was decided for others does not count', () => {
  const wide: Decision = share([camera('a')], 100 * MBIT).decision

  const { grants } = share([camera('a'), camera('b')], 4 * MBIT, wide)

  assert.ok(rateOfAll([camera('a'), camera('b')], grants) <= 4 * MBIT)
})

test('a preview becomes slower first, down to ten pictures a second, then smaller, then slower again', () => {
  const grantsAt = (mbit: number) => grantOf(share([camera('a')], mbit * MBIT).grants, 'a')

  assert.deepEqual(grantsAt(30), EVERYTHING)
  assert.deepEqual(grantsAt(12), { fps: 16, size: 0 })
  assert.deepEqual(grantsAt(7.5), { fps: 10, size: 0 })
  assert.deepEqual(grantsAt(4), { fps: 10, size: 2 })
  assert.deepEqual(grantsAt(0.5), { fps: 4, size: 6 })
})

test('those who asked for little keep it when it is less than what the others are made', () => {
  const [all, few] = [camera('all'), camera('few', { viewers: [5] })]

  const { grants } = share([all, few], 12 * MBIT)

  assert.equal(rateOf(few, grantOf(grants, 'few')), rateOf(few, EVERYTHING))
  assert.ok(rateOf(all, grantOf(grants, 'all')) < rateOf(all, EVERYTHING))
})

test('nobody watches: nothing is shared', () => {
  assert.equal(share([], 4 * MBIT).grants.size, 0)
})
