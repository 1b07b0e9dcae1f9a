// The figures of a stream.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StreamMeter } from '../../../machines/stream/meter.ts'
import { packed } from '../../support/packed.ts'

/** A meter that has seen frames finish at these times, µs. */
const metered = (...finishedUs: number[]) => {
  const meter = new StreamMeter()
  finishedUs.forEach((finished_us, seq) => {
    const times = { captured_us: finished_us - 9_000, started_us: finished_us - 6_000, finished_us, cpu_us: 5_000 }
    meter.record(packed({ seq, skipped: 3, ...times }, []))
  })
  return meter
}

const PERIOD_US = 50_000
/** So many frames, the last at 10 s, at 20 fps. */
const steady = (frames: number) => Array.from({ length: frames }, (_, n) => 10_000_000 - (frames - 1 - n) * PERIOD_US)

test('the rate is that of the last two seconds', () => {
  const [slow, quick] = [[7_000_000, 7_500_000, 8_000_000], steady(40)]

  assert.equal(metered(...slow, ...quick).fps(10_000_000), 20)
})

test('a stream that stops falls to nothing within two seconds, and never shows a higher rate than before', () => {
  const meter = metered(...steady(60))
  const rates = Array.from({ length: 25 }, (_, n) => meter.fps(10_000_000 + n * 100_000))

  assert.equal(rates[0], 20)
  assert.ok(rates[1] === 20, 'two frame times are no stop yet')
  for (const [n, rate] of rates.slice(2).entries()) assert.ok(rate < (rates[n + 1] as number) || rate === 0, `${rates}`)
  assert.ok((rates[10] as number) < 11, `half of it after a second, not ${rates[10]}`)
  assert.deepEqual(rates.slice(20), [0, 0, 0, 0, 0])
})

test('there is no rate without frames, of one frame, or of frames that finished in one moment', () => {
  assert.equal(metered().fps(10_000_000), 0)
  assert.equal(metered(10_000_000).fps(10_000_000), 0)
  assert.equal(metered(10_000_000, 10_000_000).fps(10_000_000), 0)
})

test('figures are of the last two hundred frames, and count all', () => {
  const figures = metered(...steady(250)).figures(10_000_000)

  assert.equal(figures.frames, 250)
  assert.equal(figures.skipped, 3)
  assert.deepEqual(figures.latency_us, { p50: 9_000, p90: 9_000, p99: 9_000 })
  assert.deepEqual(figures.processing_us, { p50: 6_000, p90: 6_000, p99: 6_000 })
  assert.equal(metered().figures(0).latency_us, null)
})
