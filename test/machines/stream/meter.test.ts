// The figures of a stream, from results as they come.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RESULT_HEADER, type Result, type ResultLayout } from '../../../machines/engine/result.ts'
import { StreamMeter } from '../../../machines/stream/meter.ts'

const layout: ResultLayout = { stages: ['decode', 'tags'], outputs: [] }
const NOW_US = 10_000_000
const PERIOD_US = 20_000

/**
 * The nth frame of a camera: captured 10 ms, and in work 6 ms, before it is finished; each needs 1 us more than the one
 * before.
 */
const frame = (n: number, finishedUs: number, of = layout): Result => {
  const head = [n, finishedUs - 10_000, finishedUs - 6_000, finishedUs, 640, 400, Math.floor(n / 10), 5_000 + n, 1, 0]
  return { layout: of, data: Float64Array.of(...head, ...of.stages.map((_, stage) => 1_000 * (stage + 1) + n)) }
}

/** A meter that has seen frames finish at these times. */
const metered = (...finishedUs: readonly number[]): StreamMeter => {
  const meter = new StreamMeter()
  for (const [n, at] of finishedUs.entries()) meter.record(frame(n, at))
  return meter
}

/** So many frames, 50 in a second, the last just now. */
const steady = (frames: number) => Array.from({ length: frames }, (_, n) => NOW_US - (frames - 1 - n) * PERIOD_US)

test('the rate is that of the last two seconds', () => {
  const slow = [7_000_000, 7_500_000, 8_000_000]

  assert.equal(metered(...slow, ...steady(100)).fps(NOW_US), 50)
})

test('a stream that stops falls to nothing within two seconds, and never shows a higher rate than before', () => {
  const meter = metered(...steady(150))

  const rates = Array.from({ length: 60 }, (_, n) => meter.fps(NOW_US + n * 2 * PERIOD_US))

  assert.deepEqual(rates.slice(0, 2), [50, 50], 'two frame times are no stop yet')
  for (const [n, rate] of rates.slice(2).entries()) assert.ok(rate < (rates[n + 1] as number) || rate === 0, `${rates}`)
  assert.ok((rates[25] as number) < 27, `half of it after a second, not ${rates[25]}`)
  assert.ok((rates[48] as number) > 0)
  assert.ok(rates.slice(50).every((rate) => rate === 0))
})

test('frames rarer than the window have a rate, until none comes for as long as a camera may be silent', () => {
  const rare = metered(NOW_US - 4_000_000, NOW_US - 2_000_000, NOW_US)

  assert.equal(rare.fps(NOW_US), 0.5)
  assert.equal(rare.fps(NOW_US + 2_500_000), 0.5)
  assert.equal(rare.fps(NOW_US + 3_000_000), 0)
})

test('there is no rate without frames, of one frame, or of frames that finished in one moment', () => {
  assert.equal(metered().fps(NOW_US), 0)
  assert.equal(metered(NOW_US).fps(NOW_US), 0)
  assert.equal(metered(NOW_US, NOW_US).fps(NOW_US), 0)
})

test('what a stream needs for its frames is told from the last two hundred; all are counted', () => {
  const figures = metered(...steady(250)).figures(NOW_US)

  const same = (value: number) => ({ p50: value, p90: value, p99: value })
  const rising = (from: number) => ({ p50: from + 150, p90: from + 230, p99: from + 248 })
  assert.deepEqual(figures, {
    frames: 250,
    skipped: 24,
    fps: 50,
    latency_us: same(10_000),
    processing_us: same(6_000),
    cpu_us: rising(5_000),
    stages_us: [
      { id: 'decode', ...rising(1_000) },
      { id: 'tags', ...rising(2_000) },
    ],
  })
})

test('a stream without frames has no figures', () => {
  assert.deepEqual(metered().figures(NOW_US), {
    frames: 0,
    skipped: 0,
    fps: 0,
    latency_us: null,
    processing_us: null,
    cpu_us: null,
    stages_us: [],
  })
})

test('frames of other stages begin anew, but go on being counted', () => {
  const meter = metered(...steady(10))
  meter.record(frame(10, NOW_US, { stages: ['all'], outputs: [] }))

  const { frames, stages_us, cpu_us } = meter.figures(NOW_US)

  assert.equal(frames, 11)
  assert.equal(cpu_us?.p50, 5_010)
  assert.deepEqual(stages_us, [{ id: 'all', p50: 1_010, p90: 1_010, p99: 1_010 }])
})

test('frames of the same stages, opened anew, go on where those before ended', () => {
  const meter = metered(...steady(2))
  meter.record(frame(2, NOW_US, { ...layout }))

  assert.equal(meter.figures(NOW_US).cpu_us?.p50, 5_001)
})

test('a result that was recorded may be forgotten or written over', () => {
  const meter = new StreamMeter()
  const result = frame(0, NOW_US)
  meter.record(result)

  result.data.fill(0)

  assert.equal(meter.figures(NOW_US).cpu_us?.p50, 5_000)
})

test('where the time goes is told of the plan that runs now', () => {
  const meter = metered(...steady(250))
  const before = meter.profile()
  for (const n of [250, 251]) {
    const result = frame(n, NOW_US)
    result.data[RESULT_HEADER.indexOf('started_us')] = NOW_US - 8_000
    result.data[RESULT_HEADER.indexOf('plan')] = 2
    meter.record(result)
  }

  assert.deepEqual(before?.processing, { median_us: 6_000, max_us: 6_000 })
  assert.deepEqual(
    before?.stages.map(({ id, median_us, max_us }) => [id, median_us, max_us]),
    [
      ['decode', 1_150, 1_249],
      ['tags', 2_150, 2_249],
    ],
  )
  assert.deepEqual(
    before?.stages.map(({ share }) => Math.round(share * 1000)),
    [192, 358],
  )
  const after = meter.profile()
  assert.deepEqual(after?.processing, { median_us: 8_000, max_us: 8_000 })
  assert.deepEqual(after?.stages[0], { id: 'decode', median_us: 1_251, max_us: 1_251, share: 0.1563 })
  assert.equal(metered().profile(), null)
})
