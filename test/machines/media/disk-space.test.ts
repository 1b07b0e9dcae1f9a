// How much may be stored: a reserve stays free, no kind pushes the others out, and only what is automatic makes room.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isFault } from '../../../machines/errors/fault.ts'
import { type Disk, freeSpace, MAX_ITEMS, reserveOf, type Stock } from '../../../machines/media/disk-space.ts'

const GB = 1_000_000_000
const disk: Disk = { total_bytes: 16 * GB, free_bytes: 8 * GB }
const stock: Stock = { items: 3, bytes: { picture: 1 * GB, recording: 2 * GB, model: 0 }, automatic: [] }
const old = (name: string, kind: 'picture' | 'recording', size_bytes: number) => ({ name, kind, size_bytes })

const refusal = (...[wanted, onDisk, of]: Parameters<typeof freeSpace>): string => {
  const found = freeSpace(wanted, onDisk, of)
  assert.ok(isFault(found))
  assert.equal(found.code, 'storage.full')
  return found.detail
}

test('what fits needs no deletion', () => {
  assert.deepEqual(freeSpace({ kind: 'picture', bytes: 1 * GB, items: 1 }, disk, stock), [])
})

test('the reserve is never used', () => {
  const nearlyFull = { ...disk, free_bytes: reserveOf(disk) + 1000 }

  assert.deepEqual(freeSpace({ kind: 'picture', bytes: 1000, items: 1 }, nearlyFull, stock), [])
  assert.match(refusal({ kind: 'picture', bytes: 1001, items: 1 }, nearlyFull, stock), /are left for media/)
  assert.ok(reserveOf({ total_bytes: 1_000_000, free_bytes: 0 }) <= 50_000)
})

test('no kind takes the room of another', () => {
  const most = { ...stock, bytes: { picture: 4 * GB, recording: 0, model: 0 } }

  assert.match(refusal({ kind: 'picture', bytes: 1, items: 1 }, disk, most), /pictures take/)
  assert.deepEqual(freeSpace({ kind: 'recording', bytes: 1, items: 1 }, disk, most), [])
  assert.deepEqual(freeSpace({ kind: 'model', bytes: 0.8 * GB, items: 1 }, disk, most), [])
  assert.match(refusal({ kind: 'model', bytes: 0.8 * GB + 1, items: 1 }, disk, most), /models take/)
})

test('what is automatic makes room, the oldest first, and no more of it than needed', () => {
  const nearlyFull = { ...disk, free_bytes: reserveOf(disk) + 10 }
  const automatic = [old('a', 'recording', 100), old('b', 'picture', 100), old('c', 'recording', 100)]

  assert.deepEqual(freeSpace({ kind: 'picture', bytes: 150, items: 1 }, nearlyFull, { ...stock, automatic }), [
    'a',
    'b',
  ])
  assert.match(refusal({ kind: 'picture', bytes: 400, items: 1 }, nearlyFull, { ...stock, automatic }), /are left/)
})

test('for the room of a kind only items of that kind go', () => {
  const automatic = [old('a', 'recording', 100), old('b', 'picture', 100)]
  const most = { ...stock, automatic, bytes: { picture: 4 * GB, recording: 0, model: 0 } }

  assert.deepEqual(freeSpace({ kind: 'picture', bytes: 50, items: 1 }, disk, most), ['b'])
})

test('there are never more items than the index can hold', () => {
  const full = { ...stock, items: MAX_ITEMS }

  assert.match(refusal({ kind: 'picture', bytes: 1, items: 1 }, disk, full), /20000 is all/)
  assert.deepEqual(
    freeSpace({ kind: 'picture', bytes: 1, items: 1 }, disk, { ...full, automatic: [old('a', 'recording', 1)] }),
    ['a'],
  )
  assert.deepEqual(freeSpace({ kind: 'picture', bytes: 1, items: 0 }, disk, full), [])
})

test('whatever is stored: either there is room afterwards, or nothing is deleted', () => {
  const bytes = fc.nat(1000)
  const automatic = fc.array(
    fc.record({ kind: fc.constantFrom('picture' as const, 'recording' as const), size_bytes: bytes }),
    { maxLength: 8 },
  )
  const any = fc.record({
    kind: fc.constantFrom('picture' as const, 'recording' as const),
    wanted: bytes,
    free: bytes,
    total: fc.integer({ min: 1000, max: 4000 }),
    other: bytes,
    automatic,
  })

  fc.assert(
    fc.property(any, ({ kind, wanted, free, total, other, automatic }) => {
      const named = automatic.map((each, n) => ({ ...each, name: `${n}` }))
      const sum = (of: string) =>
        named.filter((each) => each.kind === of).reduce((all, { size_bytes }) => all + size_bytes, other)
      const before = {
        items: named.length,
        bytes: { picture: sum('picture'), recording: sum('recording'), model: 0 },
        automatic: named,
      }
      const onDisk = { total_bytes: total, free_bytes: free }
      const found = freeSpace({ kind, bytes: wanted, items: 1 }, onDisk, before)
      if (isFault(found)) return
      const gone = named.filter(({ name }) => found.includes(name))
      const freed = gone.reduce((all, { size_bytes }) => all + size_bytes, 0)
      const freedOfKind = gone.filter((each) => each.kind === kind).reduce((all, { size_bytes }) => all + size_bytes, 0)
      assert.ok(free + freed - wanted >= reserveOf(onDisk))
      assert.ok(before.bytes[kind] - freedOfKind + wanted <= { picture: 0.25, recording: 0.7 }[kind] * total)
    }),
  )
})
