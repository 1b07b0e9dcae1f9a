import assert from 'node:assert/strict'
import { test } from 'node:test'
import { imuChecker } from '../../../machines/media/side-car-lines.ts'
import { ImuTrack } from '../../../machines/recording/imu-track.ts'
import { batchOf, turning } from '../../support/imu/batches.ts'

const turns = turning(90)

const recordsIn = (lines: string) =>
  lines
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { pts_us: number; gyro_rad_s: number[]; accel_m_s2: number[] })

test('the lines of a track are what may be put beside an item, on the time base of the file', () => {
  const track = new ImuTrack()
  for (let n = 0; n < 40; n++) track.add(batchOf({ fromUs: 1_000_000 + n * 100_000, stepUs: 1_000, count: 100 }, turns))

  const { lines, lastUs, hasMore } = track.lines(Number.NEGATIVE_INFINITY, 4_000_000, 2_000_500)

  const checker = imuChecker()
  assert.equal(checker.take(lines) ?? checker.end(''), undefined)
  const records = recordsIn(lines)
  assert.deepEqual([records.length, records[0]?.pts_us, records.at(-1)?.pts_us], [2_000, 500, 1_999_500])
  assert.deepEqual([lastUs, hasMore], [4_000_000, false])
  assert.deepEqual(records[0]?.accel_m_s2, [0, 0, 9.80665])
  assert.deepEqual(records[0]?.gyro_rad_s, [0, 0, 1.5708])
})

test('a track gives its lines piece by piece, none of them twice', () => {
  const track = new ImuTrack()
  track.add(batchOf({ fromUs: 10_000, stepUs: 1_000, count: 3_000 }, turns))
  const pieces: string[] = []
  let afterUs = 0
  for (let more = true; more; ) {
    const piece = track.lines(afterUs, Number.POSITIVE_INFINITY, 0, 700)
    pieces.push(piece.lines)
    afterUs = piece.lastUs
    more = piece.hasMore
  }

  assert.equal(pieces.length, 5)
  assert.equal(pieces.join(''), track.lines(0, Number.POSITIVE_INFINITY, 0).lines)
})

test('a track forgets what nobody needs any more, and keeps no reading out of order', () => {
  const track = new ImuTrack()
  for (let n = 0; n < 100; n++) track.add(batchOf({ fromUs: n * 100_000, stepUs: 1_000, count: 100 }, turns))
  track.add(batchOf({ fromUs: 5_000_000, stepUs: 1_000, count: 10 }, turns))

  track.forgetBefore(8_000_000)

  const [first, ...rest] = recordsIn(track.lines(-1, Number.POSITIVE_INFINITY, 0).lines).map(({ pts_us }) => pts_us)
  assert.ok(first !== undefined && first > 6_900_000 && first <= 8_000_000, String(first))
  assert.ok(rest.every((us, n) => us > (n === 0 ? first : (rest[n - 1] as number))))
  assert.equal(rest.at(-1), 9_999_000)
})
