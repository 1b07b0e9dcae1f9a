// A recording may be a file that somebody made up: whatever its numbers say, looking for its pictures costs no more
// than its bytes do.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { movieFragment, movieHead } from '../../../native/engine/fake/movie.ts'
import { NotMedia } from '../../../native/media/content/bytes.ts'
import { type Sample, samplesOf } from '../../../native/media/content/samples.ts'
import { box, bytesOf } from '../../support/media/media-files.ts'

const u32 = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [n, value] of values.entries()) bytes.writeUInt32BE(value, 4 * n)
  return bytes
}

/** What a fragment says of its pictures. */
interface Forged {
  /** Of its run. */
  readonly flags: number
  /** Of its run. */
  readonly count: number
  /** What follows them. */
  readonly numbers: readonly number[]
  /** The length of those that name none. */
  readonly usual: number
  readonly timesUs: readonly [from: number, each: number]
  /** Bytes behind it. */
  readonly held: number
}

const HEAD_HAS_DURATION_AND_SIZE = 0x18

const forgedFragment = ({ flags, count, numbers, usual, timesUs: [from, each], held }: Forged): Buffer =>
  Buffer.concat([
    box(
      'moof',
      box(
        'traf',
        box('tfhd', u32(HEAD_HAS_DURATION_AND_SIZE, 1, each, usual)),
        box('tfdt', u32(0, from)),
        box('trun', u32(flags, count, ...numbers)),
      ),
    ),
    box('mdat', Buffer.alloc(held)),
  ])

const HAS_OFFSET = 0x1
const MDAT_HEAD_BYTES = 8
const plain = { flags: HAS_OFFSET, timesUs: [0, 1] } as const
const moofBytes = forgedFragment({ ...plain, count: 0, numbers: [0], usual: 0, held: 0 }).length - MDAT_HEAD_BYTES

/**
 * A recording of one fragment whose pictures have one length and lie where they should: none has a number of its own.
 */
const ofOneLength = (count: number, usual: number, held: number): Buffer => {
  const numbers = [moofBytes + MDAT_HEAD_BYTES]
  return Buffer.concat([movieHead(16, 16), forgedFragment({ ...plain, count, numbers, usual, held })])
}

const MAX = 100_000 // samples, after which nobody waits for the rest

/** The pictures that are found, and why no more; reads: how often the file was asked. */
const found = async (file: Buffer, fromUs = 0) => {
  const samples: Sample[] = []
  let reads = 0
  const { size, at } = bytesOf(file)
  const counted = (offset: number, length: number) => {
    reads += 1
    return at(offset, length)
  }
  try {
    for await (const sample of samplesOf({ size, at: counted }, fromUs)) {
      samples.push(sample)
      if (samples.length > MAX) break
    }
  } catch (error) {
    assert.ok(error instanceof NotMedia, String(error))
    return { samples, reads, why: error.message }
  }
  return { samples, reads, why: '' }
}

test('a count that the fragment has no room for makes no pictures', async () => {
  for (const [count, usual, held] of [
    [0xffffffff, 0, 64],
    [0xffffffff, 1, 64],
    [10_001, 8, 100_000],
    [1_000, 0, 64],
    [1, 0xffffffff, 64],
  ] as const) {
    const { samples, why } = await found(ofOneLength(count, usual, held))
    assert.deepEqual(samples, [])
    assert.match(why, /more than 10000 pictures|pictures that are not in it/)
  }
})

test('pictures of one length, which their fragment names once, are found', async () => {
  const { samples, why } = await found(ofOneLength(8, 8, 64))

  assert.equal(why, '')
  assert.deepEqual(
    samples.map(({ pts_us, length }) => [pts_us, length]),
    [0, 1, 2, 3, 4, 5, 6, 7].map((n) => [n, 8]),
  )
})

test('of many fragments that name the same bytes only that counts which they follow', async () => {
  const FRAGMENTS = 50
  const moofs = Array.from({ length: FRAGMENTS }, (_, n) => {
    const numbers = [(FRAGMENTS - n) * moofBytes + MDAT_HEAD_BYTES]
    return forgedFragment({ ...plain, count: 1000, numbers, usual: 4, held: 0 }).subarray(0, moofBytes)
  })

  const { samples } = await found(Buffer.concat([movieHead(16, 16), ...moofs, box('mdat', Buffer.alloc(4000))]))

  assert.equal(samples.length, 1000)
})

const anyNumber = fc.oneof(
  fc.nat(200),
  fc.constantFrom(0xffffffff, 0x80000000, 0x7fffffff, 10_000, 65_536),
  fc.nat(0xffffffff),
)

const anyFragment: fc.Arbitrary<Buffer> = fc.oneof(
  fc
    .record({
      flags: fc.constantFrom(0, 0x1, 0x201, 0x301, 0x701, 0xf05, 0x4, 0x800),
      count: anyNumber,
      numbers: fc.array(anyNumber, { maxLength: 12 }),
      usual: anyNumber,
      timesUs: fc.tuple(anyNumber, anyNumber),
      held: fc.nat(300),
    })
    .map(forgedFragment),
  fc.tuple(fc.nat(100), fc.nat(200)).map(([n, bytes]) => movieFragment(n, n * 40_000, Buffer.alloc(bytes, n))),
)

test('no file has more pictures than its bytes can hold, nor one outside of it, nor two in one place', async () => {
  const anyFile = fc.record({
    fragments: fc.array(anyFragment, { maxLength: 8 }),
    flips: fc.array(fc.tuple(fc.nat(3000), fc.nat(255)), { maxLength: 5 }),
    cut: fc.option(fc.nat(3000), { nil: undefined }),
    fromUs: fc.constantFrom(0, 0, 100_000, 1e12),
  })

  await fc.assert(
    fc.asyncProperty(anyFile, async ({ fragments, flips, cut, fromUs }) => {
      const file = Buffer.concat([movieHead(16, 16), ...fragments]).subarray(0, cut)
      for (const [at, value] of flips) if (at < file.length) file[at] = value

      const { samples, reads } = await found(file, fromUs)

      assert.ok(samples.length <= file.length / 4, `${samples.length} pictures in ${file.length} bytes`)
      assert.ok(reads <= file.length, `${reads} reads of ${file.length} bytes`)
      let end = 0
      for (const { pts_us, offset, length } of samples) {
        assert.ok(pts_us >= fromUs && Number.isFinite(pts_us))
        assert.ok(offset >= end && offset + length <= file.length, `${offset} and ${length} of ${file.length}`)
        end = offset + length
      }
    }),
    { numRuns: 1000 },
  )
})
