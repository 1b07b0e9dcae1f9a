// What is known of media items, in a real file: found, put in order and counted as the same rows in memory are.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as Effect from 'effect/Effect'
import fc from 'fast-check'
import { type MediaItem, mediaExample } from '../../../machines/media/item.ts'
import { cursorOf, MEDIA_ORDERS, type MediaPlace, type MediaQuery, placeOf } from '../../../machines/media/query.ts'
import { FakeMediaRows } from '../../../native/documents/fake-media.ts'
import type { MediaRows } from '../../../native/documents/port.ts'
import { dataFolder, faultOf, tamper, using } from '../../support/processes/documents.ts'

const item = (change: Partial<MediaItem>): MediaItem => ({ ...mediaExample, ...change })

const anyItem = fc.record({
  name: fc.constantFrom(...'abcdefghij'.split('').map((letter) => `${letter}.jpg`)),
  kind: fc.constantFrom('picture' as const, 'recording' as const),
  stream_id: fc.constantFrom('front', 'rear', null),
  size_bytes: fc.nat(3),
  created_at_ms: fc.nat(5),
  automatic: fc.boolean(),
})

const anyStep = fc.oneof(
  { weight: 6, arbitrary: anyItem.map((change) => ({ type: 'put' as const, item: item(change) })) },
  { weight: 1, arbitrary: anyItem.map(({ name }) => ({ type: 'leave' as const, name })) },
  { weight: 1, arbitrary: anyItem.map(({ name }) => ({ type: 'drop' as const, name })) },
)

/** All pages of a list, one after the other, with cursors as a client hands them back. */
const pagesOf = (
  page: (query: MediaQuery) => { items: readonly MediaItem[]; next: MediaPlace | null },
  query: MediaQuery,
) => {
  const names: string[] = []
  let { after } = query
  for (let pages = 0; pages < 20; pages += 1) {
    const { items, next } = page({ ...query, ...(after && { after }) })
    names.push(...items.map(({ name }) => name))
    if (!next) return names
    after = placeOf(query.order, cursorOf(query.order, next))
    assert.deepEqual(after, next)
  }
  throw new Error('the list has no end')
}

test('whatever is stored, every list has what the same rows in memory have, in the same order', async (t) => {
  const check = (
    rows: MediaRows,
    steps: readonly (typeof anyStep extends fc.Arbitrary<infer Step> ? Step : never)[],
  ) => {
    const fake = new FakeMediaRows()
    const run = <Value>(effect: Effect.Effect<Value, unknown>): Value => Effect.runSync(effect as Effect.Effect<Value>)
    for (const step of steps) {
      if (step.type === 'put') {
        run(rows.put(step.item))
        fake.put(step.item)
      } else {
        run(rows[step.type](step.name))
        fake[step.type](step.name)
      }
    }
    for (const order of MEDIA_ORDERS)
      for (const which of [
        {},
        { kind: 'picture' as const },
        { stream_id: 'front' },
        { kind: 'recording' as const, stream_id: 'rear' },
        { created_from_ms: 2 },
        { created_from_ms: 1, created_before_ms: 4 },
        { kind: 'picture' as const, created_before_ms: 3 },
      ])
        for (const limit of [1, 3, 50])
          assert.deepEqual(
            pagesOf((query) => run(rows.page(query)), { order, limit, ...which }),
            pagesOf((query) => fake.page(query), { order, limit, ...which }),
          )
    assert.deepEqual(run(rows.sums), fake.sums())
    assert.deepEqual(run(rows.automatic), fake.automatic())
    assert.deepEqual(run(rows.load), fake.load())
    for (const { name } of fake.load()) run(rows.drop(name))
  }

  await using(dataFolder(t), ({ media }) =>
    Effect.sync(() =>
      fc.assert(
        fc.property(fc.array(anyStep, { maxLength: 14 }), (steps) => check(media, steps)),
        { numRuns: 25 },
      ),
    ),
  )
})

test('a row that is no item any more keeps no other from being listed, and is told apart', async (t) => {
  const dataDir = dataFolder(t)
  await using(dataDir, ({ media }) =>
    Effect.andThen(media.put(item({ name: 'a.jpg' })), media.put(item({ name: 'b.jpg' }))),
  )
  tamper(dataDir, (db) => db.exec(`UPDATE media SET item = '{' WHERE name = 'a.jpg'`))

  const { page, kept } = await using(dataDir, ({ media }) =>
    Effect.gen(function* () {
      return { page: yield* media.page({ order: 'name', limit: 9 }), kept: yield* media.load }
    }),
  )

  assert.deepEqual(
    page.items.map(({ name }) => name),
    ['b.jpg'],
  )
  assert.deepEqual(
    kept.map(({ name, isReadable }) => [name, isReadable]),
    [
      ['a.jpg', false],
      ['b.jpg', true],
    ],
  )
})

test('the request that changed or removed an item is stored with that, and nothing of a failed one', async (t) => {
  const dataDir = dataFolder(t)
  const mark = (key: string) => ({ key, fingerprint: 'f' })
  const [a, b, c] = ['a.jpg', 'b.jpg', 'c.jpg'].map((name) => item({ name, revision: 4 })) as [
    MediaItem,
    MediaItem,
    MediaItem,
  ]
  await using(dataDir, ({ media }) => Effect.all([a, b, c].map((each) => media.put(each))))

  await using(dataDir, ({ media }) =>
    Effect.gen(function* () {
      yield* media.change(a, mark('changed'))
      yield* media.leave('b.jpg', { mark: mark('left'), revision: 5 })
      yield* media.drop('c.jpg', { mark: mark('dropped'), revision: 5 })
      yield* media.change(item({ name: 'nobody.jpg' }), mark('of-nobody'))
    }),
  )
  const tooLong = item({ name: 'a.jpg', metadata: { note: 'x'.repeat(4_000_000) } })
  const fault = await using(dataDir, ({ media }) => faultOf(media.change(tooLong, mark('too-long'))), 1_000_000)

  const keys = ['changed', 'left', 'dropped', 'of-nobody', 'too-long']
  const kept = await using(dataDir, ({ findRequest }) => Effect.all(keys.map(findRequest)))
  assert.equal(fault.code, 'storage.full')
  assert.deepEqual(
    kept.map((each) => each?.written && [each.written.id, each.written.revision]),
    [['a.jpg', 4], ['b.jpg', 5], ['c.jpg', 5], undefined, undefined],
  )
})
