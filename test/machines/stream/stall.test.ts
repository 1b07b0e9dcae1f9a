// When a camera counts as silent.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSilent, LOOK_EVERY_MS, lookedAgain, type Watched } from '../../../machines/stream/stall.ts'

/** Looks on, with so many frames come at each look. */
const watched = (...frames: number[]): Watched =>
  frames.reduce<Watched>((before, come) => lookedAgain(before, come), { frames: 0, quietMs: 0 })

const looksIn = (ms: number, frames: number) => new Array<number>(ms / LOOK_EVERY_MS).fill(frames)

test('a camera is silent after three seconds without a frame, and not a look earlier', () => {
  assert.equal(isSilent(watched(7, ...looksIn(2_500, 7)), 30), false)
  assert.equal(isSilent(watched(7, ...looksIn(3_000, 7)), 30), true)
})

test('one frame ends the silence', () => {
  assert.equal(isSilent(watched(7, ...looksIn(5_000, 7), 8), 30), false)
})

test('a slow camera has the time of three of its frames', () => {
  assert.equal(isSilent(watched(7, ...looksIn(5_500, 7)), 0.5), false)
  assert.equal(isSilent(watched(7, ...looksIn(6_000, 7)), 0.5), true)
})
