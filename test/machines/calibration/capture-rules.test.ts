// Which pictures of a board are taken, and what the person who holds it is told.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type CaptureMemory,
  isAtOutline,
  isEnough,
  judgeLook,
  knownShare,
  MAX_CAPTURE_PICTURES,
  proposalWords,
} from '../../../machines/calibration/capture/rules.ts'
import { boardOutline, capturedLook, guideKnown } from '../../support/calibration/looks.ts'

const memory = (wanted: Partial<CaptureMemory> = {}): CaptureMemory => ({
  taken: [],
  known: guideKnown({ pictures: 3 }),
  before: capturedLook({ at_ms: 800 }),
  since_ms: 800,
  ...wanted,
})
const three = [300, 600, 700].map((right) => capturedLook({ right }))

test('a still, sharp picture that is new is taken where it is proposed, or where it says enough', () => {
  const at = { outline: boardOutline(500), lowers: 0 }

  assert.equal(judgeLook(capturedLook({ lowers: 0.1 }), memory({ taken: three })).kind, 'fits')
  assert.equal(judgeLook(capturedLook(at), memory({ taken: three })).kind, 'fits')
  assert.equal(judgeLook(capturedLook({ lowers: 0.09 }), memory({ taken: three })).kind, 'away', 'half of the proposed')
})

test('the longer nothing was taken the less a picture has to say, but never nothing', () => {
  const after = (ms: number, lowers: number) =>
    judgeLook(capturedLook({ lowers }), memory({ taken: three, since_ms: 1_000 - ms })).kind

  assert.deepEqual([after(4_999, 0.06), after(5_000, 0.06)], ['away', 'fits'])
  assert.deepEqual([after(9_999, 0.03), after(10_000, 0.03)], ['away', 'fits'])
  assert.deepEqual([after(60_000, 0.004), after(60_000, 0.005)], ['away', 'fits'])
})

test('a board that moves is refused, one that was not seen before is waited for', () => {
  const still = capturedLook({ at_ms: 1_000, right: 1.9, lowers: 0.5 })

  assert.equal(judgeLook(still, memory()).kind, 'fits')
  assert.equal(judgeLook({ ...still, corners: capturedLook({ right: 2.1 }).corners }, memory()).refusal?.code, 'moved')
  const slow = { ...still, at_ms: 1_200, corners: capturedLook({ right: 3.9 }).corners }
  assert.equal(judgeLook(slow, memory()).kind, 'fits', 'a slower device sees it move for longer')
  assert.equal(judgeLook(still, memory({ before: null })).kind, 'away')
  assert.equal(judgeLook({ ...still, at_ms: 9_000 }, memory()).kind, 'away')
})

test('what is blurred is refused, by itself or against the best picture of the capture', () => {
  const blurred = (edge_px: number, taken = three) =>
    judgeLook(capturedLook({ edge_px, lowers: 0.5 }), memory({ taken }))

  assert.equal(blurred(6.1, []).refusal?.code, 'blurred')
  assert.equal(blurred(5.9, []).kind, 'fits')
  assert.equal(blurred(4.1).refusal?.code, 'blurred')
  assert.equal(blurred(3.9).kind, 'fits')
  assert.match(blurred(4.1).refusal?.detail ?? '', /4\.1 px wide, and 4\.0 are allowed/)
})

test('a picture that is there already is refused, be it proposed or not', () => {
  const there = [...three, capturedLook({ right: 20 })]

  assert.equal(judgeLook(capturedLook({ lowers: 0.5 }), memory({ taken: there })).refusal?.code, 'duplicate')
  assert.equal(judgeLook(capturedLook({ lowers: 0 }), memory({ taken: there })).refusal?.code, 'duplicate')
  const farther = [...three, capturedLook({ right: 30 })]
  assert.equal(judgeLook(capturedLook({ lowers: 0.5 }), memory({ taken: farther })).kind, 'fits')
})

test('too little of a board, none, and pictures of another mode', () => {
  const few = capturedLook({ corners: capturedLook({}).corners.slice(0, 11) })

  assert.match(judgeLook(few, memory()).refusal?.detail ?? '', /only 11 corners .* it takes 12/)
  assert.equal(judgeLook(capturedLook({ corners: [] }), memory()).kind, 'none')
  const other = judgeLook(capturedLook({ width_px: 640, height_px: 400 }), memory({ taken: three }))
  assert.match(other.refusal?.detail ?? '', /640x400 now and were 1280x800 before/)
})

test('pictures that are no live ones need neither be proposed nor held still', () => {
  assert.equal(judgeLook(capturedLook({ lowers: 0 }), memory({ taken: three, before: null }), false).kind, 'fits')
  assert.equal(judgeLook(capturedLook({ edge_px: 9 }), memory(), false).refusal?.code, 'blurred')
})

test('a board is at the outline within a tenth of its size, upside down too', () => {
  const known = guideKnown({})
  const turned = [...boardOutline(500).slice(2), ...boardOutline(500).slice(0, 2)]

  assert.ok(isAtOutline({ outline: boardOutline(550) }, known))
  assert.ok(!isAtOutline({ outline: boardOutline(560) }, known))
  assert.ok(isAtOutline({ outline: turned }, known))
  assert.ok(!isAtOutline({ outline: [...boardOutline(500).slice(1), ...boardOutline(500).slice(0, 1)] }, known))
  assert.ok(!isAtOutline({}, known))
})

test('the bar is full where the verdict would be good, and ten pictures are the least', () => {
  assert.equal(knownShare(guideKnown({ pictures: 10, mean_px: 2.56 })), 0.5)
  assert.equal(knownShare(guideKnown({ pictures: 3, mean_px: 0.3 })), 0.3, 'few may agree by chance')
  assert.equal(knownShare(guideKnown({ pictures: 0, mean_px: 0.1 })), 0)
  assert.equal(knownShare(null), 0)
  assert.ok(isEnough(guideKnown({ pictures: 10, mean_px: 1.2 })))
  assert.ok(!isEnough(guideKnown({ pictures: 9, mean_px: 1.2 })))
  assert.ok(!isEnough(guideKnown({ pictures: 10, mean_px: 1.4 })))
  assert.ok(!isEnough(guideKnown({ pictures: 10, mean_px: 1.2, focal_share: 0.004 })))
  assert.ok(isEnough(guideKnown({ pictures: MAX_CAPTURE_PICTURES, mean_px: 9 })), 'more would not help')
})

test('it is said where the board is to be held, and how', () => {
  const words = proposalWords(guideKnown({ proposed: { outline: boardOutline(600), nearer: 'top', lowers: 0.1 } }))

  assert.equal(
    words,
    'hold the board in the upper right of the picture, farther away, tilted, with its upper side nearer to the camera',
  )
})
