import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Pacer } from '../../../machines/extcam/pacing.ts'

/** Plays frames at these times; returns the writes, and how long each written frame waited. */
const play = (frames: readonly number[], untilMs: number) => {
  const pacer = new Pacer()
  const writes: number[] = []
  const waits: number[] = []
  let next = 0
  let waiting: number | undefined
  pacer.wrote(0)
  for (let nowMs = 0; nowMs <= untilMs; nowMs += 0.25) {
    while (next < frames.length && (frames[next] as number) <= nowMs) {
      waiting = frames[next] as number
      pacer.frameCame(nowMs)
      next++
    }
    if (waiting !== undefined && nowMs >= pacer.frameDueMs) {
      waits.push(nowMs - waiting)
      waiting = undefined
    } else if (waiting !== undefined || nowMs < pacer.signOfLifeDueMs) continue
    writes.push(nowMs)
    pacer.wrote(nowMs)
  }
  return { gaps: writes.slice(1).map((at, n) => at - (writes[n] as number)), waits }
}

const every = (periodMs: number, count = 200, jitterMs = 0) =>
  Array.from({ length: count }, (_, n) => 30 + n * periodMs + (n % 3 === 0 ? jitterMs : n % 3 === 1 ? -jitterMs : 0))

for (const periodMs of [2, 4, 8.333, 11.111, 16.667, 20, 25, 33.333, 40, 46, 50, 66.667, 90, 100, 200, 1000]) {
  test(`writes are 20 to 50 ms apart with a frame each ${periodMs} ms`, () => {
    const count = Math.ceil(5_000 / periodMs)
    const { gaps } = play(every(periodMs, count), 5_000)

    assert.ok(Math.min(...gaps) >= 20, `closest ${Math.min(...gaps)} ms`)
    assert.ok(Math.max(...gaps) <= 50, `farthest ${Math.max(...gaps)} ms`)
  })
}

for (const periodMs of [25, 33.333, 40, 46, 50, 52, 66.667, 90, 100, 143, 200]) {
  test(`a frame that comes on time each ${periodMs} ms is hardly held back`, () => {
    const { waits } = play(every(periodMs, 60, 2), 60 * periodMs)

    const settled = waits.slice(20) // the period is learnt first
    assert.ok(Math.max(...settled) <= 2, `waited ${Math.max(...settled)} ms`)
  })
}

test('a camera that stops keeps its signs of life', () => {
  const { gaps } = play(every(33.333, 10), 3_000)

  assert.ok(gaps.length > 55)
  assert.ok(Math.max(...gaps) <= 50)
})
