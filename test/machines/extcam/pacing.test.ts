import assert from 'node:assert/strict'
import { test } from 'node:test'
import { header } from '../../../machines/engine/result.ts'
import { Pacer, WaitingFrames } from '../../../machines/extcam/pacing.ts'
import { frame } from './frames.ts'

/**
 * Plays frames at these times; returns the writes of frames, those of anything, and how long each written frame waited.
 */
const play = (frames: readonly number[], untilMs: number, pacer = new Pacer()) => {
  const written: number[] = []
  const all: number[] = []
  const waits: number[] = []
  let next = 0
  let waiting: number | undefined
  pacer.wroteFrame(0, 0)
  for (let nowMs = 0; nowMs <= untilMs; nowMs += 0.25) {
    while (next < frames.length && (frames[next] as number) <= nowMs) waiting = frames[next++] as number
    if (waiting !== undefined && pacer.frameDueInMs(nowMs, nowMs) <= 0) {
      waits.push(nowMs - waiting)
      waiting = undefined
      written.push(nowMs)
      pacer.wroteFrame(nowMs, nowMs)
    } else if (pacer.signOfLifeDueInMs(nowMs) <= 0) pacer.wroteSignOfLife(nowMs)
    else continue
    all.push(nowMs)
  }
  const gaps = (times: readonly number[]) => times.slice(1).map((at, n) => at - (times[n] as number))
  return { frameGaps: gaps(written), gaps: gaps(all), waits }
}

const every = (periodMs: number, count: number) => Array.from({ length: count }, (_, n) => 30 + n * periodMs)

for (const periodMs of [2, 4, 8.333, 11.111, 16.667, 20, 25, 33.333, 40, 46, 50, 66.667, 90, 100, 200, 1000]) {
  test(`with a frame each ${periodMs} ms, frames are 20 ms apart and there is something each 50 ms`, () => {
    const { frameGaps, gaps } = play(every(periodMs, Math.ceil(5_000 / periodMs)), 5_000)

    assert.ok(Math.min(...frameGaps) >= 20, `closest ${Math.min(...frameGaps)} ms`)
    assert.ok(Math.max(...gaps) <= 50, `farthest ${Math.max(...gaps)} ms`)
  })
}

for (const paceMs of [30, 35, 50])
  for (const periodMs of [4, 16.667, 33.333, 50, 66.667, 1000]) {
    test(`at ${paceMs} ms with a frame each ${periodMs} ms, frames keep the pace, and there is one each 50 ms`, () => {
      const { frameGaps, gaps } = play(every(periodMs, Math.ceil(5_000 / periodMs)), 5_000, new Pacer(paceMs))

      assert.ok(Math.min(...frameGaps) >= paceMs, `closest ${Math.min(...frameGaps)} ms`)
      assert.ok(Math.max(...gaps) <= 50, `farthest ${Math.max(...gaps)} ms`)
    })
  }

for (const periodMs of [25, 33.333, 40, 46, 49, 50, 52, 66.667, 90, 100, 143, 200]) {
  test(`a frame that comes on time each ${periodMs} ms is never held back`, () => {
    const { waits } = play(every(periodMs, 60), 60 * periodMs)

    assert.ok(Math.max(...waits) < 0.25, `waited ${Math.max(...waits)} ms`)
  })
}

test('a camera that stops keeps its signs of life', () => {
  const { gaps } = play(every(33.333, 10), 3_000)

  assert.ok(gaps.length > 55)
  assert.ok(Math.max(...gaps) <= 50)
})

test('a frame waits for its stamp as well, but not for the stamps of a clock that was set back', () => {
  const pacer = new Pacer()
  pacer.wroteFrame(1_000, 5_000)

  assert.equal(pacer.frameDueInMs(1_020, 5_012), 8)
  assert.ok(pacer.frameDueInMs(1_020, 5_020) <= 0)
  assert.equal(pacer.frameDueInMs(1_005, 5_030), 15)
  assert.equal(pacer.frameDueInMs(1_045, 5_000), 5)
  assert.ok(pacer.frameDueInMs(1_050, 5_000) <= 0)
})

const waitingOf = (capturedMs: readonly number[], paceMs?: number) => {
  const waiting = new WaitingFrames(paceMs)
  capturedMs.forEach((ms, seq) => {
    waiting.add(frame({ seq, capturedUs: ms * 1_000 }))
  })
  const taken: [seq: number, frames: number][] = []
  for (let next = waiting.take(); next; next = waiting.take()) taken.push([header(next.result, 'seq'), next.frames])
  return taken
}

test('frames of a slow camera wait in order, of a fast one the newest waits for all', () => {
  assert.deepEqual(waitingOf([0, 33, 66]), [
    [0, 1],
    [1, 1],
    [2, 1],
  ])
  assert.deepEqual(waitingOf([0, 20, 40]), [[2, 3]])
  assert.deepEqual(waitingOf([0, 33, 41, 74]), [
    [0, 1],
    [2, 2],
    [3, 1],
  ])
})

test('what is a fast camera depends on the pace', () => {
  assert.deepEqual(waitingOf([0, 33, 66], 50), [[2, 3]])
  assert.deepEqual(waitingOf([0, 60], 50).length, 2)
})

test('no more than four frames wait, and the newest is among them', () => {
  assert.deepEqual(waitingOf([0, 33, 66, 100, 133, 166]), [
    [0, 1],
    [1, 1],
    [2, 1],
    [5, 3],
  ])
})

test('frames are of a fast camera when the newest was captured less than a pace after the one before', () => {
  const isFastAfter = (capturedMs: readonly number[], paceMs?: number) => {
    const waiting = new WaitingFrames(paceMs)
    return capturedMs.map((ms, seq) => {
      waiting.add(frame({ seq, capturedUs: ms * 1_000 }))
      return waiting.isFast
    })
  }

  assert.deepEqual(isFastAfter([0, 16, 33, 53, 86]), [false, true, true, false, false])
  assert.deepEqual(isFastAfter([0, 33, 66], 50), [false, true, true])
})
