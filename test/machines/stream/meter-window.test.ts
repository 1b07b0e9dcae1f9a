// The figures of a stream, from results as they come.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Result, ResultLayout } from '../../../machines/engine/result.ts'
import { StreamMeter } from '../../../machines/stream/meter.ts'

const layout: ResultLayout = { stages: ['decode', 'tags'], outputs: [] }

/** The nth frame of a camera with 50 a second: captured on time, 4 ms later in work, finished 6 ms after that. */
const nth = (n: number, of = layout): Result => {
  const capturedUs = 1_000_000 + n * 20_000
  const head = [n, capturedUs, capturedUs + 4_000, capturedUs + 10_000, 640, 400, Math.floor(n / 10), 5_000]
  return { layout: of, data: Float64Array.of(...head, ...of.stages.map((_, stage) => 100 * (stage + 1) + (n % 2))) }
}
const finishedUs = (n: number) => nth(n).data[3] as number

const meterOf = (frames: number) => {
  const meter = new StreamMeter()
  for (let n = 0; n < frames; n++) meter.record(nth(n))
  return meter
}

test('what a stream needs for its frames is told from the last two hundred', () => {
  const figures = meterOf(1_000).figures(finishedUs(999))

  const same = (value: number) => ({ p50: value, p90: value, p99: value })
  assert.deepEqual(
    [figures.frames, figures.skipped, figures.latency_us, figures.processing_us, figures.cpu_us],
    [1_000, 99, same(10_000), same(6_000), same(5_000)],
  )
  assert.deepEqual(figures.stages_us, [
    { id: 'decode', p50: 101, p90: 101, p99: 101 },
    { id: 'tags', p50: 201, p90: 201, p99: 201 },
  ])
  assert.ok(Math.abs(figures.fps - 50) < 0.01)
})

test('a stream without frames has no figures', () => {
  const figures = new StreamMeter().figures(5_000_000)

  assert.deepEqual(figures, {
    ...{ frames: 0, skipped: 0, fps: 0, latency_us: null, processing_us: null, cpu_us: null },
    stages_us: [],
  })
})

test('the rate falls when no more frames come, to nothing after two seconds', () => {
  const meter = meterOf(200)

  const rates = [0, 100_000, 1_000_000, 1_900_000, 2_000_000].map((us) => meter.fps(finishedUs(199) + us))

  assert.deepEqual(
    rates,
    rates.toSorted((a, b) => b - a),
  )
  assert.ok(Math.abs((rates[0] as number) - 50) < 0.01 && (rates[2] as number) < 30)
  assert.equal(rates[4], 0)
})

test('frames of another layout begin anew, but go on being counted', () => {
  const meter = meterOf(10)
  meter.record(nth(10, { stages: ['all'], outputs: [] }))

  const { frames, stages_us } = meter.figures(finishedUs(10))

  assert.equal(frames, 11)
  assert.deepEqual(
    stages_us.map(({ id, p50 }) => [id, p50]),
    [['all', 100]],
  )
})

test('a result that was recorded may be forgotten or written over', () => {
  const meter = new StreamMeter()
  const result = nth(0)
  meter.record(result)

  result.data.fill(0)

  assert.equal(meter.figures(finishedUs(0)).cpu_us?.p50, 5_000)
})
