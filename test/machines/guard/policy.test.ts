// What the resource guard decides in particular moments; that it does well over whole days, the simulation shows.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FULL, limitOf, skipsOf } from '../../../machines/guard/levels.ts'
import { decide, type GuardState, START } from '../../../machines/guard/policy.ts'
import type { DeviceReading, StreamReading } from '../../../machines/guard/reading.ts'
import { DEFAULT_GUARD_SETTINGS, type GuardSettings } from '../../../machines/guard/settings.ts'

const calm: DeviceReading = {
  celsius: 50,
  limit_celsius: 85,
  is_throttled: false,
  cpu_pressure: 2,
  cpu_load: 40,
  memory_some: 0,
  memory_full: 0,
  memory_available: 60,
  io_full: 0,
  disk_free: 50,
}
const inTime = { p10: 8_000, p90: 9_000 }
const late = { p10: 8_500, p90: 60_000 }

const stream = (id: string, more: Partial<StreamReading> = {}): StreamReading => ({
  id,
  priority: 5,
  is_published: true,
  runs: true,
  is_live: true,
  fps: 30,
  latency_us: inTime,
  is_watched: true,
  is_recorded: false,
  ...more,
})

interface Seconds {
  readonly streams: readonly StreamReading[]
  readonly device?: Partial<DeviceReading>
  readonly settings?: Partial<GuardSettings>
}

/** A guard, second by second. */
class Watch {
  state: GuardState = START
  #nowMs = 0

  pass(count: number, { streams, device = {}, settings = {} }: Seconds): this {
    for (let n = 0; n < count; n++) {
      this.#nowMs += 1_000
      const look = { now_ms: this.#nowMs, device: { ...calm, ...device }, streams }
      this.state = decide(this.state, { ...look, settings: { ...DEFAULT_GUARD_SETTINGS, ...settings } })
    }
    return this
  }

  level(id: string) {
    return this.state.streams.get(id)?.level
  }
}

const FLOOR = { ...FULL, preview_rate: 2, preview_size: 2 }

test('a stream that is late has only those cut that come after it, and previews', () => {
  const punctual = ['one', 'two', 'three'].map((id) => stream(id))
  const two = punctual.map((each) => (each.id === 'two' ? { ...each, latency_us: late } : each))
  const watch = new Watch().pass(10, { streams: punctual })

  watch.pass(300, { streams: two, device: { cpu_pressure: 60 } })

  assert.deepEqual([watch.level('one'), watch.level('two')], [FLOOR, FLOOR])
  assert.deepEqual(watch.level('three'), { ...FLOOR, pipeline_rate: 2, pause: 1 })
})

test('nothing is cut where the processor is busy and all are in time, or one is slow by itself', () => {
  const slow = { p10: 90_000, p90: 99_000 }
  const streams = [stream('one'), stream('two', { latency_us: slow })]

  const watch = new Watch().pass(300, { streams, device: { cpu_pressure: 90 } })

  assert.deepEqual([watch.level('one'), watch.level('two')], [FULL, FULL])
})

test('what is late on a machine with processors to spare is no concern of the guard', () => {
  const watch = new Watch().pass(10, { streams: [stream('one'), stream('two')] })

  watch.pass(300, { streams: [stream('one', { latency_us: late }), stream('two')] })

  assert.deepEqual([watch.level('one'), watch.level('two')], [FULL, FULL])
})

test('a higher priority, then whom the robot is told of, then the older one comes first', () => {
  const streams = [
    stream('old'),
    stream('new'),
    stream('internal', { is_published: false }),
    stream('top', { priority: 6 }),
  ]

  const watch = new Watch().pass(70, { streams, device: { celsius: 90 } })
  const cut = ['internal', 'new', 'old', 'top'].map((id) => watch.level(id)?.preview_rate)

  assert.deepEqual(cut, [2, 1, 1, 1])
})

test('a device that is warm and not slowed down for hours has only previews cut, and pipelines come back in it', () => {
  const streams = [stream('one'), stream('two')]

  const watch = new Watch().pass(7_200, { streams, device: { celsius: 82 } })
  assert.deepEqual([watch.level('one'), watch.level('two')], [FLOOR, FLOOR])
  watch.pass(120, { streams, device: { celsius: 86 } })
  assert.equal(watch.level('two')?.pause, 1)
  watch.pass(600, { streams, device: { celsius: 80.5 } })

  assert.deepEqual([watch.level('one'), watch.level('two')], [FLOOR, FLOOR])
})

test('streams that may not be stopped are slowed instead, the first one last', () => {
  const streams = [stream('one'), stream('two')]

  const watch = new Watch().pass(600, { streams, device: { celsius: 90 }, settings: { may_pause: false } })

  assert.deepEqual(watch.level('two'), { ...FLOOR, pipeline_rate: 2 })
  assert.deepEqual(watch.level('one'), { ...FLOOR, pipeline_rate: 2 })
})

test('where memory is short previews and recordings give way, then streams, and none is slowed', () => {
  const streams = [stream('one'), stream('two', { is_recorded: true })]

  const watch = new Watch().pass(300, { streams, device: { memory_full: 30, memory_some: 50 } })

  assert.deepEqual(watch.level('two'), { ...FLOOR, recording: 1, pause: 1 })
  assert.equal(watch.level('one')?.pipeline_rate, 0)
})

test('a camera keeps the results that are set, and one that is slow anyway keeps all', () => {
  assert.deepEqual(skipsOf(60, 10), [0, 1, 5])
  assert.deepEqual(skipsOf(30, 10), [0, 1, 2])
  assert.deepEqual(skipsOf(20, 10), [0, 1])
  assert.deepEqual(skipsOf(15, 10), [0])
  assert.equal(limitOf({ ...FULL, pipeline_rate: 2 }, { fps: 15, min_results_per_s: 10 }).skip, 0)
})
