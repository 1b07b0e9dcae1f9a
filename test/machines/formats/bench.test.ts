// The figures of a camera's modes, and which mode is the best.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CameraMode } from '../../../machines/cameras/mode.ts'
import type { Result } from '../../../machines/engine/result.ts'
import { type MeasuredMode, ranked, toMeasuredMode } from '../../../machines/formats/bench.ts'
import { packed } from '../../support/engine/packed.ts'

const mode: CameraMode = { pixel_format: 'mjpeg', width_px: 1280, height_px: 720, fps: 30 }

/** Pictures at a rate; every `gap`-th number is missing. */
const pictures = (count: number, periodUs: number, gap = Infinity): readonly Result[] =>
  Array.from({ length: count }, (_, n) =>
    packed({ seq: n + Math.floor(n / gap), captured_us: 5_000 + n * periodUs, cpu_us: 3_000 }, [], ['source', 'gray']),
  )

test('rate, processor, decoding and bandwidth are those of what came', () => {
  const figures = toMeasuredMode(mode, { results: pictures(31, 33_333), jpegBytes: [99_000, 101_000] }, null)

  assert.deepEqual(
    { ...figures, fault: null },
    {
      ...mode,
      measured_fps: 30,
      missed: 0,
      keeps_rate: true,
      fault: null,
      cpu_percent: 9,
      decode_ms: 2,
      bandwidth_mbit_s: 24,
    },
  )
})

test('a mode that gives less than it promises is known by its rate and by what is missing', () => {
  const figures = toMeasuredMode(mode, { results: pictures(21, 66_667, 2), jpegBytes: [100_000] }, null)

  assert.equal(figures.measured_fps, 15)
  assert.equal(figures.keeps_rate, false)
  assert.equal(figures.missed, 10)
})

test('the bandwidth of a raw format follows from its size', () => {
  const raw: CameraMode = { pixel_format: 'yuyv', width_px: 640, height_px: 480, fps: 30 }

  const { bandwidth_mbit_s } = toMeasuredMode(raw, { results: pictures(31, 33_333), jpegBytes: [] }, null)

  assert.equal(bandwidth_mbit_s, 147.46)
})

test('a mode without pictures has no figures, and a fault', () => {
  const silent = toMeasuredMode(mode, { results: pictures(1, 33_333), jpegBytes: [] }, null)
  const refused = toMeasuredMode(mode, { results: [], jpegBytes: [] }, { code: 'camera.mode', detail: 'no' })

  assert.equal(silent.measured_fps, null)
  assert.match(silent.fault?.detail ?? '', /fewer than two pictures/)
  assert.equal(refused.fault?.code, 'camera.mode')
})

test('the best keeps its rate, leaves the processor to the vision, has the most pixels, and costs least', () => {
  const of = (name: string, more: Partial<MeasuredMode>): MeasuredMode & { name: string } => ({
    ...mode,
    measured_fps: 30,
    missed: 0,
    keeps_rate: true,
    cpu_percent: 20,
    decode_ms: 2,
    bandwidth_mbit_s: 20,
    fault: null,
    name,
    ...more,
  })
  const modes = [
    of('dead', { measured_fps: null, keeps_rate: false, cpu_percent: null }),
    of('slow', { keeps_rate: false, measured_fps: 12, width_px: 1920, height_px: 1080 }),
    of('dear', { cpu_percent: 80, width_px: 1920, height_px: 1080 }),
    of('usual', {}),
    of('cheaper', { cpu_percent: 10 }),
    of('larger', { width_px: 1600, height_px: 900 }),
  ]

  assert.deepEqual(
    (ranked(modes) as typeof modes).map(({ name }) => name),
    ['larger', 'cheaper', 'usual', 'dear', 'slow', 'dead'],
  )
})
